#include "solvers/ipm/newton.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "linalg/random.hpp"
#include "problems/problems.hpp"
#include "solvers/ipm/cone_scaling.hpp"
#include "solvers/ipm/coupling.hpp"
#include "solvers/ipm/near_rows.hpp"

namespace conelu::ipm {
namespace {

/// The rows through which the solver sees a sample: two, of which a loss with one has the second as a copy.
Loss::Kinks rows_of(const ScaledProblem& problem, Index sample) {
  Loss::Kinks kinks = problem.loss.kinks(problem.y(sample));
  if (kinks.count == 1) {
    kinks.slope[1] = kinks.slope[0];
    kinks.offset[1] = kinks.offset[0];
  }
  return kinks;
}

/// e_k x_k / |x_k| of the rows that a block is worked with.
Matrix cone_of(const ScaledProblem& problem, Index block) {
  if (problem.selective()) return problem.near_rows_of(block / 2);
  return problem.signs.col(block / 2).asDiagonal() * problem.unit_rows;
}

/// A strictly interior primal-dual point, far from any central path.
Iterate interior_point(const Program& program, const ScaledProblem& problem, const SampleTerms& samples,
                       std::uint64_t seed) {
  Random random(seed, 1);
  Iterate at(problem);
  samples.start(1.0, Matrix::Zero(problem.groups(), 2), at);
  const Matrix U = problems::random_feasible_blocks(program, 1.0, seed);
  for (Index j = 0; j < problem.blocks(); ++j) {
    at.U.col(j) = U.col(j) + 0.1 * program.witnesses().col(program.pattern_of(j));
    at.s.col(j) = cone_of(problem, j) * at.U.col(j);
    at.t(j) = at.U.col(j).norm() + random.uniform() + 0.01;
    for (Index k = 0; k < problem.cone_rows(); ++k) at.lambda(k, j) = 0.01 + random.uniform();
    for (Index a = 0; a < problem.dimension(); ++a) at.zeta(a, j) = random.normal();
    at.zeta0(j) = 1;
    at.zeta.col(j) *= 0.99 * random.uniform() / at.zeta.col(j).norm();
  }
  Matrix Z(problem.dimension(), problem.patterns()), F(problem.groups(), problem.patterns());
  outputs(problem, at.U, Z, F, at.f);
  if (samples.has_rows()) {
    for (Index k = 0; k < problem.samples(); ++k) {
      const Loss::Kinks kinks = rows_of(problem, k);
      const double steepest = std::min(1.0, 0.4 * problem.loss.slope_limit() * problem.weights(k));
      const double f = at.f(problem.group_of[static_cast<std::size_t>(k)]);
      at.r(k) =
          std::max(kinks.slope[0] * f + kinks.offset[0], kinks.slope[1] * f + kinks.offset[1]) + 0.1 + random.uniform();
      for (int i = 0; i < 2; ++i) {
        at.h(k, i) = at.r(k) - kinks.slope[i] * f - kinks.offset[i];
        at.pi(k, i) = steepest * (0.1 + random.uniform());
      }
    }
  }
  samples.update_nu(at);
  return at;
}

class EveryLossNewton : public testing::TestWithParam<std::tuple<std::string, Index, Index, Index>> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryLossNewton,
                         testing::Combine(testing::ValuesIn(loss_names()), testing::Values(6, 40, 200),
                                          testing::Values(3, 25), testing::Values(2, 7)));

// The step satisfies the linearised optimality conditions, checked equation by equation without any elimination.
TEST_P(EveryLossNewton, SolvesTheLinearisedOptimalityConditions) {
  const auto& [loss, n, d, patterns] = GetParam();
  const Program program = problems::random_program(loss, n, d, patterns, 0.1, 5);
  ScaledProblem problem(program);
  NearRows(problem).choose();
  EXPECT_EQ(problem.selective(), n == 200 && d == 3);
  SampleTerms samples(problem);
  const std::unique_ptr<Newton> newton = make_output_newton(problem, samples, 2);
  const Iterate at = interior_point(program, problem, samples, 3);
  const double sigma_mu = 0.37;
  Iterate step(problem);
  ASSERT_TRUE(newton->factor(at, 1e-12));
  newton->solve(at, sigma_mu, nullptr, step);

  // Linear complementarity: s dlambda + lambda ds = sigma mu - s lambda, with ds = E X du.
  Matrix ds(problem.cone_rows(), problem.blocks());
  for (Index j = 0; j < problem.blocks(); ++j) ds.col(j) = cone_of(problem, j) * step.U.col(j);
  EXPECT_LE((ds - step.s).norm(), 1e-11 * (1 + ds.norm()));
  const Matrix linear = at.s.cwiseProduct(step.lambda) + at.lambda.cwiseProduct(step.s) + at.s.cwiseProduct(at.lambda) -
                        Matrix::Constant(at.s.rows(), at.s.cols(), sigma_mu);
  EXPECT_LE(linear.cwiseAbs().maxCoeff(), 1e-9);

  const Vector nu = at.nu + step.nu;
  for (Index j = 0; j < problem.blocks(); ++j) {
    const double sigma = j % 2 == 0 ? 1 : -1;
    const Vector stationarity = -cone_of(problem, j).transpose() * (at.lambda.col(j) + step.lambda.col(j)) -
                                at.zeta.col(j) - step.zeta.col(j) +
                                sigma * problem.X.transpose() * nu.cwiseProduct(problem.activations.col(j / 2));
    EXPECT_LE(stationarity.norm(), 1e-8) << "block " << j;

    // The scaling point: W = eta [q0 q1'; q1 I + q1 q1'/(1 + q0)] maps z to W^-1 s. Built here from its definition as
    // the unique matrix of that form; then l o (W dz + W^-1 ds) = sigma mu e - l o l.
    const Index m = problem.dimension() + 1;
    Vector s(m), z(m), s_step(m), z_step(m);
    s << at.t(j), at.U.col(j);
    z << 1, at.zeta.col(j);
    s_step << step.t(j), step.U.col(j);
    z_step << 0, step.zeta.col(j);
    Vector J = -Vector::Ones(m);
    J(0) = 1;
    const double s_length = std::sqrt(s.dot(J.cwiseProduct(s)));
    const double z_length = std::sqrt(z.dot(J.cwiseProduct(z)));
    Vector q = s / s_length + J.cwiseProduct(z) / z_length;
    q /= std::sqrt(q.dot(J.cwiseProduct(q)));
    Matrix W = Matrix::Identity(m, m);
    W.row(0) = q.transpose();
    W.col(0) = q;
    W.bottomRightCorner(m - 1, m - 1) += q.tail(m - 1) * q.tail(m - 1).transpose() / (1 + q(0));
    W *= std::sqrt(s_length / z_length);
    const Vector l = W * z;
    const Matrix inverse = W.inverse();
    EXPECT_LE((inverse * s - l).norm(), 1e-9 * l.norm());
    const Vector sum = W * z_step + inverse * s_step;
    Vector product(m), square(m);
    product << l.dot(sum), l(0) * sum.tail(m - 1) + sum(0) * l.tail(m - 1);
    square << l.squaredNorm(), 2 * l(0) * l.tail(m - 1);
    Vector right = -square;
    right(0) += sigma_mu;
    EXPECT_LE((product - right).norm(), 1e-8 * (1 + right.norm())) << "block " << j;
  }

  // Outputs follow the blocks.
  Matrix Z(problem.dimension(), problem.patterns()), F(problem.groups(), problem.patterns());
  Vector df(problem.groups());
  outputs(problem, step.U, Z, F, df);
  EXPECT_LE((df - step.f).norm(), 1e-9 * (1 + df.norm()));
  if (!samples.has_rows()) return;
  for (Index k = 0; k < problem.samples(); ++k) {
    const Loss::Kinks kinks = rows_of(problem, k);
    const double weight = problem.weights(k);
    double multipliers = 0;
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(step.h(k, i), step.r(k) - kinks.slope[i] * df(problem.group_of[static_cast<std::size_t>(k)]), 1e-9);
      EXPECT_NEAR(at.h(k, i) * step.pi(k, i) + at.pi(k, i) * step.h(k, i),
                  samples.emphasis() * sigma_mu - at.h(k, i) * at.pi(k, i), 1e-8);
      multipliers += at.pi(k, i) + step.pi(k, i);
    }
    // If the slope saturates, its mean curvature between r and the point where it is what the multipliers say.
    const double now = problem.loss.cost_slope(at.r(k));
    double curvature = problem.loss.cost_curvature(at.r(k));
    if (std::isfinite(problem.loss.slope_limit())) {
      const double multiplier = (at.pi(k, 0) + at.pi(k, 1)) / weight;
      curvature = (now - multiplier) / (at.r(k) - problem.loss.inverse_slope(multiplier));
    }
    const double slope = now + curvature * step.r(k);
    EXPECT_NEAR(multipliers, weight * slope, 1e-8);
  }
}

TEST(ConeStep, EndsOnTheBoundaryOfTheCone) {
  Random random(1, 2);
  for (int trial = 0; trial < 1000; ++trial) {
    Vector x(4), d(4);
    for (Index a = 0; a < 4; ++a) x(a) = random.normal(), d(a) = 3 * random.normal();
    const double x0 = x.norm() + 0.01 + random.uniform();
    const double d0 = 3 * random.normal();
    const double alpha = cone_step(x0, x, d0, d);
    ASSERT_GT(alpha, 0);
    ASSERT_LE(alpha, 1);
    const auto slack = [&](double a) { return x0 + a * d0 - (x + a * d).norm(); };
    EXPECT_GE(slack(0.999999 * alpha), 0);
    if (alpha < 1) {
      EXPECT_NEAR(slack(alpha), 0, 1e-9);
    }
  }
}

}  // namespace
}  // namespace conelu::ipm
