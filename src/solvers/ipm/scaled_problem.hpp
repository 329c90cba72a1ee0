#pragma once

#include <vector>

#include "conelu/certificate.hpp"

namespace conelu::ipm {

/// The program in the units in which it is solved: rows of X of length about 1, penalty weight 1.
///
/// With u' = c u, X' = X / c and the objective divided by beta / c the optimum is the same point. Samples with equal
/// rows share their output and their cone row, so they are solved as one group; the zero row, if any, is the last group
/// and has no cone row.
class ScaledProblem {
 public:
  explicit ScaledProblem(const Program& program);

  Index samples() const { return y.size(); }
  Index groups() const { return X.rows(); }
  Index cone_rows() const { return unit_rows.rows(); }
  Index dimension() const { return X.cols(); }
  Index patterns() const { return activations.cols(); }
  Index blocks() const { return 2 * patterns(); }

  /// Writes blocks and multipliers in the program's own units.
  void unscale(const Matrix& U, const Vector& nu, const Matrix& lambda, Matrix& blocks_out, DualPoint& dual_out) const;

  const Loss& loss;
  Matrix X;                     // groups x d
  Matrix unit_rows;             // cone rows x d: x_k / |x_k|
  Matrix activations;           // groups x P
  Matrix signs;                 // cone rows x P: 2 d - 1
  Matrix witnesses;             // d x P, unit length, strictly inside the cones
  Vector y;                     // n
  Vector weights;               // n: of each sample's loss
  std::vector<Index> group_of;  // n

 private:
  std::vector<Index> representatives_;  // groups: one sample of each
  double data_scale_;
  double beta_;
};

}  // namespace conelu::ipm
