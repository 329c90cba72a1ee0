#include "solvers/ipm/pattern_sums.hpp"

#include <omp.h>

#include <atomic>

#include "linalg/dense.hpp"

namespace conelu::ipm {

using dense::Op;

PatternSums::PatternSums(const ScaledProblem& problem)
    : problem_(problem),
      ratios_(problem.dimension(), problem.dimension() * problem.patterns()),
      sums_(ratios_.rows(), ratios_.cols()),
      roots_(ratios_.rows(), ratios_.cols()),
      m_(problem.dimension(), problem.patterns()),
      t_(problem.dimension(), problem.patterns()) {}

bool PatternSums::factor(const BlockFactors& blocks, double regularization, Matrix& system) {
  const Index d = problem_.dimension();
  std::atomic<bool> positive{true};
  system.setZero();
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < problem_.patterns(); ++i) {
    const auto L_v = blocks.lower(2 * i);
    auto K = ratios_.middleCols(i * d, d);
    auto C = sums_.middleCols(i * d, d);
    auto Q = roots_.middleCols(i * d, d);
    K.setZero();
    Q.setZero();
    for (Index a = 0; a < d; ++a) {
      K.col(a).tail(d - a) = L_v.col(a).tail(d - a);
      Q.row(a).tail(d - a) = L_v.col(a).tail(d - a).transpose();
    }
    dense::solve_lower(Op::none, blocks.lower(2 * i + 1), K);
    C.setIdentity();
    dense::rank_update(1.0, Op::transpose, K, 1.0, C);
    C.diagonal() *= 1.0 + regularization;
    if (!dense::cholesky(C)) positive = false;
    dense::solve_lower(Op::none, C, Q);
    dense::rank_update(1.0, Op::transpose, Q, 0.0, system.block(i * d, i * d, d, d));
  }
  return positive;
}

void PatternSums::join(const BlockFactors& blocks, Matrix& R, double share, Matrix& G) {
  const Index d = problem_.dimension();
  // With a = L_v^-1 R_v, c = L_w^-1 R_w and m = a - K'c the right side is Q'C^-1 m: no H^-1 R, which may be huge where
  // N is tiny.
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < problem_.patterns(); ++i) {
    dense::solve_lower(Op::none, blocks.lower(2 * i), R.col(2 * i));
    dense::solve_lower(Op::none, blocks.lower(2 * i + 1), R.col(2 * i + 1));
    m_.col(i) = R.col(2 * i);
    dense::multiply_vector(-1.0, Op::transpose, ratios_.middleCols(i * d, d), R.col(2 * i + 1), 1.0, m_.col(i));
    t_.col(i) = m_.col(i);
    dense::solve_lower(Op::none, sums_.middleCols(i * d, d), t_.col(i));
    dense::multiply_vector(1.0, Op::transpose, roots_.middleCols(i * d, d), t_.col(i), share, G.col(i));
  }
}

void PatternSums::separate(const BlockFactors& blocks, const Matrix& R, const Matrix& Z, Matrix& du) {
  const Index d = problem_.dimension();
  // dv = L_v^-T (a - t), dw = L_w^-T (c + K t), t = (I + K'K)^-1 (m - L_v'z), so dv - dw = z.
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < problem_.patterns(); ++i) {
    const auto L_v = blocks.lower(2 * i);
    auto t = t_.col(i);
    for (Index a = 0; a < d; ++a) t(a) = m_(a, i) - L_v.col(a).tail(d - a).dot(Z.col(i).tail(d - a));
    dense::solve_cholesky(sums_.middleCols(i * d, d), t);
    du.col(2 * i) = R.col(2 * i) - t;
    du.col(2 * i + 1) = R.col(2 * i + 1);
    dense::multiply_vector(1.0, Op::none, ratios_.middleCols(i * d, d), t, 1.0, du.col(2 * i + 1));
    dense::solve_lower(Op::transpose, L_v, du.col(2 * i));
    dense::solve_lower(Op::transpose, blocks.lower(2 * i + 1), du.col(2 * i + 1));
  }
}

}  // namespace conelu::ipm
