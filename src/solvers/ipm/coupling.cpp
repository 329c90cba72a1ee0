#include "solvers/ipm/coupling.hpp"

#include "linalg/dense.hpp"

namespace conelu::ipm {

using dense::Op;

void outputs(const ScaledProblem& problem, const Matrix& U, Matrix& Z, Matrix& F, Vector& f) {
  for (Index i = 0; i < problem.patterns(); ++i) Z.col(i) = U.col(2 * i) - U.col(2 * i + 1);
  dense::multiply(1.0, Op::none, problem.X, Op::none, Z, 0.0, F);
  f.setZero();
  for (Index i = 0; i < problem.patterns(); ++i) f.array() += F.col(i).array() * problem.activations.col(i).array();
}

void transposed_outputs(const ScaledProblem& problem, const Vector& nu, Matrix& F, Matrix& Y) {
  for (Index i = 0; i < problem.patterns(); ++i) F.col(i) = problem.activations.col(i).cwiseProduct(nu);
  dense::multiply(1.0, Op::transpose, problem.X, Op::none, F, 0.0, Y);
}

std::unique_ptr<Coupling> make_coupling(const ScaledProblem& problem, int threads) {
  if (problem.groups() <= problem.dimension() * problem.patterns()) return make_sample_coupling(problem, threads);
  return make_pattern_coupling(problem);
}

}  // namespace conelu::ipm
