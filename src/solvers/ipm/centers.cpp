#include "solvers/ipm/centers.hpp"

#include <cmath>

#include "linalg/dense.hpp"

namespace conelu::ipm {
namespace {

constexpr int kMaxSteps = 30;
constexpr double kCentred = 0.5;  // Newton decrement at which the rest is the solver's business

void center(const ScaledProblem& problem, Index pattern, Eigen::Ref<Vector> u) {
  const Index d = problem.dimension();
  const double n = static_cast<double>(problem.cone_rows());
  const auto signs = problem.signs.col(pattern);
  Vector slack(problem.cone_rows());
  Vector gradient(d);
  Vector step(d);
  Matrix scaled(problem.cone_rows(), d);
  Matrix H(d, d);
  for (int i = 0; i < kMaxSteps; ++i) {
    dense::multiply_vector(1.0, dense::Op::none, problem.unit_rows, u, 0.0, slack);
    slack = slack.cwiseProduct(signs).cwiseInverse();
    for (Index a = 0; a < d; ++a) scaled.col(a) = problem.unit_rows.col(a).cwiseProduct(slack);
    dense::multiply_vector(1.0, dense::Op::transpose, scaled, signs, 0.0, gradient);
    gradient = n * u - gradient;
    dense::rank_update(1.0, dense::Op::transpose, scaled, 0.0, H);
    H.diagonal().array() += n;
    if (!dense::cholesky(H)) return;
    step = gradient;
    dense::solve_cholesky(H, step);
    const double decrement = std::sqrt(gradient.dot(step));
    if (!std::isfinite(decrement)) return;
    // The function is self-concordant: this step stays inside the cone, and inside the well-conditioned part of it.
    u -= step / (1.0 + decrement);
    if (decrement < kCentred) return;
  }
}

}  // namespace

Matrix analytic_centers(const ScaledProblem& problem) {
  Matrix centers = problem.witnesses;
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < problem.patterns(); ++i) {
    center(problem, i, centers.col(i));
    const double length = centers.col(i).norm();
    const bool inside = (problem.unit_rows * centers.col(i)).cwiseProduct(problem.signs.col(i)).minCoeff() > 0;
    if (inside && std::isfinite(length)) {
      centers.col(i) /= length;
    } else {
      centers.col(i) = problem.witnesses.col(i);
    }
  }
  return centers;
}

}  // namespace conelu::ipm
