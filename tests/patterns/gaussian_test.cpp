#include <gtest/gtest.h>
#include <omp.h>

#include "conelu/patterns.hpp"
#include "patterns/samples.hpp"

// Alg 1 of the paper: D_i = diag([X a_i >= 0]) with a_i ~ N(0, I_d), distinct.
namespace conelu {
namespace {

using test::margin;
using test::normal_samples;
using test::plane_samples;
using test::signs_of;

SampledPatterns sample(const Matrix& X, Index count, std::uint64_t seed = 1, bool all_active = false) {
  return make_patterns("gaussian", X, {.count = count, .seed = seed, .all_active = all_active});
}

TEST(GaussianPatterns, AreDistinctAndVouchedForByTheirDirections) {
  const Matrix X = normal_samples(100, 5, 3);
  const SampledPatterns result = sample(X, 500);
  ASSERT_EQ(result.patterns.count(), 500);
  EXPECT_FALSE(result.exhausted);
  EXPECT_FALSE(result.patterns.complete());
  EXPECT_GE(result.draws, 500);
  for (Index i = 0; i < 500; ++i) {
    EXPECT_GT(margin(X, signs_of(result.patterns, i), result.patterns.witness(i)), 0);
    for (Index j = 0; j < i; ++j) EXPECT_FALSE(std::ranges::equal(result.patterns.words(i), result.patterns.words(j)));
  }
}

TEST(GaussianPatterns, RepeatWithTheSeedAndChangeWithIt) {
  const Matrix X = normal_samples(60, 4, 3);
  EXPECT_EQ(sample(X, 50, 7).patterns.to_matrix(), sample(X, 50, 7).patterns.to_matrix());
  EXPECT_NE(sample(X, 50, 7).patterns.to_matrix(), sample(X, 50, 8).patterns.to_matrix());
}

TEST(GaussianPatterns, OfASmallRequestBeginThoseOfALargeOne) {
  const Matrix X = normal_samples(60, 4, 3);
  const Matrix many = sample(X, 1000).patterns.to_matrix();
  for (const Index count : {1, 10, 127, 128, 129, 700}) {
    EXPECT_EQ(sample(X, count).patterns.to_matrix(), many.topRows(count)) << count;
  }
}

TEST(GaussianPatterns, DoNotDependOnTheNumberOfThreads) {
  const Matrix X = normal_samples(300, 40, 3);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const Matrix one = sample(X, 300).patterns.to_matrix();
  omp_set_num_threads(2);
  const Matrix two = sample(X, 300).patterns.to_matrix();
  omp_set_num_threads(threads);
  EXPECT_EQ(one, two);
}

// 40 points with a bias have 2 (1 + 39 + 741) = 1562 patterns, so the paper's 2048 cannot exist.
TEST(GaussianPatterns, StopAndSaySoWhenNoNewPatternTurnsUp) {
  const Matrix X = plane_samples(40, 5);
  const SampledPatterns result = sample(X, 2048);
  EXPECT_TRUE(result.exhausted);
  EXPECT_GT(result.patterns.count(), 1300);
  EXPECT_LE(result.patterns.count(), 1562);
}

// Six points on a line with a bias, well apart: 12 patterns, each with a fair share of all directions.
TEST(GaussianPatterns, StopSoonOnceEveryPatternIsThere) {
  Matrix X(6, 2);
  X << -3, 1, -1.5, 1, -0.5, 1, 0.4, 1, 1.2, 1, 4, 1;
  const SampledPatterns result = sample(X, 100);
  EXPECT_EQ(result.patterns.count(), 12);
  EXPECT_TRUE(result.exhausted);
  EXPECT_LT(result.draws, 2000);
  EXPECT_FALSE(sample(X, 12).exhausted);
}

TEST(GaussianPatterns, StartWithTheAllActiveOneIfAskedTo) {
  const Matrix X = plane_samples(30, 5);
  const SampledPatterns result = sample(X, 20, 1, true);
  EXPECT_EQ(result.patterns.count(), 20);
  EXPECT_EQ(result.patterns.to_matrix().row(0), Matrix::Ones(1, 30));
  EXPECT_GT(margin(X, Vector::Ones(30), result.patterns.witness(0)), 0);
}

// Rows in a half-space without a bias column: the all-active pattern exists and needs to be looked for.
TEST(GaussianPatterns, FindTheAllActiveOneWithoutABiasColumn) {
  Matrix X = normal_samples(30, 3, 5);
  const Vector a = Vector{{1.0, -2.0, 0.5}};
  for (Index k = 0; k < 30; ++k) X.row(k) *= X.row(k).dot(a) > 0 ? 1.0 : -1.0;
  const SampledPatterns result = sample(X, 5, 1, true);
  EXPECT_EQ(result.patterns.to_matrix().row(0), Matrix::Ones(1, 30));
  EXPECT_GT(margin(X, Vector::Ones(30), result.patterns.witness(0)), 0);
}

TEST(GaussianPatterns, DoNotInventAnAllActiveOne) {
  Matrix X(3, 2);
  X << 1, 0, -1, 0.1, -1, -0.1;  // around the origin
  const SampledPatterns result = sample(X, 100, 1, true);
  EXPECT_EQ(result.patterns.count(), 6);
  for (Index i = 0; i < 6; ++i) EXPECT_LT(result.patterns.to_matrix().row(i).sum(), 3);
}

TEST(GaussianPatterns, CountZeroRowsAsActive) {
  Matrix X = plane_samples(10, 5);
  X.row(4).setZero();
  const SampledPatterns result = sample(X, 20);
  for (Index i = 0; i < 20; ++i) {
    EXPECT_TRUE(result.patterns.active(i, 4));
    EXPECT_EQ(result.patterns.witness(i).size(), 3);
  }
}

TEST(GaussianPatterns, RefuseANumberThatIsNotPositive) {
  EXPECT_THROW(sample(plane_samples(10, 5), 0), std::invalid_argument);
}

}  // namespace
}  // namespace conelu
