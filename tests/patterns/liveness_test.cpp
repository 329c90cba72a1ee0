#include "conelu/liveness.hpp"

#include <gtest/gtest.h>

#include "conelu/patterns.hpp"
#include "patterns/samples.hpp"

// Gordan's theorem: either E X u > 0 for some u, or X'E y = 0 for some y >= 0, y != 0; never both.
namespace conelu {
namespace {

using test::margin;
using test::normal_samples;
using test::plane_samples;
using test::signs_of;

/// The verdict, after its proof has been checked.
Liveness checked_liveness(const Matrix& X, const Vector& signs) {
  const LivenessVerdict verdict = decide_liveness(X, signs);
  if (verdict.liveness == Liveness::live) {
    EXPECT_EQ(verdict.multipliers.size(), 0);
    EXPECT_NEAR(verdict.witness.norm(), 1.0, 1e-12);
    EXPECT_GT(margin(X, signs, verdict.witness), 0);
  } else {
    EXPECT_EQ(verdict.witness.size(), 0);
    const Vector& y = verdict.multipliers;
    EXPECT_GE(y.minCoeff(), 0);
    EXPECT_NEAR(y.dot(X.rowwise().norm()), 1.0, 1e-12);
    EXPECT_LE((X.transpose() * signs.cwiseProduct(y)).norm(), 1e-12);
  }
  return verdict.liveness;
}

TEST(Liveness, OfThreeRowsAroundTheOriginIsZero) {
  Matrix X(3, 2);
  X << 1, 0, -1, 1, -1, -1;
  EXPECT_EQ(checked_liveness(X, Vector::Ones(3)), Liveness::zero);
  EXPECT_EQ(checked_liveness(X, Vector{{1.0, 1.0, -1.0}}), Liveness::live);
}

// So many features that steps are taken in single precision: hyperplanes have witnesses, and signs at random of five times
// as many rows as features (which a hyperplane separates with a probability below 1e-30) a proof that there is none.
TEST(Liveness, IsProvenInManyDimensions) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Matrix X = normal_samples(400, 80, seed);
    const auto signs = [](const Vector& values) { return Vector(2 * (values.array() > 0).cast<double>() - 1); };
    EXPECT_EQ(checked_liveness(X, signs(X * normal_samples(80, 1, seed + 10))), Liveness::live);
    EXPECT_EQ(checked_liveness(X, signs(normal_samples(400, 1, seed + 20))), Liveness::zero);
  }
}

// x and -x both active: u lies in the hyperplane x'u = 0.
TEST(Liveness, OfOppositeRowsIsThin) {
  Matrix X(2, 3);
  X << 1, 2, 3, -2, -4, -6;
  EXPECT_EQ(checked_liveness(X, Vector::Ones(2)), Liveness::thin);
  EXPECT_EQ(checked_liveness(X, Vector{{1.0, -1.0}}), Liveness::live);
}

// The face x'u = 0 may itself be live, thin or zero on the other rows.
TEST(Liveness, OfAFlatConeIsDecidedOnItsFace) {
  Matrix X(4, 3);
  X << 1, 0, 0, -1, 0, 0, 5, 1, 0, 7, 0, 1;
  EXPECT_EQ(checked_liveness(X, Vector::Ones(4)), Liveness::thin);
  X.row(3) << 7, -1, 0;
  EXPECT_EQ(checked_liveness(X, Vector::Ones(4)), Liveness::thin);
  Matrix Y(5, 3);
  Y << 1, 0, 0, -1, 0, 0, 5, 1, 0, 7, -1, 1, -3, -1, -1;
  EXPECT_EQ(checked_liveness(Y, Vector::Ones(5)), Liveness::zero);
}

TEST(Liveness, OfOneDimensionIsTheSignOfTheData) {
  const Matrix X = Vector{{1.0, -2.0, 3.0}};
  EXPECT_EQ(checked_liveness(X, Vector{{1.0, -1.0, 1.0}}), Liveness::live);
  EXPECT_EQ(checked_liveness(X, Vector::Ones(3)), Liveness::zero);
}

