#include <gtest/gtest.h>
#include <omp.h>

#include "conelu/patterns.hpp"
#include "data/temporary_files.hpp"
#include "patterns/samples.hpp"

// Alg 2 of the paper: for every random direction a, [X a >= 0] and then S - 1 times [(X + Delta) a >= 0] with a random
// perturbation Delta of all samples.
namespace conelu {
namespace {

using test::margin;
using test::normal_samples;
using test::plane_samples;
using test::signs_of;

PatternRequest perturbed_request(Index count, const Threat& threat, Index directions = 0, Index perturbations = 0,
                                 std::uint64_t seed = 1) {
  PatternRequest result;
  result.count = count;
  result.seed = seed;
  result.threat = threat;
  result.directions = directions;
  result.perturbations = perturbations;
  return result;
}

SampledPatterns sample_perturbed(const Matrix& X, const PatternRequest& request) {
  return make_patterns("perturbed", X, request);
}

class PerturbedPatternsInEveryNorm : public testing::TestWithParam<Norm> {};

// Of one direction: the first pattern is that of X, and the others differ from it only where the attacker gets across.
TEST_P(PerturbedPatternsInEveryNorm, DifferFromThatOfTheDataWithinReach) {
  const Matrix X = normal_samples(200, 4, 3);
  const Threat threat{GetParam(), Vector{{0.1, 0.4, 0.0, 0.2}}};
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const PatternSet patterns = sample_perturbed(X, perturbed_request(1000, threat, 1, 50, seed)).patterns;
    ASSERT_GT(patterns.count(), 10);
    ASSERT_EQ(patterns.witness(0).size(), 4);
    const Vector a = patterns.witness(0);
    EXPECT_GT(margin(X, signs_of(patterns, 0), a), 0);
    Vector changed = Vector::Zero(200);
    for (Index i = 1; i < patterns.count(); ++i) {
      EXPECT_EQ(patterns.witness(i).size(), 0) << "the direction belongs to another pattern of X";
      for (Index k = 0; k < 200; ++k) changed(k) += patterns.active(i, k) != patterns.active(0, k);
    }
    int across = 0;
    for (Index k = 0; k < 200; ++k) {
      across += changed(k) > 0;
      if (changed(k) > 0) {
        EXPECT_LE(std::abs(X.row(k).dot(a)), threat.worst_change(a));
      }
    }
    EXPECT_GT(across, 3);
  }
}

// A sample close to the threshold changes sides half of the time.
TEST_P(PerturbedPatternsInEveryNorm, TossAFairCoinAtTheThreshold) {
  Matrix X = normal_samples(100, 3, 4);
  X.row(0) *= 1e-9;
  const SampledPatterns result =
      sample_perturbed(X, perturbed_request(100000, Threat::uniform(GetParam(), 0.3, 3, false), 20, 50));
  EXPECT_NEAR(result.patterns.to_matrix().col(0).mean(), 0.5, 0.1);
}

TEST_P(PerturbedPatternsInEveryNorm, RepeatWithTheSeedAndNotWithTheNumberOfThreads) {
  const Matrix X = normal_samples(80, 6, 3);
  const Threat threat = Threat::uniform(GetParam(), 0.1, 6, false);
  const auto matrix = [&](std::uint64_t seed) {
    return sample_perturbed(X, perturbed_request(60, threat, 0, 5, seed)).patterns.to_matrix();
  };
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const Matrix one = matrix(7);
  omp_set_num_threads(2);
  EXPECT_EQ(matrix(7), one);
  omp_set_num_threads(threads);
  EXPECT_NE(matrix(8), one);
}

TEST_P(PerturbedPatternsInEveryNorm, OfASmallRequestBeginThoseOfALargeOne) {
  const Matrix X = normal_samples(60, 4, 3);
  const Threat threat = Threat::uniform(GetParam(), 0.1, 4, false);
  const Matrix many = sample_perturbed(X, perturbed_request(300, threat)).patterns.to_matrix();
  for (const Index count : {1, 10, 57, 200}) {
    EXPECT_EQ(sample_perturbed(X, perturbed_request(count, threat)).patterns.to_matrix(), many.topRows(count)) << count;
  }
}

INSTANTIATE_TEST_SUITE_P(Norms, PerturbedPatternsInEveryNorm, testing::Values(Norm::infinity, Norm::two, Norm::one),
                         [](const auto& norm) { return "p" + std::string(to_string(norm.param)); });

TEST(PerturbedPatterns, StopWhenTheDirectionsAreUsedUp) {
  const Matrix X = normal_samples(100, 4, 3);
  const SampledPatterns result =
      sample_perturbed(X, perturbed_request(1000, Threat::uniform(Norm::infinity, 0.1, 4, false), 7, 5));
  EXPECT_EQ(result.draws, 7);
  EXPECT_GT(result.patterns.count(), 20);
  EXPECT_LE(result.patterns.count(), 35);
  EXPECT_FALSE(result.exhausted);
}

TEST(PerturbedPatterns, TryTenPerDirectionUnlessTold) {
  const Matrix X = normal_samples(300, 4, 3);
  const Threat threat = Threat::uniform(Norm::infinity, 0.3, 4, false);
  EXPECT_EQ(sample_perturbed(X, perturbed_request(1000, threat, 1)).patterns.count(), 10);
  EXPECT_EQ(sample_perturbed(X, perturbed_request(1000, threat, 1, 1)).patterns.count(), 1);
}

// Six points on a line with a bias have 12 patterns, and perturbing by nothing adds none.
TEST(PerturbedPatterns, WithoutAThreatAreThoseOfTheData) {
  Matrix X(6, 2);
  X << -3, 1, -1.5, 1, -0.5, 1, 0.4, 1, 1.2, 1, 4, 1;
  const SampledPatterns result = sample_perturbed(X, perturbed_request(100, {}));
  EXPECT_EQ(result.patterns.count(), 12);
  EXPECT_TRUE(result.exhausted);
  for (Index i = 0; i < 12; ++i) {
    EXPECT_GT(margin(X, signs_of(result.patterns, i), result.patterns.witness(i)), 0);
  }
}

// Two samples have four patterns however they are perturbed.
TEST(PerturbedPatterns, StopAndSaySoWhenNoNewPatternTurnsUp) {
  Matrix X(2, 2);
  X << 1, 1, 1, 1.1;
  const SampledPatterns result =
      sample_perturbed(X, perturbed_request(100, Threat::uniform(Norm::infinity, 0.5, 2, false)));
  EXPECT_EQ(result.patterns.count(), 4);
  EXPECT_TRUE(result.exhausted);
}

// What the paper's Alg 2 comes to on real data: every cone is empty, and the network it trains is 0.
TEST(PerturbedPatterns, OfMammographicMassesAreAllDead) {
  if (!test::has_reference_cases()) GTEST_SKIP() << "no reference cases at " << CONELU_SHARED_DIR;
  const Matrix X = test::reference_data("mammographic_adv_hinge_P120_trivial").X;
  const Threat threat = Threat::uniform(Norm::infinity, 0.12, X.cols(), false);
  const SampledPatterns result = sample_perturbed(X, perturbed_request(120, threat, 12, 10));
  EXPECT_EQ(result.patterns.count(), 120);
  EXPECT_EQ(live_patterns(X, result.patterns, threat).count(), 0);
}

TEST(PerturbedPatterns, RefuseWhatDoesNotFit) {
  const Matrix X = plane_samples(10, 5);
  const Threat threat = Threat::uniform(Norm::infinity, 0.1, 3, false);
  expect_refusal([&] { sample_perturbed(X, perturbed_request(0, threat)); }, {"count", "0"});
  expect_refusal([&] { sample_perturbed(X, perturbed_request(5, threat, -1)); }, {"directions", "-1"});
  expect_refusal([&] { sample_perturbed(X, perturbed_request(5, threat, 0, -2)); }, {"perturbations", "-2"});
  expect_refusal([&] { sample_perturbed(X, perturbed_request(5, Threat::uniform(Norm::two, 0.1, 4, false))); },
                 {"eps", "4 radii", "expected 3"});
  expect_refusal(
      [&] {
        sample_perturbed(X, perturbed_request(5, {Norm::two, Vector{{0.1, -1.0, 0.1}}}));
      },
      {"eps", "column 1", "-1"});
}

}  // namespace
}  // namespace conelu
