#pragma once

#include <memory>
#include <utility>

#include "evaluate/verify/region.hpp"
#include "patterns/unit_ball.hpp"

namespace conelu::verification {

/// The smallest value over a region of a convex function that is linear up to hinges,
///
///     minimise  s'v + sum_j alpha_j (t_j + w_j'v)_+              over v in the region
///     maximise  t'g + min { (s + W g)'v : v in the region }      over 0 <= g <= alpha         (its dual)
///
/// by Mehrotra's predictor-corrector method, one step a call. Every iterate is feasible on both sides: `value` and
/// `bound` enclose the optimum at any time, up to rounding. A half-space is the hinge of its violation with a large
/// alpha, so that no problem is infeasible.
class HingeProgram {
 public:
  /// The columns of W are the w_j. alpha must be positive, and the region more than a point.
  HingeProgram(const Region& region, Vector slope, Matrix W, Vector t, Vector alpha);

  /// One step. False if it failed, and the iterate is as good as it gets.
  bool advance();

  double value() const;
  double bound() const;
  const Vector& point() const { return v_; }
  const Vector& alpha() const { return alpha_; }
  Eigen::Ref<const Vector> multipliers() const { return duals_.segment(hinges_, hinges_); }  ///< g

 private:
  struct Step {
    Vector v, unknowns, slacks, duals;
  };
  void start();
  void update_slacks();
  bool is_inside(const Vector& values) const;
  bool factor();
  void assemble();
  /// The Newton step to the duals `aim` - weights o (step of the slacks), which are feasible.
  void solve(const Vector& aim, Step& step);
  void solve_newton(Vector& rhs);
  Vector solve_by_hinges(const Vector& rhs) const;
  double longest_step(const Vector& value, const Vector& change) const;
  /// Of slacks and duals. On a round ball steps of different lengths spoil the complementarity.
  std::pair<double, double> longest_steps(const Step& step) const;
  /// The duals to aim at for complementarity mu, corrected for the products of that step's parts.
  Vector aim_at(double mu, const Step& step) const;

  Index ball_size() const { return ball_ ? ball_->size() : 0; }
  double degree() const { return static_cast<double>(rows_) + (ball_ ? ball_->degree() : 0.0); }

  const Region& region_;
  Vector s_;
  Matrix W_;
  Vector t_, alpha_;
  std::unique_ptr<UnitBall> ball_;  // none for p = infinity
  Index dimension_, hinges_, boxed_, rows_;
  bool few_hinges_;  // for so many features that the Newton system is better solved with one row a hinge

  Vector v_, unknowns_;  // the point, and what the ball needs beside it
  Vector z_;             // t + W'v
  // p >= (z)_+ of the hinges, p - z, highest - v, v - lowest, the ball's; the duals of the first two are alpha - g and
  // g.
  Vector slacks_, duals_;
  Vector weights_;  // duals over slacks, without the ball's
  Vector omega_;    // what the two slacks of a hinge weigh together
  Vector box_;      // what those of a feature do
  Matrix weighted_, factor_;
};

}  // namespace conelu::verification
