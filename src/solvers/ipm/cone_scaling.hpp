#pragma once

#include <algorithm>

#include "solvers/ipm/iterate.hpp"

namespace conelu::ipm {

/// Points (x0, x) of second-order cones |x| <= x0, one a column, and their multipliers (z0, z).
struct ConePoints {
  const Vector& x0;
  const Matrix& x;
  const Vector& z0;
  const Matrix& z;
};

/// Nesterov-Todd scaling of many second-order cones.
///
/// For each of them W = eta [q0, q1'; q1, I + q1 q1'/(1 + q0)] with q0^2 - |q1|^2 = 1 maps the multiplier to the same
/// point as W^-1 maps the primal: l = W^-1 (x0, x) = W (z0, z).
class ConeScaling {
 public:
  ConeScaling(Index dimension, Index count);

  void update(const ConePoints& at);

  /// What W^-2 is of (x0, x): kappa (x0 - m'x)^2 + x'S x, the last below.
  double kappa(Index cone) const { return (2.0 * q0_(cone) * q0_(cone) - 1.0) / (eta_(cone) * eta_(cone)); }
  void set_anchor(Index cone, Eigen::Ref<Vector> m) const;

  /// H += what eliminating x0 leaves of W^-2: S = (I - 2 q1 q1' / (2 q0^2 - 1)) / eta^2, positive definite. Lower
  /// triangle.
  void add_hessian(Index block, Eigen::Ref<Matrix> H) const;
  /// A root of that matrix: B'B, B symmetric.
  void set_root(Index block, Eigen::Ref<Matrix> B) const;
  /// y += that matrix times x
  void apply_hessian(Index block, const Eigen::Ref<const Vector>& x, Eigen::Ref<Vector> y) const;

  /// Sets the right side of the complementarity equation l o (W dz + W^-1 ds) = sigma_mu e - l o l - correction, where
  /// the correction is Mehrotra's (W^-1 ds_a) o (W dz_a) of the affine direction, or nothing.
  void set_target(double sigma_mu, const ConePoints* affine);
  /// Gondzio's centrality correction: where the products (W^-1 s) o (W z) after a trial step leave [lower, upper], the
  /// target is moved by what they miss, but by no more than `upper` downwards.
  void correct_target(const ConePoints& direction, double primal_step, double dual_step, double lower, double upper);
  /// The multiplier moves by g - W^-2 (dx0, dx), where g comes from the target.
  double target0(Index cone) const { return g0_(cone); }
  Eigen::Ref<const Vector> target(Index cone) const { return g1_.col(cone); }
  /// Given the primal step, sets that of the multiplier.
  void complete(Index cone, double dx0, const Eigen::Ref<const Vector>& dx, double& dz0, Eigen::Ref<Vector> dz) const;

  // Where the multiplier of x0 is fixed, as for t_j, which has weight 1 in the objective:
  /// What the target and the elimination of x0 add to the right side.
  void add_right_side(Index cone, Eigen::Ref<Vector> rhs) const;
  /// The dx0 that keeps the multiplier of x0 where it is.
  double free_step(Index cone, const Eigen::Ref<const Vector>& dx) const;

 private:
  Vector q0_, eta_, l0_;
  Vector determinant_;  // l0^2 - |l1|^2, from the unscaled points, where it has not cancelled
  Matrix q1_, l1_;
  void divide_target(Index cone);

  Vector r0_, g0_;  // target and W^-1 (l \ target)
  Matrix r1_, g1_;
};

/// The cones |u_j| <= t_j of the penalty at a point or in a direction, and what a Newton step does with them.
inline ConePoints penalty_cones(const Iterate& at) { return {at.t, at.U, at.zeta0, at.zeta}; }
void set_penalty_target(double sigma_mu, const Iterate* affine, ConeScaling& cones);
void complete_penalty(const ConeScaling& cones, Index block, Iterate& direction);

/// Largest alpha <= 1 that keeps (x0, x) + alpha (d0, d) in the cone |x| <= x0.
double cone_step(double x0, const Eigen::Ref<const Vector>& x, double d0, const Eigen::Ref<const Vector>& d);

/// What has to be added to a complementarity product so that it lies in [lower, upper], but no less than -upper.
inline double missing_product(double product, double lower, double upper) {
  return std::max(std::clamp(product, lower, upper) - product, -upper);
}

}  // namespace conelu::ipm
