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

 private:
  const ScaledProblem& problem_;
  Matrix ratios_, sums_, roots_;  // d x (P d): K, C with C C' = I + K'K, and Q = C^-1 L_v', so that N = Q'Q
  Matrix m_, t_;                  // d x P
};

}  // namespace conelu::ipm
