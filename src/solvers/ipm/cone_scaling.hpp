#pragma once

#include <algorithm>

#include "solvers/ipm/iterate.hpp"

namespace conelu::ipm {

/// Nesterov-Todd scaling of the second-order cones |u_j| <= t_j.
///
/// For each block W = eta [q0, q1'; q1, I + q1 q1'/(1 + q0)] with q0^2 - |q1|^2 = 1 maps the multiplier to the same
/// point as W^-1 maps the primal: l = W^-1 (t, u) = W (1, zeta).
class ConeScaling {
 public:
  explicit ConeScaling(const ScaledProblem& problem);

  void update(const Iterate& at);

  /// H += what eliminating t_j leaves of W^-2: (I - 2 q1 q1' / (2 q0^2 - 1)) / eta^2, positive definite. Lower
  /// triangle.
  void add_hessian(Index block, Eigen::Ref<Matrix> H) const;
  /// A root of that matrix: B'B, B symmetric.
  void set_root(Index block, Eigen::Ref<Matrix> B) const;
  /// y += that matrix times x
  void apply_hessian(Index block, const Eigen::Ref<const Vector>& x, Eigen::Ref<Vector> y) const;

  /// Sets the right side of the complementarity equation l o (W dz + W^-1 ds) = sigma_mu e - l o l - correction, where
  /// the correction is Mehrotra's (W^-1 ds_a) o (W dz_a) of the affine direction, or nothing.
  void set_target(double sigma_mu, const Iterate* affine);
  /// Gondzio's centrality correction: where the products (W^-1 s) o (W z) after a trial step leave [lower, upper], the
  /// target is moved by what they miss, but by no more than `upper` downwards.
  void correct_target(const Iterate& direction, double primal_step, double dual_step, double lower, double upper);
  /// What the target and the elimination of t_j add to the right side of block j.
  void add_right_side(Index block, Eigen::Ref<Vector> rhs) const;
  /// Given du, completes dt and dzeta.
  void complete(Index block, Iterate& direction) const;

 private:
  Vector q0_, eta_, l0_;
  Vector determinant_;  // l0^2 - |l1|^2, from the unscaled points, where it has not cancelled
  Matrix q1_, l1_;
  void divide_target(Index block);

  Vector r0_, g0_;  // target and W^-1 (l \ target)
  Matrix r1_, g1_;
};

/// Largest alpha <= 1 that keeps (x0, x) + alpha (d0, d) in the cone |x| <= x0.
double cone_step(double x0, const Eigen::Ref<const Vector>& x, double d0, const Eigen::Ref<const Vector>& d);

/// What has to be added to a complementarity product so that it lies in [lower, upper], but no less than -upper.
inline double missing_product(double product, double lower, double upper) {
  return std::max(std::clamp(product, lower, upper) - product, -upper);
}

}  // namespace conelu::ipm
