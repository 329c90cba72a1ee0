#include "gates/certified_batch.hpp"

#include <gtest/gtest.h>

#include "linalg/random.hpp"
#include "problems/problems.hpp"

namespace conelu {
namespace {

/// Six blocks, ten samples, radii of which the last, of the bias, is 0.
struct Batch {
  LossPointer loss;
  Threat threat;
  Matrix points, U;
  Vector y, weights;

  Batch(const std::string& name, Norm norm, double eps, std::uint64_t seed)
      : loss(make_loss(name)), threat(Threat::uniform(norm, eps, 3, true)) {
    const problems::Points data = problems::random_points(10, 4, true, loss->is_margin_loss(), seed);
    points = data.X.transpose();
    y = data.y;
    Random random(seed, 11);
    U = Matrix::NullaryExpr(4, 6, [&] { return 0.5 * random.normal(); });
    weights = Vector::NullaryExpr(10, [&] { return 0.5 + random.uniform(); });
  }

  double output(const Vector& x) const {
    const Vector active = (U.transpose() * x).cwiseMax(0);
    return active(0) - active(1) + active(2) - active(3) + active(4) - active(5);
  }
  double worst_case(const Matrix& blocks, Method method) const {
    CertifiedBatch batch(*loss, method);
    const Vector bound = batch.bound(blocks, threat, points, y);
    double sum = 0;
    for (Index k = 0; k < y.size(); ++k) sum += weights(k) * loss->value(batch.sides()(k) * bound(k), y(k));
    return sum;
  }
};

class EveryBatch : public testing::TestWithParam<std::tuple<std::string, Norm, Method>> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryBatch,
                         testing::Combine(testing::ValuesIn(loss_names()),
                                          testing::Values(Norm::infinity, Norm::two, Norm::one),
                                          testing::Values(Method::gated, Method::hybrid, Method::separate)),
                         [](const auto& test) {
                           return problems::test_name(std::get<0>(test.param) + "_l" +
                                                      to_string(std::get<1>(test.param)) + "_" +
                                                      to_string(std::get<2>(test.param)));
                         });

// side * f(x + delta) >= bound for attacks on single neurons and for random directions, at the rim of the ball.
TEST_P(EveryBatch, BoundsTheOutputOnTheWholeBall) {
  const auto& [name, norm, method] = GetParam();
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Batch problem(name, norm, 0.3, seed);
    CertifiedBatch batch(*problem.loss, method);
    const Vector bound = batch.bound(problem.U, problem.threat, problem.points, problem.y);
    Random random(seed, 12);
    for (Index k = 0; k < problem.y.size(); ++k) {
      for (int trial = 0; trial < 50; ++trial) {
        const Vector direction = problem.U * Vector::NullaryExpr(6, [&] { return random.normal(); });
        const Vector x = problem.points.col(k) + problem.threat.worst_perturbation(direction);
        EXPECT_GE(batch.sides()(k) * problem.output(x), bound(k) - 1e-12);
      }
    }
  }
}

TEST_P(EveryBatch, IsExactWithoutAnAttacker) {
  const auto& [name, norm, method] = GetParam();
  const Batch problem(name, norm, 0.0, 3);
  CertifiedBatch batch(*problem.loss, method);
  const Vector bound = batch.bound(problem.U, problem.threat, problem.points, problem.y);
  for (Index k = 0; k < problem.y.size(); ++k) {
    EXPECT_NEAR(batch.sides()(k) * bound(k), problem.output(problem.points.col(k)), 1e-12);
  }
}

// The bound has kinks, at which a difference and a slope of one side part: few of all entries may be near one.
TEST_P(EveryBatch, HasTheSlopeOfItsWorstCase) {
  const auto& [name, norm, method] = GetParam();
  const double h = 1e-6;
  int off = 0, all = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Batch problem(name, norm, 0.2, seed);
    Matrix slope = Matrix::Zero(4, 6);
    CertifiedBatch(*problem.loss, method)
        .add_slope(problem.U, problem.threat, problem.points, problem.y, problem.weights, slope);
    for (Index j = 0; j < 6; ++j) {
      for (Index a = 0; a < 4; ++a) {
        Matrix high = problem.U, low = problem.U;
        high(a, j) += h;
        low(a, j) -= h;
        const double difference = (problem.worst_case(high, method) - problem.worst_case(low, method)) / (2 * h);
        off += std::abs(slope(a, j) - difference) > 1e-5 * (1 + slope.norm());
        ++all;
      }
    }
  }
  EXPECT_LE(off, all / 50);
}

}  // namespace
}  // namespace conelu