TEST(Liveness, IgnoresZeroRows) {
  Matrix X(3, 2);
  X << 0, 0, 1, 1, 0, 0;
  EXPECT_EQ(checked_liveness(X, Vector{{-1.0, -1.0, 1.0}}), Liveness::live);
  EXPECT_EQ(decide_liveness(Matrix::Zero(3, 2), -Vector::Ones(3)).liveness, Liveness::live);
  EXPECT_EQ(decide_liveness(Matrix(0, 2), Vector(0)).liveness, Liveness::live);
}

TEST(Liveness, OfPatternsWithAKnownDirectionIsLive) {
  for (const Matrix& X : {plane_samples(60, 2), normal_samples(200, 6, 2), normal_samples(60, 40, 2)}) {
    const PatternSet patterns = make_patterns("gaussian", X, {.count = 60}).patterns;
    for (Index i = 0; i < patterns.count(); ++i) {
      EXPECT_EQ(checked_liveness(X, signs_of(patterns, i)), Liveness::live);
    }
  }
}

// The direction that made a pattern is anywhere in its cone; the witness should be away from the walls.
TEST(Liveness, GivesWitnessesBetterThanRandomDirections) {
  const Matrix X = normal_samples(200, 6, 2);
  const PatternSet patterns = make_patterns("gaussian", X, {.count = 60}).patterns;
  int better = 0;
  for (Index i = 0; i < patterns.count(); ++i) {
    const Vector signs = signs_of(patterns, i);
    better += margin(X, signs, decide_liveness(X, signs).witness) > margin(X, signs, patterns.witness(i));
  }
  EXPECT_GE(better, 54);
}

// The exact enumeration knows the live patterns; flipping a few samples makes others, most of them dead.
TEST(Liveness, AgreesWithTheExactEnumeration) {
  Random random(3);
  Matrix grid(36, 3);
  for (Index k = 0; k < 36; ++k) grid.row(k) << static_cast<double>(k / 6), static_cast<double>(k % 6), 1;
  Matrix scaled = plane_samples(40, 6);
  scaled.col(0) *= 1e8;
  scaled.col(1) *= 1e-7;
  for (const Matrix& X : {plane_samples(100, 6), grid, scaled, normal_samples(15, 5, 6)}) {
    const PatternSet all = make_patterns("all", X).patterns;
    int live = 0;
    for (int trial = 0; trial < 400; ++trial) {
      Vector signs = signs_of(all, random.below(all.count()));
      for (Index flips = random.below(3); flips > 0; --flips) signs(random.below(X.rows())) *= -1;
      PatternSet candidate(X.rows());
      candidate.add(signs);
      const bool expected = all.contains(candidate.words(0));
      live += expected;
      EXPECT_EQ(checked_liveness(X, signs) == Liveness::live, expected);
    }
    EXPECT_GT(live, 100);
    EXPECT_LT(live, 350);
  }
}

// Rows (1, delta) and (-1, delta) leave a wedge of half-angle delta around (0, 1), and none at all around (0, -1).
TEST(Liveness, FindsVeryNarrowCones) {
  for (const double delta : {1e-3, 1e-6, 1e-9}) {
    Matrix X(3, 2);
    X << 1, delta, -1, delta, 0, 1;
    EXPECT_EQ(checked_liveness(X, Vector::Ones(3)), Liveness::live) << delta;
    EXPECT_EQ(checked_liveness(X, Vector{{1.0, 1.0, -1.0}}), Liveness::zero) << delta;
  }
}

TEST(Liveness, RefusesSignsThatDoNotFit) {
  EXPECT_THROW(decide_liveness(Matrix::Ones(3, 2), Vector::Ones(2)), std::invalid_argument);
  EXPECT_THROW(decide_liveness(Matrix::Ones(3, 2), Vector::Zero(3)), std::invalid_argument);
  EXPECT_THROW(decide_liveness(Matrix(3, 0), Vector::Ones(3)), std::invalid_argument);
}

}  // namespace
}  // namespace conelu
