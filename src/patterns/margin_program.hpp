#pragma once

#include "conelu/linear_algebra.hpp"

namespace conelu {

/// The largest margin t that one direction has to all of the unit rows a_k:
///
///     maximise t   subject to  a_k'u >= t,  |u|_inf <= 1
///     minimise |A'y|_1   subject to  y >= 0,  sum y = 1              (its dual)
///
/// by Mehrotra's predictor-corrector method, one step a call. Every iterate is feasible on both sides: `margin` and
/// `bound` enclose the optimum at any time. In the limit y_k > 0 exactly for the rows that are tight in all optimal
/// directions (strict complementarity), which is what tells a flat cone's walls.
class MarginProgram {
 public:
  /// A must have at least one row; rows have unit length.
  explicit MarginProgram(const Matrix& A);

  /// One step; m d^2 work. False if it failed, and the iterate is as good as it gets.
  bool advance();

  double margin() const;  ///< min_k a_k'u / |u|_inf <= t*; minus infinity at u = 0
  double bound() const;   ///< |A'y|_1 >= t*
  Eigen::Ref<const Vector> direction() const { return point_.head(dimension_); }
  Eigen::Ref<const Vector> multipliers() const { return duals_.head(rows_); }
  Eigen::Ref<const Vector> slacks() const { return slacks_.head(rows_); }

 private:
  /// C (u, t) for the rows of all inequalities C x + h >= 0: a_k'u - t, -u, u
  Vector constraints(const Vector& x) const;
  Vector constraints_transposed(const Vector& duals) const;
  void update_slacks();
  bool factor();
  /// The Newton step for complementarity residual `target`; duals from the slacks' step.
  void solve(const Vector& target, Vector& step, Vector& slack_step, Vector& dual_step) const;

  Index rows_;
  Index dimension_;
  Matrix A_;       ///< m x (d + 1): unit rows and a last column of -1 for t
  Vector point_;   ///< (u, t)
  Vector slacks_;  ///< m + 2 d, of the rows, then 1 - u, then 1 + u
  Vector duals_;   ///< of the same
  Matrix weighted_;
  Matrix factor_;
};

}  // namespace conelu
