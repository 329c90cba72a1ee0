#pragma once

#include "solvers/ipm/coupling.hpp"
#include "solvers/ipm/step_length.hpp"

namespace conelu::ipm {

/// Newton steps of the optimality conditions: factor once an iteration, solve for several right sides.
class Newton {
 public:
  Newton(const ScaledProblem& problem, SampleTerms& samples, double accuracy, int threads);

  /// False if a factor failed.
  bool factor(const Iterate& at);
  /// The direction towards complementarity products of sigma_mu, with Mehrotra's correction if `affine` is given.
  void solve(const Iterate& at, double sigma_mu, const Iterate* affine, Iterate& direction);
  /// Gondzio's centrality correction of the direction solved for last: products that a trial step brings outside
  /// [lower, upper] are aimed back. `corrected` is a complete new direction.
  void correct(const Iterate& at, const Iterate& direction, Steps trial, double lower, double upper,
               Iterate& corrected);

 private:
  void set_target(const Iterate& at, double sigma_mu, const Iterate* affine);
  void set_right_side(const Iterate& at);
  void solve_for_target(const Iterate& at, Iterate& direction);
  /// Fills the residuals of the block equations and of dnu = theta df + kappa; returns the largest of the former, in
  /// units of the penalty's dual ball. Leaves E X^ du in direction.s.
  double compute_residual(Iterate& direction);

  static constexpr int kMaxRefinements = 5;

  const ScaledProblem& problem_;
  SampleTerms& samples_;
  double accuracy_;  // residual that a solve should reach
  ConeScaling cones_;
  BlockFactors blocks_;
  std::unique_ptr<Coupling> coupling_;
  Matrix target_;                             // cone rows x J: (sigma mu - correction) / s
  Matrix rows_;                               // cone rows x J: scratch
  Matrix right_, residual_, step_;            // d x J
  Matrix pattern_scratch_, outputs_scratch_;  // d x P, groups x P
  Vector kappa_, kappa_residual_, nu_step_;   // groups
  Vector output_error_;                       // groups: the samples' copy of the outputs minus those of U
};

}  // namespace conelu::ipm
