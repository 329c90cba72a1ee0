#include "patterns/separating_directions.hpp"

#include <gtest/gtest.h>

#include "conelu/loss.hpp"
#include "conelu/program.hpp"
#include "patterns/samples.hpp"

//     signs_ki x_k'u_i > 0 for all rows k, for the patterns i that a direction has been found for
namespace conelu {
namespace {

/// Patterns of random directions.
Matrix random_signs(const Matrix& X, Index count, std::uint64_t seed) {
  const Matrix products = X * test::normal_samples(X.cols(), count, seed);
  return products.unaryExpr([](double x) { return x >= 0 ? 1.0 : -1.0; });
}

Matrix directions_of(const Matrix& X, const Matrix& signs) {
  return separating_directions(X, Vector(X.rowwise().norm()), signs);
}

double least_output(const Matrix& X, const Matrix& signs, const Matrix& directions) {
  return (X * directions).cwiseProduct(signs).minCoeff();
}

// More patterns than are worked on at once, rows of very different lengths and a long column.
TEST(SeparatingDirections, HaveEveryPatternOfManyFeatures) {
  Matrix X = test::normal_samples(250, 80, 1);
  for (Index k = 0; k < X.rows(); ++k) X.row(k) *= k % 3 == 0 ? 1e3 : 1e-2;
  X.col(5) *= 10;
  const Matrix signs = random_signs(X, 150, 2);
  EXPECT_GT(least_output(X, signs, directions_of(X, signs)), 0);
}

// x and -x on the same side: no direction, and the other patterns find theirs all the same.
TEST(SeparatingDirections, AreZeroWhereThereIsNone) {
  Matrix X = test::normal_samples(100, 70, 3);
  X.row(99) = -X.row(0);
  Matrix signs = random_signs(X, 5, 4);
  signs(99, 2) = signs(0, 2);
  const Matrix directions = directions_of(X, signs);
  for (Index i = 0; i < signs.cols(); ++i) {
    if (i == 2) {
      EXPECT_TRUE(directions.col(i).isZero(0));
    } else {
      EXPECT_GT(least_output(X, signs.col(i), directions.col(i)), 0);
    }
  }
}

// Rows without length are on no side, and columns may be there twice.
TEST(SeparatingDirections, TakeDegenerateData) {
  Matrix X = test::normal_samples(90, 70, 5);
  X.col(1) = X.col(0);
  X.row(7).setZero();
  const Matrix signs = random_signs(X, 4, 6);
  const Matrix outputs = (X * directions_of(X, signs)).cwiseProduct(signs);
  EXPECT_GT(outputs.topRows(7).minCoeff(), 0);
  EXPECT_GT(outputs.bottomRows(82).minCoeff(), 0);
  EXPECT_TRUE(directions_of(Matrix::Zero(3, 70), Matrix::Ones(3, 2)).isZero(0));
}

// More features than rows: whatever the signs, one step is enough.
TEST(SeparatingDirections, HaveAnyPatternOfMoreFeaturesThanRows) {
  const Matrix X = test::normal_samples(60, 90, 9);
  const Matrix signs = random_signs(test::normal_samples(60, 3, 10), 8, 11);
  EXPECT_GT(least_output(X, signs, directions_of(X, signs)), 0.1 * X.rowwise().norm().minCoeff());
}

// A program keeps the patterns that have an interior, whether they come with a direction (the first), have one that is
// found here (100 rows), or one that a linear program must find (2,000 rows make narrow cones), and drops the others.
TEST(SeparatingDirections, LeaveTheVerdictToTheProgram) {
  for (const Index rows : {100, 2000}) {
    Matrix X = test::normal_samples(rows, 70, 7);
    X.row(1) = -X.row(0);
    const Matrix known = test::normal_samples(70, 4, 8);
    Matrix signs = random_signs(X, 4, 8);
    signs(1, 3) = signs(0, 3);
    const Matrix directions = directions_of(X, signs);
    for (Index i = 0; i < 3; ++i) EXPECT_EQ(directions.col(i).isZero(0), rows == 2000) << rows;
    PatternSet patterns(rows);
    for (Index i = 0; i < signs.cols(); ++i) patterns.add(signs.col(i), i == 0 ? Vector(known.col(0)) : Vector());
    const Vector y = signs.col(0);
    const Program program(X, y, Vector(), make_loss("hinge"), 0.1, patterns);
    ASSERT_EQ(program.patterns(), 3) << rows;
    for (Index i = 0; i < 3; ++i) {
      const Vector e = 2 * program.activations().col(i).array() - 1;
      EXPECT_GT(least_output(X, e, program.witnesses().col(i)), 0) << rows;
    }
  }
}

}  // namespace
}  // namespace conelu
