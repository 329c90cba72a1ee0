#pragma once

#include "solvers/ipm/block_factors.hpp"

namespace conelu::ipm {

/// The two blocks of a pattern seen from their difference z = v - w: H_v dv + y = R_v, H_w dw - y = R_w has
///
///     N z + y = g,   N = (H_v^-1 + H_w^-1)^-1 = L_v (I + K'K)^-1 L_v',   K = L_w^-1 L_v.
///
/// Everything goes through the factors: N b and H^-1 b themselves lose all digits near the end of a solve.
class PatternSums {
 public:
  explicit PatternSums(const ScaledProblem& problem);

  /// Sets the diagonal blocks of `system` (lower triangle, size P d) to N_i. False if a factor failed.
  bool factor(const BlockFactors& blocks, double regularization, Matrix& system);
  /// Column i of G becomes g_i, plus `share` times what it was. R becomes L^-1 R, for `separate`.
  void join(const BlockFactors& blocks, Matrix& R, double share, Matrix& G);
  /// dv and dw from z, after `join`.
  void separate(const BlockFactors& blocks, const Matrix& R, const Matrix& Z, Matrix& du);
  /// Takes from du what rounding has made of dv - dw - z: each solve with a block of its own has errors of its own.
  void reconcile(const BlockFactors& blocks, const Matrix& Z, Matrix& du);

  /// What z does not see: R'H^-1 R = g'N^-1 g + |t|^2 with t a root of (H_v + H_w)^-1 times R_v + R_w. To be called
  /// after `factor` and before what follows. False if a factor failed.
  bool factor_totals(double regularization);
  /// Column i of T becomes t_i.
  void set_totals(const BlockFactors& blocks, const Matrix& R, Matrix& T) const;
  /// Many right sides of a pattern at once, as R_v = G + V and R_w = W - G: G becomes g and V becomes t. W is scratch.
  void join_rows(const BlockFactors& blocks, Index pattern, Eigen::Ref<Matrix> V, Eigen::Ref<Matrix> W,
                 Eigen::Ref<Matrix> G) const;

 private:
  const ScaledProblem& problem_;
  Matrix ratios_, sums_, roots_;  // d x (P d): K, C with C C' = I + K'K, and Q = C^-1 L_v', so that N = Q'Q
  Matrix totals_;                 // d x (P d): lower triangular, of I + K K'; H_v + H_w = L_w (I + K K') L_w'
  Matrix m_, t_;                  // d x P
};

}  // namespace conelu::ipm
