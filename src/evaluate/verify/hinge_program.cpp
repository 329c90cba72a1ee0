#include "evaluate/verify/hinge_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "linalg/dense.hpp"

namespace conelu::verification {
namespace {

constexpr double kStayInside = 0.995;
// Of the average slope of the terms: measured to save a step or two over more and less.
constexpr double kStartComplementarity = 0.1;

std::unique_ptr<UnitBall> make_ball(Norm norm, Index dimension) {
  switch (norm) {
    case Norm::infinity:
      break;
    case Norm::two:
      return make_dual_ball(Norm::two, dimension);
    case Norm::one:
      return make_dual_ball(Norm::infinity, dimension);  // the cross-polytope
  }
  return nullptr;
}

/// p and q with p - q = z and 1 / p + 1 / q = 1 / m.
std::pair<double, double> central_slacks(double z, double m) {
  const double size = std::abs(z);
  const double smaller = m + 2 * m * m / (std::hypot(2 * m, z) + size);
  return z > 0 ? std::pair(smaller + size, smaller) : std::pair(smaller, smaller + size);
}

}  // namespace

HingeProgram::HingeProgram(const Region& region, Vector slope, Matrix W, Vector t, Vector alpha)
    : region_(region),
      s_(std::move(slope)),
      W_(std::move(W)),
      t_(std::move(t)),
      alpha_(std::move(alpha)),
      ball_(make_ball(region.norm(), region.dimension())),
      dimension_(region.dimension()),
      hinges_(t_.size()),
      boxed_(region.is_boxed() ? dimension_ : 0),
      rows_(2 * hinges_ + 2 * boxed_),
      few_hinges_(!ball_ && 2 * hinges_ < dimension_) {
  start();
}

/// The hinges are on the central path; the duals of the region are those that balance theirs.
void HingeProgram::start() {
  double spread = s_.lpNorm<1>() / static_cast<double>(dimension_);
  if (hinges_ > 0) spread += (W_ * alpha_.asDiagonal()).lpNorm<1>() / static_cast<double>(hinges_);
  const double mu = std::max(kStartComplementarity * spread, std::numeric_limits<double>::min());

  v_ = region_.center();
  slacks_.resize(rows_ + ball_size());
  duals_.resize(slacks_.size());
  z_ = t_ + W_.transpose() * v_;
  for (Index j = 0; j < hinges_; ++j) {
    const auto [p, q] = central_slacks(z_(j), mu / alpha_(j));
    slacks_(j) = p;
    duals_(j) = alpha_(j) * q / (p + q);
    duals_(hinges_ + j) = alpha_(j) * p / (p + q);
  }
  const Vector r = s_ + W_ * multipliers();
  duals_.segment(2 * hinges_, 2 * boxed_).setConstant(mu);
  if (ball_) {
    unknowns_ = ball_->start(v_);
    duals_.tail(ball_size()) = ball_->start_duals(-r, mu);
  } else {
    duals_.segment(2 * hinges_, boxed_) += (-r).cwiseMax(0.0);
    duals_.tail(boxed_) += r.cwiseMax(0.0);
  }
  update_slacks();
}

/// From v, from what the ball has beside it and from the p of the hinges.
void HingeProgram::update_slacks() {
  z_ = t_;
  z_.noalias() += W_.transpose() * v_;
  slacks_.segment(hinges_, hinges_) = slacks_.head(hinges_) - z_;
  if (boxed_ > 0) {
    slacks_.segment(2 * hinges_, boxed_) = region_.highest() - v_;
    slacks_.segment(2 * hinges_ + boxed_, boxed_) = v_ - region_.lowest();
  }
  if (ball_) {
    ball_->slacks(v_, unknowns_, slacks_.tail(ball_size()));
    slacks_.tail(ball_size()) += ball_->constant();
  }
}

double HingeProgram::value() const { return s_.dot(v_) + alpha_.dot(z_.cwiseMax(0.0)); }

double HingeProgram::bound() const { return t_.dot(multipliers()) + region_.minimum(s_ + W_ * multipliers()); }

bool HingeProgram::factor() {
  weights_ = duals_.head(rows_).cwiseQuotient(slacks_.head(rows_));
  const auto h = weights_.head(hinges_);
  const auto g = weights_.segment(hinges_, hinges_);
  omega_ = h.cwiseProduct(g).cwiseQuotient(h + g);
  box_ = Vector::Zero(dimension_);
  if (boxed_ > 0) box_ = weights_.segment(2 * hinges_, boxed_) + weights_.tail(boxed_);
  if (ball_) ball_->scale(slacks_.tail(ball_size()), duals_.tail(ball_size()));
  // One part in 1e15 keeps the factorisation alive where rows are dependent, and the step hardly notices. Where
  // rounding needs more, a step that is a little off still leads on.
  for (const double lift : {4.0, 4e3, 4e6}) {
    assemble();
    factor_.diagonal() *= 1 + lift * std::numeric_limits<double>::epsilon();
    if (dense::cholesky(factor_)) return true;
  }
  return false;
}

/// The matrix of the Newton system: a row a hinge or a row a feature.
void HingeProgram::assemble() {
  if (few_hinges_) {
    weighted_ = box_.cwiseSqrt().cwiseInverse().asDiagonal() * W_;
    factor_.resize(hinges_, hinges_);
    dense::rank_update(1.0, dense::Op::transpose, weighted_, 0.0, factor_);
    factor_.diagonal() += omega_.cwiseInverse();
  } else {
    weighted_ = W_ * omega_.cwiseSqrt().asDiagonal();
    factor_.resize(dimension_, dimension_);
    dense::rank_update(1.0, dense::Op::none, weighted_, 0.0, factor_);
    factor_.diagonal() += box_;
    if (ball_) ball_->add_to(factor_);
  }
}

/// (box + W omega W')^-1 rhs. With one row a hinge this is the formula of Woodbury, which loses its digits in the end,
/// when features far from their limits make entries of `box` tiny; from then on there is one row a feature.
void HingeProgram::solve_newton(Vector& rhs) {
  constexpr double kAccepted = 1e-8;
  constexpr int kTries = 3;
  if (few_hinges_) {
    Vector x = Vector::Zero(dimension_);
    Vector residual = rhs;
    for (int i = 0; i < kTries; ++i) {
      x += solve_by_hinges(residual);
      residual = rhs - box_.cwiseProduct(x);
      residual.noalias() -= W_ * (omega_.cwiseProduct(W_.transpose() * x));
      if (!(residual.lpNorm<Eigen::Infinity>() <= kAccepted * rhs.lpNorm<Eigen::Infinity>())) continue;
      rhs = x;
      return;
    }
    few_hinges_ = false;
    if (!factor()) {
      rhs.setConstant(std::numeric_limits<double>::quiet_NaN());  // no step at all
      return;
    }
  }
  dense::solve_cholesky(factor_, rhs);
}

Vector HingeProgram::solve_by_hinges(const Vector& rhs) const {
  const Vector x = rhs.cwiseQuotient(box_);
  Vector on_hinges = W_.transpose() * x;
  dense::solve_cholesky(factor_, on_hinges);
  return x - (W_ * on_hinges).cwiseQuotient(box_);
}

void HingeProgram::solve(const Vector& aim, Step& step) {
  // Stationarity in p says that the duals of a hinge add up to alpha: without a step of z they go to these.
  const Vector sum = weights_.head(hinges_) + weights_.segment(hinges_, hinges_);
  const Vector share_h = weights_.head(hinges_).cwiseQuotient(sum);
  const Vector share_g = weights_.segment(hinges_, hinges_).cwiseQuotient(sum);
  const auto aim_h = aim.head(hinges_);
  const auto aim_g = aim.segment(hinges_, hinges_);
  const Vector resting_h = share_g.cwiseProduct(aim_h) + share_h.cwiseProduct(alpha_ - aim_g);
  const Vector resting_g = share_h.cwiseProduct(aim_g) + share_g.cwiseProduct(alpha_ - aim_h);
  step.v = -s_;
  step.v.noalias() -= W_ * resting_g;
  if (boxed_ > 0) step.v += aim.segment(2 * hinges_ + boxed_, boxed_) - aim.segment(2 * hinges_, boxed_);
  if (ball_) {
    step.v -= ball_->pull(aim.tail(ball_size()));
    ball_->condense(ball_->on_unknowns(aim.tail(ball_size())), step.v);
  }
  solve_newton(step.v);

  const Vector dz = W_.transpose() * step.v;
  step.slacks.resize(slacks_.size());
  step.slacks.head(hinges_) = (aim_h + aim_g - alpha_).cwiseQuotient(sum) + share_g.cwiseProduct(dz);
  step.slacks.segment(hinges_, hinges_) = step.slacks.head(hinges_) - dz;
  if (boxed_ > 0) {
    step.slacks.segment(2 * hinges_, boxed_) = -step.v;
    step.slacks.segment(2 * hinges_ + boxed_, boxed_) = step.v;
  }
  step.duals = aim - duals_;
  step.duals.head(rows_) -= weights_.cwiseProduct(step.slacks.head(rows_));
  step.duals.head(hinges_) = resting_h - omega_.cwiseProduct(dz) - duals_.head(hinges_);
  step.duals.segment(hinges_, hinges_) = resting_g + omega_.cwiseProduct(dz) - duals_.segment(hinges_, hinges_);
  if (ball_) {
    step.unknowns = ball_->expand(step.v);
    ball_->slacks(step.v, step.unknowns, step.slacks.tail(ball_size()));
    step.duals.tail(ball_size()) -= ball_->weigh(step.slacks.tail(ball_size()));
  }
}

double HingeProgram::longest_step(const Vector& value, const Vector& change) const {
  double step = 1 / kStayInside;
  for (Index i = 0; i < rows_; ++i) {
    if (change(i) < 0) step = std::min(step, -value(i) / change(i));
  }
  return ball_ ? ball_->longest_step(value.tail(ball_size()), change.tail(ball_size()), step) : step;
}

std::pair<double, double> HingeProgram::longest_steps(const Step& step) const {
  const double primal = longest_step(slacks_, step.slacks);
  const double dual = longest_step(duals_, step.duals);
  if (!ball_ || !ball_->is_round()) return {primal, dual};
  return {std::min(primal, dual), std::min(primal, dual)};
}

Vector HingeProgram::aim_at(double mu, const Step& step) const {
  Vector aim(duals_.size());
  const auto products = step.slacks.head(rows_).array() * step.duals.head(rows_).array();
  aim.head(rows_) = (mu - products) / slacks_.head(rows_).array();
  if (ball_) {
    aim.tail(ball_size()) = ball_->corrected(mu, step.slacks.tail(ball_size()), step.duals.tail(ball_size()));
  }
  return aim;
}

bool HingeProgram::is_inside(const Vector& values) const {
  return (rows_ == 0 || values.head(rows_).minCoeff() > 0) && (!ball_ || ball_->is_inside(values.tail(ball_size())));
}

bool HingeProgram::advance() {
  if (!factor()) return false;
  const double mu = slacks_.dot(duals_) / degree();
  Step step;

  solve(Vector::Zero(duals_.size()), step);
  auto [primal_reach, dual_reach] = longest_steps(step);
  primal_reach = std::min(1.0, primal_reach);
  dual_reach = std::min(1.0, dual_reach);
  const double mu_reached = (slacks_ + primal_reach * step.slacks).dot(duals_ + dual_reach * step.duals) / degree();
  const double centering = std::pow(mu_reached / mu, 3);

  solve(aim_at(centering * mu, step), step);
  if (!step.v.allFinite() || !step.duals.allFinite()) return false;

  const auto before = std::tuple(v_, unknowns_, slacks_, duals_);
  const auto [primal_length, dual_length] = longest_steps(step);
  v_ += kStayInside * primal_length * step.v;
  if (ball_) unknowns_ += kStayInside * primal_length * step.unknowns;
  slacks_.head(hinges_) += kStayInside * primal_length * step.slacks.head(hinges_);
  duals_ += kStayInside * dual_length * step.duals;
  update_slacks();
  if (is_inside(slacks_) && is_inside(duals_)) return true;
  std::tie(v_, unknowns_, slacks_, duals_) = before;
  update_slacks();
  return false;
}

}  // namespace conelu::verification
