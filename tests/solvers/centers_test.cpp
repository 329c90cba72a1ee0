#include "solvers/ipm/centers.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "problems/problems.hpp"

// The analytic centre of a cone maximises sum_k log e_k x_k'u - n |u|^2 / 2, so that sum_k e_k x_k / e_k x_k'u = n u.
namespace conelu {
namespace {

/// Length of the Newton step that is left at u.
double decrement(const Matrix& rows, const Vector& u) {
  const double n = static_cast<double>(rows.rows());
  const Vector inverse = (rows * u).cwiseInverse();
  const Matrix scaled = inverse.asDiagonal() * rows;
  const Matrix H = scaled.transpose() * scaled + n * Matrix::Identity(u.size(), u.size());
  const Vector slope = rows.transpose() * inverse - n * u;
  return std::sqrt(slope.dot(H.llt().solve(slope)));
}

class EveryDistance : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(OfTwoRows, EveryDistance, testing::Values(1.0, 1e-2, 1e-4, 1e-6, 1e-7));

// Two rows at a distance and hyperplanes between them, in so many dimensions that single precision would be faster.
TEST_P(EveryDistance, LeavesTheCentreWhereItIs) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    problems::Points points = problems::random_points(120, 80, false, true, seed);
    const Matrix other = problems::random_points(9, 80, false, true, seed + 10).X;
    points.X.row(1) = points.X.row(0) + GetParam() * other.row(8);
    const Vector middle = 0.5 * (points.X.row(0) + points.X.row(1));
    PatternSet patterns(120);
    for (Index i = 0; i < 8; ++i) {
      const Vector w = other.row(i);
      patterns.add(points.X * (w - w.dot(middle) / middle.squaredNorm() * middle));
    }
    const Program program(points.X, points.y, Vector(), make_loss("hinge"), 1e-3, patterns);
    const ipm::ScaledProblem problem(program);
    const Matrix centers = ipm::analytic_centers(problem).directions;
    for (Index i = 0; i < problem.patterns(); ++i) {
      const Matrix rows = problem.signs.col(i).asDiagonal() * problem.unit_rows;
      EXPECT_LT(decrement(rows, centers.col(i)), 0.5) << "seed " << seed << ", pattern " << i;
    }
  }
}

}  // namespace
}  // namespace conelu
