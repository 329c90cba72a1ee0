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

void PatternSums::reconcile(const BlockFactors& blocks, const Matrix& Z, Matrix& du) {
  const Index d = problem_.dimension();
  // As `separate` for R = 0 and the z that is missing.
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < problem_.patterns(); ++i) {
    const auto L_v = blocks.lower(2 * i);
    auto missing = m_.col(i);
    auto t = t_.col(i);
    missing = Z.col(i) - (du.col(2 * i) - du.col(2 * i + 1));
    for (Index a = 0; a < d; ++a) t(a) = L_v.col(a).tail(d - a).dot(missing.tail(d - a));
    dense::solve_cholesky(sums_.middleCols(i * d, d), t);
    dense::multiply_vector(1.0, Op::none, ratios_.middleCols(i * d, d), t, 0.0, missing);
    dense::solve_lower(Op::transpose, L_v, t);
    dense::solve_lower(Op::transpose, blocks.lower(2 * i + 1), missing);
    du.col(2 * i) += t;
    du.col(2 * i + 1) -= missing;
  }
}

bool PatternSums::factor_totals(double regularization) {
  const Index d = problem_.dimension();
  std::atomic<bool> positive{true};
  totals_.resize(ratios_.rows(), ratios_.cols());
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < problem_.patterns(); ++i) {
    auto D = totals_.middleCols(i * d, d);
    D.setIdentity();
    dense::rank_update(1.0, Op::none, ratios_.middleCols(i * d, d), 1.0, D);
    D.diagonal() *= 1.0 + regularization;
    if (!dense::cholesky(D)) positive = false;
  }
  return positive;
}

void PatternSums::set_totals(const BlockFactors& blocks, const Matrix& R, Matrix& T) const {
  const Index d = problem_.dimension();
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < problem_.patterns(); ++i) {
    T.col(i) = R.col(2 * i) + R.col(2 * i + 1);
    dense::solve_lower(Op::none, blocks.lower(2 * i + 1), T.col(i));
    dense::solve_lower(Op::none, totals_.middleCols(i * d, d), T.col(i));
  }
}

void PatternSums::join_rows(const BlockFactors& blocks, Index pattern, Eigen::Ref<Matrix> V, Eigen::Ref<Matrix> W,
                            Eigen::Ref<Matrix> G) const {
  const Index d = problem_.dimension();
  const auto K = ratios_.middleCols(pattern * d, d);
  // g = G + N (H_v^-1 V - H_w^-1 W): what both blocks have in common, N (H_v^-1 + H_w^-1) G, is not worked out.
  Matrix total = V + W;
  dense::solve_lower(Op::none, blocks.lower(2 * pattern), V);
  dense::solve_lower(Op::none, blocks.lower(2 * pattern + 1), W);
  dense::multiply(-1.0, Op::transpose, K, Op::none, W, 1.0, V);
  dense::solve_lower(Op::none, sums_.middleCols(pattern * d, d), V);
  dense::multiply(1.0, Op::transpose, roots_.middleCols(pattern * d, d), Op::none, V, 1.0, G);
  dense::solve_lower(Op::none, blocks.lower(2 * pattern + 1), total);
  dense::solve_lower(Op::none, totals_.middleCols(pattern * d, d), total);
  V = total;
}

}  // namespace conelu::ipm
