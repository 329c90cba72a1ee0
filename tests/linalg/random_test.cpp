#include "linalg/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace conelu {
namespace {

// Computed with an independent implementation (Python integers) of splitmix64 and xoshiro256**.
TEST(Random, GivesTheNumbersOfTheReferenceOnEveryPlatform) {
  Random random(42);
  EXPECT_EQ(random.next(), 0x19e479e2aaa77bfbu);
  EXPECT_EQ(random.next(), 0x5e3efe753be27527u);
  EXPECT_EQ(random.next(), 0xc3ed7125b780200au);
  Random other(42, 7);
  EXPECT_EQ(other.next(), 0x4150452ab869a892u);
  EXPECT_EQ(other.next(), 0x63980fc0383ce41bu);
}

TEST(Random, SeedsAndStreamsDiffer) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (std::uint64_t stream = 0; stream < 100; ++stream) firsts.insert(Random(seed, stream).next());
  }
  EXPECT_EQ(firsts.size(), 100u * 100u);
}

TEST(Random, UniformFillsTheUnitIntervalEvenly) {
  Random random(1);
  std::vector<int> tenths(10);
  for (int i = 0; i < 100000; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    ++tenths[static_cast<std::size_t>(10 * u)];
  }
  for (const int count : tenths) EXPECT_NEAR(count, 10000, 5 * std::sqrt(9000));
}

// Kolmogorov-Smirnov against the normal distribution: sqrt(n) D exceeds 1.95 once in a thousand seeds.
TEST(Random, NormalFollowsTheNormalDistribution) {
  Random random(2);
  const int n = 100000;
  std::vector<double> draws(n);
  for (double& draw : draws) draw = random.normal();
  std::sort(draws.begin(), draws.end());
  double distance = 0;
  for (int i = 0; i < n; ++i) {
    const double expected = 0.5 * std::erfc(-draws[static_cast<std::size_t>(i)] / std::sqrt(2.0));
    distance = std::max({distance, std::abs(expected - i / double(n)), std::abs(expected - (i + 1) / double(n))});
  }
  EXPECT_LT(std::sqrt(n) * distance, 1.95);
}

// A plain remainder of 64 bits by 3 * 2^61 would put 3/8 of the draws into the lower third.
TEST(Random, BelowHasNoBias) {
  Random random(3);
  const Index n = Index{3} << 61;
  int low = 0;
  for (int i = 0; i < 30000; ++i) {
    const Index draw = random.below(n);
    ASSERT_GE(draw, 0);
    ASSERT_LT(draw, n);
    low += draw < n / 3;
  }
  EXPECT_NEAR(low, 10000, 5 * std::sqrt(30000 * 2 / 9.0));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(random.below(1), 0);
}

}  // namespace
}  // namespace conelu
