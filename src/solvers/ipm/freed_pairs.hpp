#pragma once

#include "solvers/ipm/block_factors.hpp"
#include "solvers/ipm/cell_terms.hpp"
#include "solvers/ipm/iterate.hpp"
#include "solvers/ipm/steps.hpp"

namespace conelu::ipm {

/// Freed pairs in a Newton step: xi >= g, xi >= 0 with g = tau_j - e_jk x_k'u_j, and the sum of the xi of a sample on
/// one side (up: blocks v, down: blocks w) is what the attacker gains there.
///
/// With weights a = lambda / s and b = omega / xi, eliminating xi leaves
/// - in block j a row like that of a kept pair, of weight a b / (a + b);
/// - in the sample's sum the soft gate p = a / (a + b) of dg, and a compliance 1 / (a + b) per unit of the side's
///   multiplier N, which acts in series with the loss: (Theta^-1 + C)^-1 instead of Theta.
///
/// Where every block is bounded by itself, an open gate adds tau_j - x_k'u_j to the side that its block helps.
class FreedPairs {
 public:
  explicit FreedPairs(const ScaledProblem& problem);

  /// Sets gates and compliances, and the entries of `weights` (groups x J) that belong to freed pairs.
  void linearize(const Iterate& at, Matrix& weights);
  /// Theta of the losses becomes that of the losses in series with the pairs.
  void put_in_series(Matrix& side_theta, Vector& across_theta);

  void set_target(const Iterate& at, double sigma_mu, const Iterate* affine);
  void correct_target(const Iterate& at, const Iterate& direction, Steps trial, double lower, double upper);
  /// Sets the entries of `rows` (groups x J) that belong to freed pairs: the targets of the rows in the blocks.
  void set_row_targets(Matrix& rows) const;
  /// The losses' targets become those of the series; to be called after put_in_series with its result.
  void put_targets_in_series(const Matrix& side_theta, const Vector& across_theta, Matrix& side_target);

  const Matrix& gates() const { return gates_; }  // groups x J, 0 where the pair is not freed
  /// What the pairs add to the sides of the samples (groups x 2): the sums of p (c'du + dtau' - e x'du), p = 1 for open
  /// gates.
  void pull(const BlockFactors& blocks, const Matrix& du, const Vector& dtau, Matrix& extra);
  /// The transpose: R_j -= sum_k p_jk N_k (c_j - e_jk x_k) and, with a threat, R'_j -= sum_k p_jk N_k.
  void push(const BlockFactors& blocks, const Matrix& N, Matrix& R, Vector& R_tau);
  /// b becomes the step that the losses see, given that of the series and its multipliers N.
  void sides_of_losses(const Matrix& N, Matrix& b) const;
  /// Given dg in direction.s (as -dg) and N, completes ds, dxi, dlambda and domega of the freed pairs.
  void complete(const Iterate& at, const Matrix& N, Iterate& direction) const;

 private:
  struct Series {
    double a, b, x, c_up, c_down;
    double determinant = 0;
    double sum = 0;
  };
  Series series(Index group) const;
  bool freed(Index group, Index block) const { return is_freed_(group, block) > 0; }

  const ScaledProblem& problem_;
  Matrix is_freed_;                    // groups x J: 1 where freed
  Matrix gates_, closed_;              // a / (a + b) and b / (a + b)
  Matrix compliance_;                  // 1 / (a + b)
  Matrix over_target_, floor_target_;  // of xi - g and of xi
  Matrix side_compliance_;             // groups x 2
  Matrix side_offset_;                 // groups x 2: the sums of xi at dg = 0, N = 0
  Matrix scratch_;                     // groups x J
  // Theta of the losses alone, for the targets
  Matrix loss_theta_;
  Vector loss_across_;
};

}  // namespace conelu::ipm
