#pragma once

#include "solvers/ipm/iterate.hpp"

namespace conelu::ipm {

/// What each sample's loss contributes to a Newton step once r_k and its multipliers are eliminated:
/// the derivative nu of the loss with respect to the output moves by  dnu = theta df + kappa.
///
/// With rows of weight w_i = pi_i / h_i and slope p_i and a cost of curvature c
///
///     theta = (c sum_i w_i p_i^2 + w_1 w_2 (p_1 - p_2)^2) / (c + w_1 + w_2),
///
/// a sum of positive terms; for a smooth loss theta is its second derivative. Samples of a group add up.
class SampleTerms {
 public:
  explicit SampleTerms(const ScaledProblem& problem);

  bool has_kinks() const { return has_kinks_; }
  /// True if the loss has no curvature anywhere, so that primal and dual steps may differ.
  bool is_piecewise_linear() const { return is_piecewise_linear_; }
  /// The size of outputs at which the loss differs from its value at 0 by about itself.
  double output_scale() const;

  /// Output 0, r above the kinks by `margin`, multipliers with equal products pi h and no residual. Returns a
  /// complementarity product that suits the loss: the mean of these.
  double start(double margin, Iterate& at) const;
  /// nu from pi, or from f for smooth losses: sample by sample, and summed over groups.
  void sample_nu(const Iterate& at, Vector& nu) const;
  void update_nu(Iterate& at) const;

  void linearize(const Iterate& at);
  void set_target(const Iterate& at, double sigma_mu, const Iterate* affine);
  /// Centrality correction, see ConeScaling::correct_target.
  void correct_target(const Iterate& at, const Iterate& direction, double primal_step, double dual_step, double lower,
                      double upper);
  /// Given df, completes dr, dh and dpi.
  void complete(const Iterate& at, Iterate& direction) const;

  const Vector& theta() const { return theta_; }  // groups
  const Vector& kappa() const { return kappa_; }  // groups

 private:
  void eliminate(const Iterate& at);

  const ScaledProblem& problem_;
  std::vector<Loss::Kinks> kinks_;  // n
  bool has_kinks_;
  bool is_piecewise_linear_;
  Vector theta_, kappa_;
  Vector curvature_;   // n: of the cost, weighted
  Matrix target_;      // n x 2: (sigma mu - correction) / h
  mutable Vector nu_;  // n: scratch of update_nu
};

/// A subgradient of phi(., y) at output 0.
double slope_at_zero(const Loss& loss, double y);

}  // namespace conelu::ipm
