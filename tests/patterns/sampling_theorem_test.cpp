#include <gtest/gtest.h>

#include "conelu/patterns.hpp"

namespace conelu {
namespace {

// The paper, appendix on the number of patterns: "P_s = 128 corresponds to psi xi = 0.318" for n = 40.
TEST(SamplingTheorem, AgreesWithThePaper) { EXPECT_NEAR(sampling_confidence(40, 128), 0.318, 5e-4); }

// P_s is the smallest number with (n + 1) / (P_s + 1) <= psi xi.
TEST(SamplingTheorem, IsItsOwnInverse) {
  for (const Index n : {1, 40, 581, 100000}) {
    for (const Index drawn : {2 * n, 3 * n + 1, 100 * n}) {
      const double confidence = sampling_confidence(n, drawn);
      EXPECT_EQ(sampled_patterns_needed(n, confidence, 1.0), drawn) << n;
      EXPECT_EQ(sampled_patterns_needed(n, 0.9999 * confidence, 1.0) > drawn, true) << n;
    }
  }
  EXPECT_EQ(sampled_patterns_needed(40, 0.5, 0.5), 163);  // 41 * 4 - 1
}

TEST(SamplingTheorem, NeverPromisesLessThanNothing) {
  EXPECT_EQ(sampling_confidence(40, 0), 1.0);
  EXPECT_EQ(sampling_confidence(40, 40), 1.0);
  EXPECT_LT(sampling_confidence(40, 41), 1.0);
}

TEST(SamplingTheorem, RefusesWhatIsNotAProbability) {
  for (const double bad : {0.0, -0.1, 1.1, std::nan("")}) {
    EXPECT_THROW(sampled_patterns_needed(40, bad, 0.5), std::invalid_argument) << bad;
    EXPECT_THROW(sampled_patterns_needed(40, 0.5, bad), std::invalid_argument) << bad;
  }
  EXPECT_THROW(sampled_patterns_needed(40, 1e-300, 1e-300), std::invalid_argument);
  EXPECT_THROW(sampled_patterns_needed(-1, 0.5, 0.5), std::invalid_argument);
  EXPECT_THROW(sampling_confidence(40, -1), std::invalid_argument);
}

}  // namespace
}  // namespace conelu
