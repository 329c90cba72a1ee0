#include "solvers/ipm/sample_terms.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/ipm/cone_scaling.hpp"

namespace conelu::ipm {
namespace {

// Where every sample has a row in every cone, its own rows weigh as much as these together, up to a limit found by
// measurement: a program of 10,000 samples, 20 features and 20 patterns takes 17 iterations instead of 50. Cones that
// an attacker makes narrow keep their blocks in place by themselves: 3 gains what there is to gain, 10 and 20 lost
// programs of large beta. Freed pairs are parts of the losses, and nothing is gained there.
double emphasis_of(const ScaledProblem& problem) {
  const double largest = problem.robust ? 3.0 : 20.0;
  return problem.reduced ? 1.0 : std::clamp(static_cast<double>(problem.patterns()), 1.0, largest);
}

}  // namespace

double slope_at_zero(const Loss& loss, double y) {
  const Loss::Kinks kinks = loss.kinks(y);
  const int active = kinks.smooth || kinks.offset[0] >= kinks.offset[1] ? 0 : 1;
  return kinks.slope[active] * loss.cost_slope(kinks.offset[active]);
}

SampleTerms::SampleTerms(const ScaledProblem& problem)
    : problem_(problem),
      has_rows_(problem.worst_case() || !problem.loss.kinks(problem.y(0)).smooth),
      largest_emphasis_(has_rows_ ? emphasis_of(problem) : 1.0),
      emphasis_(largest_emphasis_),
      side_theta_(problem.groups(), 2),
      side_target_(problem.groups(), 2),
      across_theta_(problem.groups()),
      theta_(problem.groups()),
      kappa_(problem.groups()),
      curvature_(Vector::Zero(problem.samples())),
      slope_(Vector::Zero(problem.samples())),
      target_(Matrix::Zero(problem.samples(), 2)),
      nu_(problem.samples()),
      sides_(problem.groups(), 2) {
  for (Index k = 0; k < problem.samples(); ++k) {
    kinks_.push_back(problem.loss.kinks(problem.y(k)));
    Loss::Kinks& kinks = kinks_.back();
    // A single row counts twice: the optimum is the same, and there is one way for all losses.
    if (kinks.count == 1) {
      kinks.slope[1] = kinks.slope[0];
      kinks.offset[1] = kinks.offset[0];
    }
  }
}

SampleTerms::Side SampleTerms::side(Index sample, int row) const {
  const double slope = kinks_[static_cast<std::size_t>(sample)].slope[row];
  return slope > 0 ? up : slope < 0 ? down : neither;
}

void SampleTerms::set_emphasis(double gap) {
  constexpr double kFadingGap = 1e-3;
  emphasis_ = std::clamp(largest_emphasis_ * gap / kFadingGap, 1.0, largest_emphasis_);
}

double SampleTerms::output_scale() const {
  double values = 0;
  double slopes = 0;
  for (Index k = 0; k < problem_.samples(); ++k) {
    values += problem_.weights(k) * problem_.loss.value(0.0, problem_.y(k));
    slopes += problem_.weights(k) * std::abs(slope_at_zero(problem_.loss, problem_.y(k)));
  }
  return values > 0 && slopes > 0 ? values / slopes : 1.0;
}

double SampleTerms::start(double margin, const Matrix& reach, Iterate& at) const {
  double sum = 0;
  for (Index k = 0; k < problem_.samples(); ++k) {
    const Loss::Kinks& kinks = kinks_[static_cast<std::size_t>(k)];
    if (!has_rows_) {
      sum += margin * problem_.weights(k) * std::abs(problem_.loss.cost_slope(kinks.offset[0]));
      continue;
    }
    const Index g = problem_.group_of[static_cast<std::size_t>(k)];
    std::array<double, 2> kink{};
    for (int i = 0; i < 2; ++i) {
      const Side s = side(k, i);
      kink[i] = kinks.offset[i] + kinks.slope[i] * at.f(g);
      if (s != neither) kink[i] += std::abs(kinks.slope[i]) * reach(g, s);
    }
    at.r(k) = std::max(kink[0], kink[1]) + margin;
    // Far above the kink a slope that saturates is next to its limit, which is no place to start.
    const double slope =
        problem_.weights(k) * std::min(problem_.loss.cost_slope(at.r(k)), 0.5 * problem_.loss.slope_limit());
    for (int i = 0; i < 2; ++i) at.h(k, i) = at.r(k) - kink[i];
    for (int i = 0; i < 2; ++i) at.pi(k, i) = slope * at.h(k, 1 - i) / (at.h(k, 0) + at.h(k, 1));
    sum += at.h(k, 0) * at.pi(k, 0);
  }
  update_nu(at);
  return sum / (emphasis_ * static_cast<double>(problem_.samples()));
}

void SampleTerms::relieve(const Matrix& relief, Iterate& at) const {
  for (Index k = 0; k < problem_.samples(); ++k) {
    const Index g = problem_.group_of[static_cast<std::size_t>(k)];
    for (int i = 0; i < 2; ++i) {
      const Side s = side(k, i);
      if (s != neither) at.h(k, i) += std::abs(kinks_[static_cast<std::size_t>(k)].slope[i]) * relief(g, s);
    }
  }
}

void SampleTerms::sample_nu(const Iterate& at, Vector& nu) const {
  for (Index k = 0; k < problem_.samples(); ++k) {
    const Loss::Kinks& kinks = kinks_[static_cast<std::size_t>(k)];
    const double f = at.f(problem_.group_of[static_cast<std::size_t>(k)]);
    nu(k) = has_rows_
                ? kinks.slope[0] * at.pi(k, 0) + kinks.slope[1] * at.pi(k, 1)
                : kinks.slope[0] * problem_.weights(k) * problem_.loss.cost_slope(kinks.slope[0] * f + kinks.offset[0]);
  }
}

void SampleTerms::update_nu(Iterate& at) const {
  sample_nu(at, nu_);
  at.nu.setZero();
  for (Index k = 0; k < problem_.samples(); ++k) at.nu(problem_.group_of[static_cast<std::size_t>(k)]) += nu_(k);
}

void SampleTerms::sample_mu(const Iterate& at, Vector& mu) const {
  for (Index k = 0; k < problem_.samples(); ++k) {
    const Loss::Kinks& kinks = kinks_[static_cast<std::size_t>(k)];
    mu(k) = std::abs(kinks.slope[0]) * at.pi(k, 0) + std::abs(kinks.slope[1]) * at.pi(k, 1);
  }
}

void SampleTerms::set_leeway(const Iterate& at, const Vector& steepness, Vector& leeway) const {
  leeway.setZero();
  for (Index k = 0; k < problem_.samples(); ++k) {
    const Index g = problem_.group_of[static_cast<std::size_t>(k)];
    leeway(g) += has_rows_ ? at.pi.row(k).sum() : std::abs(at.nu(g));
  }
  leeway.array() /= at.t.sum() * steepness.array();
  leeway = leeway.cwiseMin(1.0);
}

double SampleTerms::curvature(double r, double multiplier) const {
  if (!saturates()) return problem_.loss.cost_curvature(r);
  const double end = problem_.loss.inverse_slope(multiplier);
  if (std::abs(r - end) < 1e-3) return problem_.loss.cost_curvature(0.5 * (r + end));
  return (problem_.loss.cost_slope(r) - multiplier) / (r - end);
}

void SampleTerms::linearize(const Iterate& at) {
  side_theta_.setZero();
  across_theta_.setZero();
  theta_.setZero();
  for (Index k = 0; k < problem_.samples(); ++k) {
    const Index g = problem_.group_of[static_cast<std::size_t>(k)];
    const Loss::Kinks& kinks = kinks_[static_cast<std::size_t>(k)];
    if (!has_rows_) {
      theta_(g) += problem_.weights(k) * problem_.loss.cost_curvature(kinks.slope[0] * at.f(g) + kinks.offset[0]);
      continue;
    }
    const double c = problem_.weights(k) * curvature(at.r(k), at.pi.row(k).sum() / problem_.weights(k));
    curvature_(k) = c;
    slope_(k) = problem_.weights(k) * problem_.loss.cost_slope(at.r(k));
    std::array<double, 3> w{};
    for (int i = 0; i < 2; ++i) w[side(k, i)] += at.pi(k, i) / at.h(k, i);
    const double sum = c + w[up] + w[down] + w[neither];
    side_theta_(g, up) += w[up] * (c + w[neither]) / sum;
    side_theta_(g, down) += w[down] * (c + w[neither]) / sum;
    across_theta_(g) += w[up] * w[down] / sum;
  }
  if (has_rows_) theta_ = side_theta_.rowwise().sum() + 4 * across_theta_;
  theta_ = theta_.cwiseMax(1e-200);  // the coupling divides by its root
}

Steps SampleTerms::longest_steps(const Iterate& at, const Iterate& direction) const {
  if (!has_rows_) return {};
  return {linear_step(at.h, direction.h), linear_step(at.pi, direction.pi)};
}

void SampleTerms::hold_below_limit(const Iterate& direction, double step, Iterate& at) const {
  constexpr double kRoomLeft = 0.05;
  constexpr double kHighestShare = 1 - 1e-14;  // the inverse of the slope must exist in spite of rounding
  if (!has_rows_ || !saturates()) return;
  for (Index k = 0; k < problem_.samples(); ++k) {
    const double limit = problem_.loss.slope_limit() * problem_.weights(k);
    const double slope = at.pi.row(k).sum();
    const double room = limit - (slope - step * direction.pi.row(k).sum());
    const double highest = std::min(limit - kRoomLeft * room, kHighestShare * limit);
    if (slope > highest) at.pi.row(k) *= highest / slope;
  }
}

void SampleTerms::set_target(const Iterate& at, double sigma_mu, const Iterate* affine) {
  if (has_rows_) {
    target_.array() = emphasis_ * sigma_mu;
    if (affine != nullptr) target_.array() -= affine->h.array() * affine->pi.array();
    target_.array() /= at.h.array();
  }
  eliminate(at);
}

void SampleTerms::correct_target(const Iterate& at, const Iterate& direction, Steps trial, double lower, double upper) {
  if (!has_rows_) return;
  for (int i = 0; i < 2; ++i) {
    for (Index k = 0; k < problem_.samples(); ++k) {
      const double product =
          (at.h(k, i) + trial.primal * direction.h(k, i)) * (at.pi(k, i) + trial.dual * direction.pi(k, i));
      target_(k, i) += missing_product(product, emphasis_ * lower, emphasis_ * upper) / at.h(k, i);
    }
  }
  eliminate(at);
}

void SampleTerms::eliminate(const Iterate& at) {
  side_target_.setZero();
  kappa_.setZero();
  if (!has_rows_) return;
  for (Index k = 0; k < problem_.samples(); ++k) {
    const Index g = problem_.group_of[static_cast<std::size_t>(k)];
    double weights = curvature_(k);
    double targets = -slope_(k);
    for (int i = 0; i < 2; ++i) {
      weights += at.pi(k, i) / at.h(k, i);
      targets += target_(k, i);
    }
    for (int i = 0; i < 2; ++i) {
      const double multiplier = target_(k, i) - at.pi(k, i) / at.h(k, i) * (targets / weights);
      const Side s = side(k, i);
      if (s != neither) side_target_(g, s) += multiplier;
      kappa_(g) += kinks_[static_cast<std::size_t>(k)].slope[i] * (multiplier - at.pi(k, i));
    }
  }
}

void SampleTerms::complete(const Iterate& at, const Matrix& sides, Iterate& direction) const {
  if (!has_rows_) return;
  for (Index k = 0; k < problem_.samples(); ++k) {
    const Index g = problem_.group_of[static_cast<std::size_t>(k)];
    const double c = curvature_(k);
    const double right = target_(k, 0) + target_(k, 1) - slope_(k);
    std::array<double, 2> b{};
    std::array<double, 2> w{};
    for (int i = 0; i < 2; ++i) {
      const Side s = side(k, i);
      b[i] = s == neither ? 0.0 : sides(g, s);
      w[i] = at.pi(k, i) / at.h(k, i);
    }
    const double weights = c + w[0] + w[1];
    direction.r(k) = (right + w[0] * b[0] + w[1] * b[1]) / weights;
    for (int i = 0; i < 2; ++i) {
      // r - b_i, without the cancellation where row i holds r to b_i
      direction.h(k, i) = (right + w[1 - i] * (b[1 - i] - b[i]) - c * b[i]) / weights;
      direction.pi(k, i) = target_(k, i) - at.pi(k, i) - w[i] * direction.h(k, i);
    }
  }
}

void SampleTerms::complete(const Iterate& at, Iterate& direction) const {
  sides_.col(up) = direction.f;
  sides_.col(down) = -direction.f;
  complete(at, sides_, direction);
}

}  // namespace conelu::ipm
