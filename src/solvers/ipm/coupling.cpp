#include "solvers/ipm/coupling.hpp"

#include <algorithm>

#include "linalg/dense.hpp"

namespace conelu::ipm {

using dense::Op;

void outputs(const ScaledProblem& problem, const Matrix& U, Matrix& Z, Matrix& F, Vector& f) {
  for (Index i = 0; i < problem.patterns(); ++i) Z.col(i) = U.col(2 * i) - U.col(2 * i + 1);
  gated_products(problem, Z, F, f);
}

void gated_products(const ScaledProblem& problem, const Matrix& Z, Matrix& F, Vector& f) {
  f.setZero();
  for (Index first = 0; first < problem.groups(); first += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, problem.groups() - first);
    auto products = F.topRows(count);
    dense::multiply(1.0, Op::none, problem.X.middleRows(first, count), Op::none, Z, 0.0, products);
    for (Index i = 0; i < problem.patterns(); ++i) {
      f.segment(first, count).array() +=
          products.col(i).array() * problem.activations.col(i).segment(first, count).array();
    }
  }
}

void transposed_outputs(const ScaledProblem& problem, const Vector& nu, Matrix& F, Matrix& Y) {
  Y.setZero();
  for (Index first = 0; first < problem.groups(); first += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, problem.groups() - first);
    auto gated = F.topRows(count);
    for (Index i = 0; i < problem.patterns(); ++i) {
      gated.col(i) = problem.activations.col(i).segment(first, count).cwiseProduct(nu.segment(first, count));
    }
    dense::multiply(1.0, Op::transpose, problem.X.middleRows(first, count), Op::none, gated, 1.0, Y);
  }
}

std::unique_ptr<Coupling> make_coupling(const ScaledProblem& problem, int threads) {
  if (problem.groups() <= problem.dimension() * problem.patterns()) return make_sample_coupling(problem, threads);
  return make_pattern_coupling(problem);
}

}  // namespace conelu::ipm
