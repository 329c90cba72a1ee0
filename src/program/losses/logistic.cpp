#include <algorithm>
#include <cmath>

#include "program/losses/losses.hpp"

namespace conelu {
namespace {

/// p log p, continued to 0.
double entropy(double p) { return p > 0 ? p * std::log(p) : 0.0; }

/// phi(f, y) = log(1 + exp(-y f)),  phi*(nu, y) = p log p + (1 - p) log(1 - p) with p = -y nu in [0, 1].
class LogisticLoss final : public Loss {
 public:
  std::string name() const override { return "logistic"; }
  bool is_margin_loss() const override { return true; }
  bool is_averaged() const override { return true; }

  double value(double f, double y) const override {
    const double r = -y * f;
    return std::max(r, 0.0) + std::log1p(std::exp(-std::abs(r)));
  }
  double conjugate(double nu, double y) const override {
    const double p = -y * nu;
    return entropy(p) + (p < 1 ? (1 - p) * std::log1p(-p) : 0.0);
  }
  Interval dual_domain(double y) const override { return y > 0 ? Interval{-1.0, 0.0} : Interval{0.0, 1.0}; }

  Kinks kinks(double y) const override { return {1, {-y, 0.0}, {0.0, 0.0}}; }
  double cost_slope(double r) const override {
    const double e = std::exp(-std::abs(r));
    return (r > 0 ? 1.0 : e) / (1 + e);
  }
  double cost_curvature(double r) const override {
    const double e = std::exp(-std::abs(r));
    return e / ((1 + e) * (1 + e));
  }
  double slope_limit() const override { return 1.0; }
  double inverse_slope(double p) const override { return std::log(p) - std::log1p(-p); }
};

}  // namespace

LossPointer make_logistic_loss(const LossSettings&) { return std::make_shared<LogisticLoss>(); }

}  // namespace conelu
