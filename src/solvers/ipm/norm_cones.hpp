#pragma once

#include <memory>

#include "conelu/threat.hpp"
#include "solvers/ipm/norm_point.hpp"
#include "solvers/ipm/steps.hpp"

namespace conelu::ipm {

/// The cones rho_c >= |v_c|_q of many vectors v_c = eps o x_c, and what they leave of a Newton step.
///
/// Blocks and cells of samples both have one each. In a Newton step such a cone, its own variables eliminated, is
///
///     kappa/2 (drho - m'dx - shift)^2 + dx'S dx / 2 - l'dx,       S positive semidefinite,
///
/// so that inequalities in (x, rho) only have to be centred at m to stay sums of positive terms.
class NormCones {
 public:
  NormCones(const Vector& radii, Index columns);
  virtual ~NormCones() = default;

  Index columns() const { return columns_; }
  /// Points as NormPoint: how many complementarity products there are.
  virtual Index products() const = 0;
  /// All zero: a direction that goes nowhere, or a point to be started.
  virtual NormPoint make_point() const = 0;

  /// A point with vector x, the given rho > |eps o x|_q and all products equal to mu.
  virtual void start(Index column, const Eigen::Ref<const Vector>& x, double rho, double mu, NormPoint& at) const = 0;

  virtual void update(const NormPoint& at) = 0;
  const Vector& kappa() const { return kappa_; }      // columns
  const Matrix& anchors() const { return anchors_; }  // d x columns: m
  /// H += S, lower triangle.
  virtual void add_hessian(Index column, Eigen::Ref<Matrix> H) const = 0;
  /// y += S x
  virtual void apply_hessian(Index column, const Eigen::Ref<const Vector>& x, Eigen::Ref<Vector> y) const = 0;
  /// Rows B, d or fewer of them, with B'B = S; those behind are zero.
  virtual void set_root(Index column, Eigen::Ref<Matrix> B) const = 0;

  virtual void set_target(const NormPoint& at, double sigma_mu, const NormPoint* affine) = 0;
  /// Centrality correction, see ConeScaling::correct_target.
  virtual void correct_target(const NormPoint& at, const NormPoint& direction, Steps trial, double lower,
                              double upper) = 0;
  const Vector& shifts() const { return shifts_; }  // columns
  const Matrix& linear() const { return linear_; }  // d x columns: l
  /// Completes the direction, given dx, drho, the multiplier chi that rho ends up with and S dx. Multipliers come from
  /// the latter two; slacks of large weight follow their multipliers, others dx and drho.
  virtual void complete(const NormPoint& at, Index column, const Eigen::Ref<const Vector>& dx, double drho, double chi,
                        const Eigen::Ref<const Vector>& spring, NormPoint& direction) const = 0;

  /// After `update`: the square of a step's length in the metric of the cone, its own variables where they are best.
  double squared_length(Index column, const Eigen::Ref<const Vector>& dx, double drho) const;

  virtual Steps longest_steps(const NormPoint& at, const NormPoint& direction) const = 0;
  /// Sum of the products after the given steps; `direction` may be null.
  virtual double product_sum(const NormPoint& at, const NormPoint* direction, Steps steps) const = 0;
  /// What the cone's multipliers add to the gradient in x_c, with the sign of an attack on it: x_c'delta is rho_c times
  /// the multiplier of rho_c where the cone binds.
  virtual void set_attack(const NormPoint& at, Index column, Eigen::Ref<Vector> delta) const = 0;

 protected:
  Index reach() const { return static_cast<Index>(features_.size()); }
  double radius(Index r) const { return radii_(r); }
  Index feature(Index r) const { return features_[static_cast<std::size_t>(r)]; }

  Vector kappa_, shifts_;
  Matrix anchors_, linear_;

 private:
  Index columns_;
  Index dimension_;
  std::vector<Index> features_;  // those that can be perturbed
  Vector radii_;                 // of these
};

std::unique_ptr<NormCones> make_norm_cones(Norm norm, const Vector& radii, Index columns);

}  // namespace conelu::ipm
