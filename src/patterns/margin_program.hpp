#pragma once

#include <memory>
#include <utility>

#include "linalg/gram_sum.hpp"
#include "patterns/unit_ball.hpp"

namespace conelu {

/// The largest margin t that one direction of limited length has to all of the rows a_k:
///
///     maximise t   subject to  a_k'v >= t,  |v_P|_q <= 1,  |v_F|_inf <= 1
///     minimise |(A'y)_P|_p + |(A'y)_F|_1   subject to  y >= 0,  sum y = 1              (its dual)
///
/// where P are the leading columns, if any, that an attacker with norm p can perturb (in units of the radii), F the
/// others. By Mehrotra's predictor-corrector method, one step a call. Every iterate is feasible on both sides: `margin`
/// and `bound` enclose the optimum at any time. In the limit y_k > 0 exactly for the rows that are tight in all optimal
/// directions (strict complementarity), which is what tells a flat cone's walls.
class MarginProgram {
 public:
  /// A must have at least one row; the longest should have about unit length.
  explicit MarginProgram(const Matrix& A, Norm norm = Norm::infinity, Index perturbed = 0);

  /// One step; m d^2 work. False if it failed, and the iterate is as good as it gets.
  bool advance();

  double margin() const;  ///< min_k a_k'v / max(|v_P|_q, |v_F|_inf) <= t*; minus infinity at v = 0
  double bound() const;   ///< |(A'y)_P|_p + |(A'y)_F|_1 >= t*
  Eigen::Ref<const Vector> direction() const { return point_.head(dimension_); }
  Eigen::Ref<const Vector> multipliers() const { return duals_.head(rows_); }
  Eigen::Ref<const Vector> slacks() const { return slacks_.head(rows_); }

 private:
  struct Step {
    Vector point, slacks, duals;
  };
  /// The slacks of all conditions but for their constants: a_k'v - t, then -v and v of the boxed columns, then the
  /// ball's
  Vector constraints(const Vector& x) const;
  void update_slacks();
  /// Of the Newton system; false if it is not positive definite.
  bool factor();
  bool factor(bool exact);
  /// The duals to aim at for complementarity mu, corrected for the products of that step's parts.
  Vector aim_at(double mu, const Step& step) const;
  /// The Newton step to the duals `aim` - weights o (step of the slacks), which are feasible.
  void solve(Vector aim, Step& step);
  double longest_step(const Vector& value, const Vector& change) const;
  /// Of the primal and the dual side. On a round ball steps of different lengths spoil the complementarity, and the
  /// method may end up going back and forth.
  std::pair<double, double> longest_steps(const Step& step) const;
  bool is_inside(const Vector& value) const;

  Index ball_size() const { return ball_ ? ball_->size() : 0; }
  Index unknowns() const { return ball_ ? ball_->unknowns() : 0; }  ///< of the ball

  Index rows_;
  Index dimension_;
  Threat reach_;                    ///< of the leading columns, with unit radii
  std::unique_ptr<UnitBall> ball_;  ///< none if all columns are boxed
  Index boxed_;                     ///< columns, the last ones
  Index inequalities_;              ///< rows and two per boxed column
  GramSum A_;                       ///< of m x (d + 1): rows and a last column of -1 for t
  Vector point_;                    ///< v, t, unknowns of the ball
  Vector slacks_;                   ///< of the rows, then 1 - v, then 1 + v, then the ball's
  Vector duals_;                    ///< of the same
  Vector weights_;                  ///< duals over slacks of the inequalities
  Matrix factor_;
};

}  // namespace conelu
