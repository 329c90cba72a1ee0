#include "solvers/ipm/sample_terms.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/ipm/cone_scaling.hpp"

namespace conelu::ipm {

double slope_at_zero(const Loss& loss, double y) {
  const Loss::Kinks kinks = loss.kinks(y);
  if (kinks.count == 0) return loss.cost_slope(0.0, y);
  const int active = kinks.offset[0] >= kinks.offset[1] ? 0 : 1;
  return kinks.slope[active] * loss.cost_slope(kinks.offset[active], y);
}

SampleTerms::SampleTerms(const ScaledProblem& problem)
    : problem_(problem),
      has_kinks_(problem.loss.kinks(problem.y(0)).count > 0),
      theta_(problem.groups()),
      kappa_(problem.groups()),
      curvature_(Vector::Zero(problem.samples())),
      target_(Matrix::Zero(problem.samples(), 2)),
      nu_(problem.samples()) {
  for (Index k = 0; k < problem.samples(); ++k) kinks_.push_back(problem.loss.kinks(problem.y(k)));
  is_piecewise_linear_ = has_kinks_ && problem.loss.cost_curvature(1.0, problem.y(0)) == 0;
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

double SampleTerms::start(double margin, Iterate& at) const {
  at.f.setZero();
  double sum = 0;
  for (Index k = 0; k < problem_.samples(); ++k) {
    if (!has_kinks_) {
      sum += margin * problem_.weights(k) * std::abs(problem_.loss.cost_slope(0.0, problem_.y(k)));
      continue;
    }
    const Loss::Kinks& kinks = kinks_[static_cast<std::size_t>(k)];
    at.r(k) = std::max(kinks.offset[0], kinks.offset[1]) + margin;
    const double slope = problem_.weights(k) * problem_.loss.cost_slope(at.r(k), problem_.y(k));
    for (int i = 0; i < 2; ++i) at.h(k, i) = at.r(k) - kinks.offset[i];
    for (int i = 0; i < 2; ++i) at.pi(k, i) = slope * at.h(k, 1 - i) / (at.h(k, 0) + at.h(k, 1));
    sum += at.h(k, 0) * at.pi(k, 0);
  }
  update_nu(at);
  return sum / static_cast<double>(problem_.samples());
}

void SampleTerms::sample_nu(const Iterate& at, Vector& nu) const {
  for (Index k = 0; k < problem_.samples(); ++k) {
    const Loss::Kinks& kinks = kinks_[static_cast<std::size_t>(k)];
    const double f = at.f(problem_.group_of[static_cast<std::size_t>(k)]);
    nu(k) = has_kinks_ ? kinks.slope[0] * at.pi(k, 0) + kinks.slope[1] * at.pi(k, 1)
                       : problem_.weights(k) * problem_.loss.cost_slope(f, problem_.y(k));
  }
}

void SampleTerms::update_nu(Iterate& at) const {
  sample_nu(at, nu_);
  at.nu.setZero();
  for (Index k = 0; k < problem_.samples(); ++k) at.nu(problem_.group_of[static_cast<std::size_t>(k)]) += nu_(k);
}

void SampleTerms::linearize(const Iterate& at) {
  theta_.setZero();
  for (Index k = 0; k < problem_.samples(); ++k) {
    const Index g = problem_.group_of[static_cast<std::size_t>(k)];
    const double point = has_kinks_ ? at.r(k) : at.f(g);
    const double c = problem_.weights(k) * problem_.loss.cost_curvature(point, problem_.y(k));
    curvature_(k) = c;
    if (has_kinks_) {
      const Loss::Kinks& kinks = kinks_[static_cast<std::size_t>(k)];
      const double w0 = at.pi(k, 0) / at.h(k, 0);
      const double w1 = at.pi(k, 1) / at.h(k, 1);
      const double p0 = kinks.slope[0];
      const double p1 = kinks.slope[1];
      theta_(g) += (c * (w0 * p0 * p0 + w1 * p1 * p1) + w0 * w1 * (p0 - p1) * (p0 - p1)) / (c + w0 + w1);
    } else {
      theta_(g) += c;
    }
  }
  theta_ = theta_.cwiseMax(1e-200);  // the coupling divides by its root
}

void SampleTerms::set_target(const Iterate& at, double sigma_mu, const Iterate* affine) {
  if (has_kinks_) {
    target_.array() = sigma_mu;
    if (affine != nullptr) target_.array() -= affine->h.array() * affine->pi.array();
    target_.array() /= at.h.array();
  }
  eliminate(at);
}

void SampleTerms::correct_target(const Iterate& at, const Iterate& direction, double primal_step, double dual_step,
                                 double lower, double upper) {
  if (!has_kinks_) return;
  for (int i = 0; i < 2; ++i) {
    for (Index k = 0; k < problem_.samples(); ++k) {
      const double product =
          (at.h(k, i) + primal_step * direction.h(k, i)) * (at.pi(k, i) + dual_step * direction.pi(k, i));
      target_(k, i) += missing_product(product, lower, upper) / at.h(k, i);
    }
  }
  eliminate(at);
}

void SampleTerms::eliminate(const Iterate& at) {
  kappa_.setZero();
  if (!has_kinks_) return;
  for (Index k = 0; k < problem_.samples(); ++k) {
    const Index g = problem_.group_of[static_cast<std::size_t>(k)];
    const Loss::Kinks& kinks = kinks_[static_cast<std::size_t>(k)];
    double weights = curvature_(k);
    double weighted_slopes = 0;
    double targets = -problem_.weights(k) * problem_.loss.cost_slope(at.r(k), problem_.y(k));
    for (int i = 0; i < 2; ++i) {
      const double w = at.pi(k, i) / at.h(k, i);
      weights += w;
      weighted_slopes += w * kinks.slope[i];
      targets += target_(k, i);
      kappa_(g) += kinks.slope[i] * (target_(k, i) - at.pi(k, i));
    }
    kappa_(g) -= weighted_slopes * targets / weights;
  }
}

void SampleTerms::complete(const Iterate& at, Iterate& direction) const {
  if (!has_kinks_) return;
  for (Index k = 0; k < problem_.samples(); ++k) {
    const Loss::Kinks& kinks = kinks_[static_cast<std::size_t>(k)];
    const double df = direction.f(problem_.group_of[static_cast<std::size_t>(k)]);
    double weights = curvature_(k);
    double right = -problem_.weights(k) * problem_.loss.cost_slope(at.r(k), problem_.y(k));
    for (int i = 0; i < 2; ++i) {
      const double w = at.pi(k, i) / at.h(k, i);
      weights += w;
      right += target_(k, i) + w * kinks.slope[i] * df;
    }
    direction.r(k) = right / weights;
    for (int i = 0; i < 2; ++i) {
      const double w = at.pi(k, i) / at.h(k, i);
      direction.h(k, i) = direction.r(k) - kinks.slope[i] * df;
      direction.pi(k, i) = target_(k, i) - at.pi(k, i) - w * direction.h(k, i);
    }
  }
}

}  // namespace conelu::ipm
