#include <gtest/gtest.h>
#include <omp.h>

#include <set>

#include "conelu/liveness.hpp"
#include "conelu/patterns.hpp"
#include "data/temporary_files.hpp"
#include "patterns/samples.hpp"

// Live by construction: a threshold b in a gap of X a wider than 2 |eps o a|_q gives u = (a, -b) with
// e_k x_k'u > |eps o u|_q for all k, and -u the same for the other side.
namespace conelu {
namespace {

using test::normal_samples;
using test::plane_samples;
using test::random_threat;
using test::robust_margin;
using test::signs_of;

PatternRequest request(Index count, const Threat& threat, bool all_active = false, std::uint64_t seed = 1) {
  PatternRequest result;
  result.count = count;
  result.seed = seed;
  result.all_active = all_active;
  result.threat = threat;
  return result;
}

SampledPatterns sample(const Matrix& X, const PatternRequest& request) { return make_patterns("gaps", X, request); }

void expect_live_and_distinct(const Matrix& X, const PatternSet& patterns, const Threat& threat) {
  std::set<std::vector<PatternSet::Word>> distinct;
  for (Index i = 0; i < patterns.count(); ++i) {
    const Vector signs = signs_of(patterns, i);
    ASSERT_EQ(patterns.witness(i).size(), X.cols());
    EXPECT_GT(robust_margin(X, signs, patterns.witness(i), threat), 0);
    if (i < 20) {
      EXPECT_EQ(decide_liveness(X, signs, threat).liveness, Liveness::live);
    }
    distinct.insert({patterns.words(i).begin(), patterns.words(i).end()});
  }
  EXPECT_EQ(static_cast<Index>(distinct.size()), patterns.count());
}

/// Samples in well separated groups, so that there are gaps; the last column is ones.
Matrix grouped_samples(Index n, Index d, std::uint64_t seed) {
  Random random(seed, 5);
  Matrix X(n, d);
  for (double& entry : X.reshaped()) entry = static_cast<double>(random.below(5)) + 0.05 * random.normal();
  X.col(d - 1).setOnes();
  return X;
}

class GapPatternsInEveryNorm : public testing::TestWithParam<Norm> {};

TEST_P(GapPatternsInEveryNorm, AreLiveByTheirWitnesses) {
  Random random(1);
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Matrix X = grouped_samples(150, 6, seed);
    Threat threat = random_threat(GetParam(), 6, 0.08, static_cast<Index>(seed % 3), random);
    if (seed % 2 == 0) threat.radii(5) = 0;
    const SampledPatterns result = sample(X, request(60, threat, false, seed));
    EXPECT_GT(result.patterns.count(), 25) << seed;
    EXPECT_GT(result.draws, 0);
    expect_live_and_distinct(X, result.patterns, threat);
  }
}

TEST_P(GapPatternsInEveryNorm, ComeInPairsOfOppositeSides) {
  const Matrix X = grouped_samples(100, 4, 3);
  const PatternSet patterns = sample(X, request(50, Threat::uniform(GetParam(), 0.1, 3, true))).patterns;
  ASSERT_EQ(patterns.count(), 50);
  PatternSet opposite(100);
  for (Index i = 0; i < 50; ++i) opposite.add(-signs_of(patterns, i));
  for (Index i = 0; i < 50; ++i) EXPECT_TRUE(opposite.contains(patterns.words(i)));
}

// The other side of a threshold is the linear model minus the first, so both come only when thresholds run out.
TEST_P(GapPatternsInEveryNorm, HaveOneSideEachNextToTheAllActiveOne) {
  const Matrix X = grouped_samples(100, 4, 3);
  const Threat threat = Threat::uniform(GetParam(), 0.1, 3, true);
  const PatternSet patterns = sample(X, request(51, threat, true)).patterns;
  ASSERT_EQ(patterns.count(), 51);
  expect_live_and_distinct(X, patterns, threat);
  for (Index i = 1; i < 51; ++i) {
    EXPECT_LE((signs_of(patterns, i).array() > 0).count(), 50);
    PatternSet opposite(100);
    opposite.add(-signs_of(patterns, i));
    EXPECT_FALSE(patterns.contains(opposite.words(0)));
  }
  const SampledPatterns every = sample(X, request(100000, threat, true));
  EXPECT_TRUE(every.exhausted);
  EXPECT_EQ(every.patterns.count() % 2, 1);
  expect_live_and_distinct(X, every.patterns, threat);
}

// Columns that are all positive and none of them constant: brightness takes the place of the bias.
TEST_P(GapPatternsInEveryNorm, DoWithoutAConstantColumn) {
  Matrix X = grouped_samples(60, 4, 3).leftCols(3);
  X.array() += 3;
  const Threat threat = Threat::uniform(GetParam(), 0.1, 3, false);
  const SampledPatterns result = sample(X, request(40, threat));
  EXPECT_GT(result.patterns.count(), 10);
  expect_live_and_distinct(X, result.patterns, threat);
}

// Samples on all sides of the origin, none near it: only thresholds at 0 are left.
TEST_P(GapPatternsInEveryNorm, DoWithoutAnyThreshold) {
  Matrix X(8, 2);
  X << 3, 0.2, 3, -0.2, -3, 0.3, -3, -0.1, 0.2, 3, -0.2, 3, 0.1, -3, -0.3, -3;
  const Threat threat = Threat::uniform(GetParam(), 0.1, 2, false);
  const SampledPatterns result = sample(X, request(20, threat, true));
  EXPECT_GE(result.patterns.count(), 4);
  EXPECT_TRUE(result.exhausted);
  expect_live_and_distinct(X, result.patterns, threat);
}

TEST_P(GapPatternsInEveryNorm, RepeatWithTheSeedAndNotWithTheNumberOfThreads) {
  const Matrix X = grouped_samples(120, 8, 3);
  const Threat threat = Threat::uniform(GetParam(), 0.05, 7, true);
  const auto make = [&](std::uint64_t seed) { return sample(X, request(60, threat, false, seed)).patterns; };
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const PatternSet one = make(7);
  omp_set_num_threads(2);
  const PatternSet two = make(7);
  omp_set_num_threads(threads);
  EXPECT_EQ(one.to_matrix(), two.to_matrix());
  for (Index i = 0; i < one.count(); ++i) EXPECT_EQ(one.witness(i), two.witness(i));
  EXPECT_NE(make(8).to_matrix(), one.to_matrix());
}

TEST_P(GapPatternsInEveryNorm, OfASmallRequestBeginThoseOfALargeOne) {
  const Matrix X = grouped_samples(100, 5, 3);
  const Threat threat = Threat::uniform(GetParam(), 0.05, 4, true);
  const Matrix many = sample(X, request(300, threat, true)).patterns.to_matrix();
  for (const Index count : {1, 2, 11, 100}) {
    EXPECT_EQ(sample(X, request(count, threat, true)).patterns.to_matrix(), many.topRows(count)) << count;
  }
}

INSTANTIATE_TEST_SUITE_P(Norms, GapPatternsInEveryNorm, testing::Values(Norm::infinity, Norm::two, Norm::one),
                         [](const auto& norm) { return "p" + std::string(to_string(norm.param)); });

// Gaps of 1, 2, 0.1 and 2.9, of which 0.1 is too narrow for a radius of 0.2.
TEST(GapPatterns, AreAllFoundOnALineAndSaidToBeAll) {
  Matrix X(5, 2);
  X << 0, 1, 1, 1, 3, 1, 3.1, 1, 6, 1;
  const SampledPatterns result = sample(X, request(100, Threat::uniform(Norm::infinity, 0.2, 1, true), true));
  EXPECT_EQ(result.patterns.count(), 7);  // both sides of three thresholds, and all active
  EXPECT_TRUE(result.exhausted);
  EXPECT_FALSE(sample(X, request(7, Threat::uniform(Norm::infinity, 0.2, 1, true), true)).exhausted);
  // A perturbed bias takes 0.2 |b| more: 0.2 + 0.2 * 4.55 is still less than 1.45, 0.2 + 0.2 * 2 less than 1.
  EXPECT_EQ(sample(X, request(100, Threat::uniform(Norm::infinity, 0.2, 2, false), true)).patterns.count(), 7);
  // With 0.35 of both, 0.35 * 3 is more than 1 and 0.35 * 5.55 more than 1.45.
  EXPECT_EQ(sample(X, request(100, Threat::uniform(Norm::infinity, 0.35, 2, false), true)).patterns.count(), 1);
}

// A grid point is 1 away from the next along an axis and 1 along the diagonal's projection x + y, too.
TEST(GapPatterns, FindTheGapsOfAGridAlongDiagonals) {
  Matrix X(36, 3);
  for (Index k = 0; k < 36; ++k) X.row(k) << static_cast<double>(k / 6), static_cast<double>(k % 6), 1;
  const Threat threat = Threat::uniform(Norm::infinity, 0.2, 2, true);
  const SampledPatterns result = sample(X, request(1000, threat));
  PatternSet found = result.patterns;
  for (const double slope : {1.0, -1.0}) {
    for (double b = 0.5; b < 10; b += 1) {
      const Vector heights = X.col(0) + slope * X.col(1) - (slope > 0 ? b : b - 5) * X.col(2);
      EXPECT_FALSE(found.add(heights)) << slope << " " << b;
    }
  }
  expect_live_and_distinct(X, result.patterns, threat);
}

TEST(GapPatterns, StartWithTheAllActiveOneIfItIsLive) {
  const Matrix X = plane_samples(30, 5);
  const SampledPatterns with = sample(X, request(10, Threat::uniform(Norm::two, 0.02, 2, true), true));
  EXPECT_EQ(with.patterns.to_matrix().row(0), Matrix::Ones(1, 30));
  expect_live_and_distinct(X, with.patterns, Threat::uniform(Norm::two, 0.02, 2, true));
  // A bias of 1 is worth nothing to an attacker with a radius of 1.5.
  const SampledPatterns without = sample(X, request(10, Threat::uniform(Norm::two, 1.5, 3, false), true));
  EXPECT_EQ(without.patterns.count(), 0);
  EXPECT_TRUE(without.exhausted);
}

TEST(GapPatterns, SplitTheSamplesEvenlyRatherThanOffOne) {
  const Matrix X = plane_samples(200, 5);
  for (const double eps : {0.0, 0.002}) {
    const Matrix activations =
        sample(X, request(100, Threat::uniform(Norm::infinity, eps, 2, true))).patterns.to_matrix();
    ASSERT_EQ(activations.rows(), 100);
    const Vector smaller = activations.rowwise().sum().cwiseMin((1 - activations.array()).rowwise().sum().matrix());
    EXPECT_GT(smaller.mean(), 30) << eps;
    EXPECT_LE((smaller.array() <= 1).count(), 5) << eps;
  }
}

TEST(GapPatterns, WorkWithoutAThreat) {
  for (const Matrix& X : {plane_samples(50, 5), normal_samples(50, 4, 5)}) {
    const SampledPatterns result = sample(X, request(200, {}, true));
    EXPECT_EQ(result.patterns.count(), 200);
    expect_live_and_distinct(X, result.patterns, Threat::uniform(Norm::two, 0, X.cols(), false));
  }
}

TEST(GapPatterns, DoNotExistWithASampleAtTheOrigin) {
  Matrix X = normal_samples(10, 3, 5);
  X.row(4).setZero();
  const SampledPatterns result = sample(X, request(10, Threat::uniform(Norm::two, 1e-6, 3, false), true));
  EXPECT_EQ(result.patterns.count(), 0);
  EXPECT_TRUE(result.exhausted);
}

TEST(GapPatterns, EndWhereSamplesDoNotDiffer) {
  const SampledPatterns result =
      sample(Matrix::Ones(5, 3), request(10, Threat::uniform(Norm::two, 0.1, 3, false), true));
  EXPECT_EQ(result.patterns.to_matrix(), Matrix::Ones(1, 5));
  EXPECT_TRUE(result.exhausted);
}

TEST(GapPatterns, TakeLabelsOfAnyKind) {
  const Matrix X = grouped_samples(100, 5, 3);
  const Threat threat = Threat::uniform(Norm::infinity, 0.05, 4, true);
  PatternRequest labelled = request(80, threat);
  const Matrix unlabelled = sample(X, labelled).patterns.to_matrix();
  for (const Vector& labels : {Vector(X.col(0).unaryExpr([](double x) { return x > 2 ? 1.0 : -1.0; })),
                               Vector(X.col(1)), Vector(Vector::Ones(100))}) {
    labelled.labels = labels;
    const PatternSet patterns = sample(X, labelled).patterns;
    EXPECT_EQ(patterns.count(), 80);
    expect_live_and_distinct(X, patterns, threat);
  }
  labelled.labels = X.col(0);
  EXPECT_NE(sample(X, labelled).patterns.to_matrix(), unlabelled);
}

// Labels that rise with x and fall with y, and do not depend on z: x and y never enter with equal signs, z with any.
TEST(GapPatterns, GoTheWayOfTheLabels) {
  const Matrix X = grouped_samples(300, 4, 3);
  PatternRequest labelled = request(80, Threat::uniform(Norm::infinity, 0.05, 3, true));
  const auto count_equal_signs = [&](Index a, Index b) {
    const PatternSet patterns = sample(X, labelled).patterns;
    Index count = 0;
    for (Index i = 0; i < patterns.count(); ++i) count += patterns.witness(i)(a) * patterns.witness(i)(b) > 0;
    return count;
  };
  EXPECT_GT(count_equal_signs(0, 1), 0);
  labelled.labels = (X.col(0) - X.col(1)).unaryExpr([](double x) { return x > 0 ? 1.0 : -1.0; });
  EXPECT_EQ(count_equal_signs(0, 1), 0);
  EXPECT_GT(count_equal_signs(0, 2), 0);
}

// Alg 2 finds none on this data, see perturbed_test.
TEST(GapPatterns, OfRealDataAreThereWhereSamplingFindsNone) {
  if (!test::has_reference_cases()) GTEST_SKIP() << "no reference cases at " << CONELU_SHARED_DIR;
  const Dataset data = test::reference_data("mammographic_adv_hinge_P120");
  for (const bool bias : {true, false}) {  // a free bias, and the paper's
    const Threat threat = Threat::uniform(Norm::infinity, 0.12, data.X.cols() - (bias ? 1 : 0), bias);
    PatternRequest wanted = request(120, threat, true);
    wanted.labels = data.y;
    const SampledPatterns result = sample(data.X, wanted);
    EXPECT_EQ(result.patterns.count(), 120);
    expect_live_and_distinct(data.X, result.patterns, threat);
  }
}

TEST(GapPatterns, RefuseWhatDoesNotFit) {
  const Matrix X = plane_samples(10, 5);
  expect_refusal([&] { sample(X, request(0, {})); }, {"count", "0"});
  expect_refusal([&] { sample(X, request(5, Threat::uniform(Norm::two, 0.1, 4, false))); }, {"eps", "4", "expected 3"});
  PatternRequest labelled = request(5, {});
  labelled.labels = Vector::Ones(9);
  expect_refusal([&] { sample(X, labelled); }, {"labels", "9", "expected 10"});
}

}  // namespace
}  // namespace conelu
