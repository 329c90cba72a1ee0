#include "conelu/program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "problems/problems.hpp"

namespace conelu {
namespace {

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

// f_k = sum_i d_ik x_k'(v_i - w_i), written out entry by entry.
TEST(Program, OutputsAreTheSumOverActivePatterns) {
  const Program program = problems::random_program("squared", 15, 4, 6, 0.1, 2);
  const Matrix U = problems::random_feasible_blocks(program, 1.0, 3);
  const Vector f = program.outputs(U);
  for (Index k = 0; k < program.samples(); ++k) {
    double sum = 0;
    for (Index i = 0; i < program.patterns(); ++i) {
      for (Index a = 0; a < program.dimension(); ++a) {
        sum += program.activations()(k, i) * program.X()(k, a) * (U(a, 2 * i) - U(a, 2 * i + 1));
      }
    }
    EXPECT_NEAR(f(k), sum, 1e-12);
  }
}

TEST(Program, HingeIsAveragedOverTheWeightsAndSquaredIsASum) {
  const problems::Points points = problems::random_points(4, 2, true, true, 1);
  const Vector weights = Eigen::Vector4d(1, 2, 3, 4);
  const PatternSet patterns = make_patterns("gaussian", points.X).patterns;
  const Program hinge(points.X, points.y, weights, make_loss("hinge"), 0.1, patterns);
  const Program squared(points.X, points.y, weights, make_loss("squared"), 0.1, patterns);
  EXPECT_NEAR(hinge.loss_value(Vector::Zero(4)), 1.0, 1e-15);
  EXPECT_NEAR(squared.loss_value(Vector::Zero(4)), 0.5 * 10, 1e-14);
}

// A pattern that no direction has (the three rows point 120 degrees apart, all active) carries nothing.
TEST(Program, DropsDeadPatternsAndCountsThem) {
  Matrix X(3, 2);
  X << 1, 0, -0.5, std::sqrt(0.75), -0.5, -std::sqrt(0.75);
  PatternSet patterns(3);
  patterns.add(Vector::Ones(3));             // zero cone
  patterns.add(Eigen::Vector3d(1, -1, -1));  // live
  patterns.add(-Vector::Ones(3));            // zero cone and active nowhere
  const Program program(X, Eigen::Vector3d(1, -1, 1), Vector(), make_loss("hinge"), 0.1, patterns);
  EXPECT_EQ(program.given_patterns(), 3);
  EXPECT_EQ(program.patterns(), 1);
  EXPECT_EQ(program.thin_patterns(), 0);
}

TEST(Program, CountsThinPatternsApart) {
  Matrix X(2, 2);
  X << 1, 0, -1, 0;
  PatternSet patterns(2);
  patterns.add(Vector::Ones(2));  // u orthogonal to both rows is all there is
  patterns.add(Eigen::Vector2d(1, -1));
  const Program program(X, Eigen::Vector2d(1, -1), Vector(), make_loss("hinge"), 0.1, patterns);
  EXPECT_EQ(program.patterns(), 1);
  EXPECT_EQ(program.thin_patterns(), 1);
}

TEST(Program, LeavesOutSamplesOfWeightZero) {
  const problems::Points points = problems::random_points(10, 3, true, true, 5);
  Vector weights = Vector::Ones(10);
  weights(3) = weights(7) = 0;
  const Program program(points.X, points.y, weights, make_loss("hinge"), 0.1,
                        make_patterns("gaussian", points.X).patterns);
  EXPECT_EQ(program.samples(), 8);
  EXPECT_EQ(program.X().row(3), points.X.row(4));
}

TEST(Program, NamesTheArgumentThatDoesNotFit) {
  const problems::Points points = problems::random_points(6, 2, true, true, 1);
  const PatternSet patterns = make_patterns("gaussian", points.X).patterns;
  const auto make = [&](const Matrix& X, const Vector& y, const Vector& weights, double beta, const PatternSet& set) {
    return error_of([&] { Program(X, y, weights, make_loss("hinge"), beta, set); });
  };
  EXPECT_EQ(make(points.X, points.y, Vector(), 0.1, patterns), "no error");
  for (const double beta : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_EQ(make(points.X, points.y, Vector(), beta, patterns).rfind("beta: is ", 0), 0U) << beta;
  }
  EXPECT_EQ(make(points.X, points.y.head(5), Vector(), 0.1, patterns),
            "y: has 5 entries, expected 6, one per row of X");
  EXPECT_EQ(make(points.X, Vector::Constant(6, 2.0), Vector(), 0.1, patterns),
            "y: entry 0 is 2, expected -1 or +1 for the hinge loss");
  EXPECT_EQ(make(points.X, points.y, Vector::Constant(6, -1.0), 0.1, patterns),
            "weights: entry 0 is -1, expected a finite number >= 0");
  EXPECT_EQ(make(points.X, points.y, Vector::Zero(6), 0.1, patterns),
            "weights: all are 0, expected at least one sample with a positive weight");
  EXPECT_EQ(make(points.X, points.y, Vector(), 0.1, PatternSet(5)), "no error") << "no patterns at all fit any X";
  PatternSet five(5);
  five.add(Vector::Ones(5));
  EXPECT_EQ(make(points.X, points.y, Vector(), 0.1, five), "patterns: are for 5 samples, expected 6, one per row of X");
  EXPECT_EQ(make(points.X * 1e-170, points.y, Vector(), 0.1, patterns).rfind("X: row 0 has length ", 0), 0U)
      << "squares would underflow and bounds with them";
  EXPECT_EQ(make(points.X, points.y, Vector(), 1e-300, patterns),
            "beta: is 1e-300, expected a number from 1e-60 to 1e+60");
  Matrix X = points.X;
  X(4, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(make(X, points.y, Vector(), 0.1, patterns), "X: entry (4, 1) is nan, expected a finite number");
  EXPECT_EQ(make(Matrix(0, 2), Vector(), Vector(), 0.1, PatternSet(0)), "X: has no rows, expected at least one sample");
}

}  // namespace
}  // namespace conelu
