#include "patterns/margin_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/dense.hpp"

namespace conelu {
namespace {

constexpr double kStayInside = 0.995;
// Near the centre of the box and not far outside the cone: measured to save a step or two over a bolder start.
constexpr double kStartLength = 0.02;
constexpr double kStartSlack = 0.2;
// Bounds as far apart as this are far from the end, where the last digits of a step begin to matter.
constexpr double kWideGap = 1e-4;

Matrix with_margin(const Matrix& A) {
  Matrix rows(A.rows(), A.cols() + 1);
  rows << A, Vector::Constant(A.rows(), -1.0);
  return rows;
}

}  // namespace

MarginProgram::MarginProgram(const Matrix& A, Norm norm, Index perturbed)
    : rows_(A.rows()),
      dimension_(A.cols()),
      reach_{norm, Vector::Ones(perturbed)},
      ball_(make_dual_ball(norm, perturbed)),
      boxed_(ball_ ? dimension_ - perturbed : dimension_),
      inequalities_(rows_ + 2 * boxed_),
      A_(with_margin(A)),
      point_(Vector::Zero(dimension_ + 1 + unknowns())),
      slacks_(inequalities_ + ball_size()),
      duals_(slacks_.size()),
      factor_(dimension_ + 1, dimension_ + 1) {
  // The mean row is often inside the cone already; then no step is needed at all.
  const double share = 1.0 / static_cast<double>(rows_);
  const Vector mean = share * A.colwise().sum().transpose();
  double largest = mean.lpNorm<Eigen::Infinity>();
  if (perturbed > 0) largest = std::max(largest, reach_.worst_change(mean.head(perturbed)));
  if (largest > 0) point_.head(dimension_) = kStartLength / largest * mean;
  point_(dimension_) = (A * direction()).minCoeff() - kStartSlack;
  duals_.head(rows_).setConstant(share);
  duals_.segment(rows_, boxed_) = mean.tail(boxed_).cwiseMax(0.0).array() + share;
  duals_.segment(rows_ + boxed_, boxed_) = (-mean.tail(boxed_)).cwiseMax(0.0).array() + share;
  if (ball_) {
    point_.tail(unknowns()) = ball_->start(point_.head(perturbed));
    duals_.tail(ball_size()) = ball_->start_duals(mean.head(perturbed), share);
  }
  update_slacks();
}

double MarginProgram::margin() const {
  const auto v = direction();
  double length = v.lpNorm<Eigen::Infinity>();
  if (ball_) length = std::max(length, reach_.worst_change(v.head(ball_->features())));
  if (length == 0) return -std::numeric_limits<double>::infinity();
  return (slacks().minCoeff() + point_(dimension_)) / length;
}

double MarginProgram::bound() const {
  Vector sums(dimension_);
  dense::multiply_vector(1.0, dense::Op::transpose, A_.rows().leftCols(dimension_), multipliers(), 0.0, sums);
  const double boxed = sums.tail(boxed_).lpNorm<1>();
  return (ball_ ? reach_.size(sums.head(ball_->features())) + boxed : boxed) / multipliers().sum();
}

Vector MarginProgram::constraints(const Vector& x) const {
  Vector values(slacks_.size());
  dense::multiply_vector(1.0, dense::Op::none, A_.rows(), x.head(dimension_ + 1), 0.0, values.head(rows_));
  const auto boxed = x.segment(dimension_ - boxed_, boxed_);
  values.segment(rows_, boxed_) = -boxed;
  values.segment(rows_ + boxed_, boxed_) = boxed;
  if (ball_) ball_->slacks(x.head(ball_->features()), x.tail(unknowns()), values.tail(ball_size()));
  return values;
}

void MarginProgram::update_slacks() {
  slacks_ = constraints(point_);
  slacks_.segment(rows_, 2 * boxed_).array() += 1.0;
  if (ball_) slacks_.tail(ball_size()) += ball_->constant();
}

bool MarginProgram::factor() {
  weights_ = duals_.head(inequalities_).cwiseQuotient(slacks_.head(inequalities_));
  if (ball_) ball_->scale(slacks_.tail(ball_size()), duals_.tail(ball_size()));
  const bool near_the_end = slacks_.dot(duals_) < kWideGap;
  return factor(near_the_end) || (!near_the_end && factor(true));
}

bool MarginProgram::factor(bool exact) {
  factor_.setZero();
  A_.add(exact, weights_.head(rows_).cwiseSqrt(), Vector::Zero(dimension_ + 1), factor_);
  factor_.diagonal().segment(dimension_ - boxed_, boxed_) += weights_.segment(rows_, boxed_) + weights_.tail(boxed_);
  if (ball_) ball_->add_to(factor_);
  // One part in 1e15 keeps the factorisation alive when rows and columns are dependent; the step hardly notices.
  factor_.diagonal() *= 1 + 4 * std::numeric_limits<double>::epsilon();
  return dense::cholesky(factor_);
}

void MarginProgram::solve(Vector aim, Step& step) {
  Vector rhs(dimension_ + 1);
  dense::multiply_vector(1.0, dense::Op::transpose, A_.rows(), aim.head(rows_), 0.0, rhs);
  rhs.segment(dimension_ - boxed_, boxed_) += aim.segment(rows_ + boxed_, boxed_) - aim.segment(rows_, boxed_);
  rhs(dimension_) += 1;  // stationarity in t: the multipliers of the rows sum to 1
  if (ball_) {
    rhs.head(ball_->features()) -= ball_->pull(aim.tail(ball_size()));
    ball_->condense(ball_->on_unknowns(aim.tail(ball_size())), rhs.head(ball_->features()));
  }
  dense::solve_cholesky(factor_, rhs);

  step.point.resize(point_.size());
  step.point.head(dimension_ + 1) = rhs;
  if (ball_) step.point.tail(unknowns()) = ball_->expand(rhs.head(ball_->features()));
  step.slacks = constraints(step.point);
  aim.head(inequalities_) -= weights_.cwiseProduct(step.slacks.head(inequalities_));
  if (ball_) aim.tail(ball_size()) -= ball_->weigh(step.slacks.tail(ball_size()));
  step.duals = aim - duals_;
}

double MarginProgram::longest_step(const Vector& value, const Vector& change) const {
  double step = 1 / kStayInside;
  for (Index i = 0; i < inequalities_; ++i) {
    if (change(i) < 0) step = std::min(step, -value(i) / change(i));
  }
  return ball_ ? ball_->longest_step(value.tail(ball_size()), change.tail(ball_size()), step) : step;
}

std::pair<double, double> MarginProgram::longest_steps(const Step& step) const {
  const double primal = longest_step(slacks_, step.slacks);
  const double dual = longest_step(duals_, step.duals);
  if (!ball_ || !ball_->is_round()) return {primal, dual};
  return {std::min(primal, dual), std::min(primal, dual)};
}

bool MarginProgram::is_inside(const Vector& value) const {
  return value.head(inequalities_).minCoeff() > 0 && (!ball_ || ball_->is_inside(value.tail(ball_size())));
}

Vector MarginProgram::aim_at(double mu, const Step& step) const {
  Vector aim(duals_.size());
  aim.head(inequalities_) =
      (mu - step.slacks.head(inequalities_).cwiseProduct(step.duals.head(inequalities_)).array()) /
      slacks_.head(inequalities_).array();
  if (ball_) {
    aim.tail(ball_size()) = ball_->corrected(mu, step.slacks.tail(ball_size()), step.duals.tail(ball_size()));
  }
  return aim;
}

bool MarginProgram::advance() {
  if (!factor()) return false;
  const double degree = static_cast<double>(inequalities_) + (ball_ ? ball_->degree() : 0.0);
  const double mu = slacks_.dot(duals_) / degree;
  Step step;

  solve(Vector::Zero(duals_.size()), step);
  auto [primal_reach, dual_reach] = longest_steps(step);
  primal_reach = std::min(1.0, primal_reach);
  dual_reach = std::min(1.0, dual_reach);
  const double mu_reached = (slacks_ + primal_reach * step.slacks).dot(duals_ + dual_reach * step.duals) / degree;
  const double centering = std::pow(mu_reached / mu, 3);

  solve(aim_at(centering * mu, step), step);
  if (!step.point.allFinite() || !step.duals.allFinite()) return false;

  const Vector point_before = point_;
  const Vector duals_before = duals_;
  const auto [primal_length, dual_length] = longest_steps(step);
  point_ += kStayInside * primal_length * step.point;
  duals_ += kStayInside * dual_length * step.duals;
  update_slacks();
  if (is_inside(slacks_) && is_inside(duals_)) return true;
  point_ = point_before;
  duals_ = duals_before;
  update_slacks();
  return false;
}

}  // namespace conelu
