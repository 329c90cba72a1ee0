#include "report/resources.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace conelu {
namespace {

TEST(Resources, TellWorkFromWaiting) {
  const Resources start = Resources::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const Resources slept = Resources::now();
  EXPECT_GE(slept.seconds - start.seconds, 0.05);
  EXPECT_LT(slept.cpu_seconds - start.cpu_seconds, 0.04);
  Resources worked = slept;
  while (worked.cpu_seconds - slept.cpu_seconds < 0.02) worked = Resources::now();
  EXPECT_GT(worked.seconds, slept.seconds);
}

TEST(Resources, PeakGrowsByWhatIsTouched) {
  const double before = Resources::now().peak_mb;
  const std::vector<char> touched(std::size_t{64} << 20, 1);
  EXPECT_GT(Resources::now().peak_mb, before + 32);
  EXPECT_EQ(touched.back(), 1);
}

}  // namespace
}  // namespace conelu
