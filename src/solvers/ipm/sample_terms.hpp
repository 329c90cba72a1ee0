#pragma once

#include <cmath>

#include "solvers/ipm/iterate.hpp"
#include "solvers/ipm/steps.hpp"

namespace conelu::ipm {

/// What the losses contribute to a Newton step once r_k and its multipliers are eliminated.
///
/// The loss at a sample sees its output through b_up, by which its highest value rises, and b_down, by which its lowest
/// value falls; without a threat these are df and -df. With rows of weight w = pi / h on either side, w_0 of rows that
/// see neither, and a cost of curvature c, the multipliers of the two sides become
///
///     up:    theta_up b_up + theta_across (b_up - b_down) + target_up          (down: likewise)
///     theta_up = w_up (c + w_0) / w,   theta_across = w_up w_down / w,   w = c + w_0 + w_up + w_down:
///
/// positive terms only. Samples of a group add up. Without a threat dnu = theta df + kappa is the difference of the
/// two.
class SampleTerms {
 public:
  explicit SampleTerms(const ScaledProblem& problem);

  /// True if the loss is seen through rows with multipliers, not as a smooth function of f.
  bool has_rows() const { return has_rows_; }
  /// True if the loss has no curvature anywhere, so that primal and dual steps may differ.
  bool is_piecewise_linear() const { return problem_.loss.has_linear_cost(); }
  /// What the products pi h are aimed at, over those of all other pairs: samples that settle on a side of their kink
  /// while the blocks are still far from their places must all change it later, a few in every short step.
  double emphasis() const { return emphasis_; }
  /// Towards the end nobody changes sides any more, and large products are all that is left of the gap.
  void set_emphasis(double gap);
  /// The size of outputs at which the loss differs from its value at 0 by about itself.
  double output_scale() const;

  /// Output 0, r above the kinks by `margin` if the outputs may rise and fall by `reach` (groups x 2),
  /// multipliers with equal products pi h and no residual. Returns a complementarity product for other pairs that suits
  /// the loss: the mean of these, without their emphasis.
  double start(double margin, const Matrix& reach, Iterate& at) const;
  /// Slacks after `reach` has become smaller by `relief`.
  void relieve(const Matrix& relief, Iterate& at) const;
  /// nu from pi, or from f for smooth losses: sample by sample, and summed over groups.
  void sample_nu(const Iterate& at, Vector& nu) const;
  void update_nu(Iterate& at) const;
  /// mu, the sum of the multipliers of both sides, sample by sample.
  void sample_mu(const Iterate& at, Vector& mu) const;

  /// Longest steps, at most 1, that keep slacks and multipliers inside.
  Steps longest_steps(const Iterate& at, const Iterate& direction) const;

  /// What a residual of 1 of a group's multiplier costs, in the units of the blocks' residuals. Of a steep loss it is a
  /// small error of the step that the loss sees: worth the multiplier times that, shared among the lengths of the
  /// blocks. Of a flat one it is an error of the gradient itself.
  void set_leeway(const Iterate& at, const Vector& steepness, Vector& leeway) const;

  void linearize(const Iterate& at);
  /// After a dual step: a slope that saturates stays below its limit. There is no barrier there, so one sample whose
  /// step leads beyond would hold back all others; it stops on its own instead, and the next step makes up for it.
  void hold_below_limit(const Iterate& direction, double step, Iterate& at) const;
  void set_target(const Iterate& at, double sigma_mu, const Iterate* affine);
  /// Centrality correction, see ConeScaling::correct_target.
  void correct_target(const Iterate& at, const Iterate& direction, Steps trial, double lower, double upper);
  /// Given the steps of both sides (groups x 2: up, down), completes dr, dh and dpi.
  void complete(const Iterate& at, const Matrix& sides, Iterate& direction) const;
  /// The same without a threat, from direction.f.
  void complete(const Iterate& at, Iterate& direction) const;

  const Matrix& side_theta() const { return side_theta_; }      // groups x 2
  const Vector& across_theta() const { return across_theta_; }  // groups
  const Matrix& side_target() const { return side_target_; }    // groups x 2
  const Vector& theta() const { return theta_; }                // groups
  const Vector& kappa() const { return kappa_; }                // groups

 private:
  enum Side { up, down, neither };
  Side side(Index sample, int row) const;
  void eliminate(const Iterate& at);
  /// Of the cost at r. A slope that saturates is flat far off, and its derivative there leads nowhere: its mean between
  /// r and the point where it has the multiplier's value, which it will have in the end, leads there.
  double curvature(double r, double multiplier) const;
  /// True if the slope of the cost has a limit that multipliers must stay below.
  bool saturates() const { return std::isfinite(problem_.loss.slope_limit()); }

  const ScaledProblem& problem_;
  std::vector<Loss::Kinks> kinks_;  // n
  bool has_rows_;
  double largest_emphasis_, emphasis_;
  Matrix side_theta_, side_target_;
  Vector across_theta_;
  Vector theta_, kappa_;
  Vector curvature_;      // n: of the cost, weighted
  Vector slope_;          // n: of the cost at r, weighted
  Matrix target_;         // n x 2: (sigma mu - correction) / h
  mutable Vector nu_;     // n: scratch of update_nu
  mutable Matrix sides_;  // groups x 2: scratch of complete
};

/// A subgradient of phi(., y) at output 0.
double slope_at_zero(const Loss& loss, double y);

}  // namespace conelu::ipm
