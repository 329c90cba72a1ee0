#include "solvers/ipm/centers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/gram_sum.hpp"

namespace conelu::ipm {
namespace {

constexpr int kMaxSteps = 30;
// Squares of rows that nearly touch drown a sum in their rounding errors if they are larger than its other part by this.
constexpr double kSingleRange = 1e6;
constexpr double kCentred = 0.2;  // Newton decrement at which the rest is the solver's business

/// One pattern's centre. With the multipliers of all slacks at 1 / slack, a Newton step of the barrier is one of the
/// solver's own steps for the block, with n I in the place of the penalty.
class Centering {
 public:
  Centering(const ScaledProblem& problem, Index pattern)
      : problem_(problem),
        rows_(problem.signs.col(pattern).asDiagonal() * problem.unit_rows),
        norms_(problem.robust ? make_norm_cones(problem.norm, problem.radii, 1) : nullptr),
        u_(problem.witnesses.col(pattern)),
        inverse_slack_(problem.unit_rows.rows()),
        H_(problem.dimension(), problem.dimension()),
        step_(problem.dimension()) {
    products_ = rows_.rows() * u_;
    if (!norms_) return;
    const double norm = Threat{problem.norm, problem.radii}.worst_change(u_);
    tau_ = norm + 0.5 * (products_.minCoeff() - norm);
    point_ = norms_->make_point();
  }

  void run() {
    for (int i = 0; i < kMaxSteps; ++i) {
      const double decrement = newton_step();
      if (!std::isfinite(decrement)) return;
      const double share = norms_ ? 1 / (1 + decrement) : best_share(decrement);
      u_ += share * step_;
      tau_ += share * tau_step_;
      products_ = rows_.rows() * u_;
      if (decrement < kCentred) return;
    }
  }

  bool inside() const {
    const double norm = norms_ ? Threat{problem_.norm, problem_.radii}.worst_change(u_) : 0.0;
    return u_.allFinite() && products_.minCoeff() > tau_ && (!norms_ || tau_ > norm);
  }
  const Vector& direction() const { return u_; }
  double tau() const { return tau_; }

 private:
  /// How much of the step minimises the barrier, from the share 1 / (1 + decrement) on that stays inside the cone, as
  /// the function is self-concordant; so is its restriction to the line, which is searched with the same rule.
  double best_share(double decrement) const {
    const double n = static_cast<double>(problem_.unit_rows.rows());
    const double along = n * u_.dot(step_), across = n * step_.squaredNorm();
    double share = 1 / (1 + decrement);
    for (int i = 0; i < 20; ++i) {
      const auto ratio = change_.array() / (1 + share * change_.array());
      const double slope = along + share * across - ratio.sum();
      const double curvature = across + ratio.square().sum();
      if (!(curvature > 0)) break;  // there is nowhere to go
      const double step = -slope / curvature;
      const double length = std::fabs(step) * std::sqrt(curvature);
      share += step / (1 + length);
      if (length < 0.1) break;
    }
    return share;
  }

  /// Sets the full step, returns the Newton decrement.
  double newton_step() {
    const Index d = problem_.dimension();
    const double n = static_cast<double>(problem_.unit_rows.rows());
    inverse_slack_ =
        (products_.array() - tau_).inverse();  // weights are the squares of these, targets these themselves
    Vector center = Vector::Zero(d);
    double mass = 0;
    if (norms_) {
      norms_->start(0, u_, tau_, 1.0, point_);
      norms_->update(point_);
      norms_->set_target(point_, 1.0, nullptr);
      mass = inverse_slack_.squaredNorm() + norms_->kappa()(0);
      center = rows_.rows().transpose() * inverse_slack_.cwiseAbs2();
      center = (center + norms_->kappa()(0) * norms_->anchors().col(0)) / mass;
    }
    step_ = rows_.rows().transpose() * inverse_slack_ - inverse_slack_.sum() * center - n * u_;
    double rest = 0;
    if (norms_) {
      const double push = norms_->kappa()(0) * norms_->shifts()(0);
      step_ += norms_->linear().col(0) - push * (norms_->anchors().col(0) - center);
      rest = (push - inverse_slack_.sum()) / mass;
    }
    const bool exact = inverse_slack_.maxCoeff() * inverse_slack_.maxCoeff() > kSingleRange * n;
    if (!factor_hessian(exact, center) && (exact || !factor_hessian(true, center))) {
      return std::numeric_limits<double>::infinity();
    }
    dense::solve_cholesky(H_, step_);
    tau_step_ = norms_ ? center.dot(step_) + rest : 0.0;
    change_ = ((rows_.rows() * step_).array() - tau_step_) * inverse_slack_.array();
    double squares = change_.squaredNorm() + n * step_.squaredNorm();
    if (norms_) squares += norms_->squared_length(0, step_, tau_step_);
    return std::sqrt(squares);
  }

  bool factor_hessian(bool exact, const Vector& center) {
    H_.setZero();
    rows_.add(exact, inverse_slack_, center, H_);
    H_.diagonal().array() += static_cast<double>(problem_.unit_rows.rows());
    if (norms_) {
      const Vector offset = norms_->anchors().col(0) - center;
      for (Index b = 0; b < offset.size(); ++b) H_.col(b) += (norms_->kappa()(0) * offset(b)) * offset;
      norms_->add_hessian(0, H_);
    }
    return dense::cholesky(H_);
  }

  const ScaledProblem& problem_;
  GramSum rows_;
  std::unique_ptr<NormCones> norms_;
  NormPoint point_;
  Vector u_, products_, inverse_slack_, change_;
  double tau_ = 0;
  double tau_step_ = 0;
  Matrix H_;
  Vector step_;
};

}  // namespace

Centers analytic_centers(const ScaledProblem& problem) {
  Centers centers{problem.witnesses, Vector::Zero(problem.patterns())};
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < problem.patterns(); ++i) {
    Centering centering(problem, i);
    centers.tau(i) = centering.tau();
    centering.run();
    if (!centering.inside()) continue;
    const double length = centering.direction().norm();
    centers.directions.col(i) = centering.direction() / length;
    centers.tau(i) = centering.tau() / length;
  }
  return centers;
}

}  // namespace conelu::ipm
