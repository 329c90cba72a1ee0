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

double longest_step(const Vector& value, const Vector& change) {
  double step = 1 / kStayInside;
  for (Index i = 0; i < value.size(); ++i) {
    if (change(i) < 0) step = std::min(step, -value(i) / change(i));
  }
  return step;
}

}  // namespace

MarginProgram::MarginProgram(const Matrix& A)
    : rows_(A.rows()),
      dimension_(A.cols()),
      A_(rows_, dimension_ + 1),
      point_(Vector::Zero(dimension_ + 1)),
      slacks_(rows_ + 2 * dimension_),
      duals_(rows_ + 2 * dimension_),
      weighted_(rows_, dimension_ + 1),
      factor_(dimension_ + 1, dimension_ + 1) {
  A_ << A, Vector::Constant(rows_, -1.0);

  // The mean row is often inside the cone already; then no step is needed at all.
  const double share = 1.0 / static_cast<double>(rows_);
  const Vector mean = share * A.colwise().sum().transpose();
  const double largest = mean.lpNorm<Eigen::Infinity>();
  if (largest > 0) point_.head(dimension_) = kStartLength / largest * mean;
  point_(dimension_) = (A * direction()).minCoeff() - kStartSlack;
  update_slacks();
  duals_.head(rows_).setConstant(share);
  duals_.segment(rows_, dimension_) = mean.cwiseMax(0.0).array() + share;
  duals_.tail(dimension_) = (-mean).cwiseMax(0.0).array() + share;
}

double MarginProgram::margin() const {
  const double length = direction().lpNorm<Eigen::Infinity>();
  if (length == 0) return -std::numeric_limits<double>::infinity();
  return (slacks().minCoeff() + point_(dimension_)) / length;
}

double MarginProgram::bound() const {
  Vector sums(dimension_);
  dense::multiply_vector(1.0, dense::Op::transpose, A_.leftCols(dimension_), multipliers(), 0.0, sums);
  return sums.lpNorm<1>() / multipliers().sum();
}

Vector MarginProgram::constraints(const Vector& x) const {
  Vector values(slacks_.size());
  dense::multiply_vector(1.0, dense::Op::none, A_, x, 0.0, values.head(rows_));
  values.segment(rows_, dimension_) = -x.head(dimension_);
  values.tail(dimension_) = x.head(dimension_);
  return values;
}

Vector MarginProgram::constraints_transposed(const Vector& duals) const {
  Vector sums(dimension_ + 1);
  dense::multiply_vector(1.0, dense::Op::transpose, A_, duals.head(rows_), 0.0, sums);
  sums.head(dimension_) += duals.tail(dimension_) - duals.segment(rows_, dimension_);
  return sums;
}

void MarginProgram::update_slacks() {
  slacks_ = constraints(point_);
  slacks_.tail(2 * dimension_).array() += 1.0;
}

bool MarginProgram::factor() {
  const Vector weights = duals_.cwiseQuotient(slacks_);
  const Vector roots = weights.head(rows_).cwiseSqrt();
  weighted_ = roots.asDiagonal() * A_;
  dense::rank_update(1.0, dense::Op::transpose, weighted_, 0.0, factor_);
  factor_.diagonal().head(dimension_) += weights.segment(rows_, dimension_) + weights.tail(dimension_);
  // One part in 1e15 keeps the factorisation alive when rows and columns are dependent; the step hardly notices.
  factor_.diagonal() *= 1 + 4 * std::numeric_limits<double>::epsilon();
  return dense::cholesky(factor_);
}

void MarginProgram::solve(const Vector& target, Vector& step, Vector& slack_step, Vector& dual_step) const {
  step = constraints_transposed(target.cwiseQuotient(slacks_) + duals_);
  step(dimension_) += 1;  // stationarity in t: the multipliers of the rows sum to 1
  dense::solve_cholesky(factor_, step);
  slack_step = constraints(step);
  dual_step = (target - duals_.cwiseProduct(slack_step)).cwiseQuotient(slacks_);
}

bool MarginProgram::advance() {
  if (!factor()) return false;
  const double count = static_cast<double>(slacks_.size());
  const double mu = slacks_.dot(duals_) / count;
  Vector step, slack_step, dual_step;

  solve(-slacks_.cwiseProduct(duals_), step, slack_step, dual_step);
  const double primal_reach = std::min(1.0, longest_step(slacks_, slack_step));
  const double dual_reach = std::min(1.0, longest_step(duals_, dual_step));
  const double mu_reached = (slacks_ + primal_reach * slack_step).dot(duals_ + dual_reach * dual_step) / count;
  const double centering = std::pow(mu_reached / mu, 3);

  const Vector corrected =
      (centering * mu - slacks_.cwiseProduct(duals_).array() - slack_step.cwiseProduct(dual_step).array()).matrix();
  solve(corrected, step, slack_step, dual_step);
  if (!step.allFinite()) return false;
  point_ += kStayInside * longest_step(slacks_, slack_step) * step;
  duals_ += kStayInside * longest_step(duals_, dual_step) * dual_step;
  update_slacks();
  return slacks_.minCoeff() > 0 && duals_.minCoeff() > 0;
}

}  // namespace conelu
