#include <algorithm>
#include <cmath>

#include "program/losses/losses.hpp"

namespace conelu {
namespace {

/// phi(f, y) = h(|f - y|), h(r) = r^2 / 2 up to delta and delta (r - delta / 2) beyond;
/// phi*(nu, y) = nu^2 / 2 + nu y for |nu| <= delta.
class HuberLoss final : public Loss {
 public:
  explicit HuberLoss(double delta) : delta_(delta) {}

  std::string name() const override { return "huber"; }
  bool is_margin_loss() const override { return false; }
  bool is_averaged() const override { return false; }

  double value(double f, double y) const override {
    const double r = std::abs(f - y);
    return r <= delta_ ? 0.5 * r * r : delta_ * (r - 0.5 * delta_);
  }
  double conjugate(double nu, double y) const override { return nu * (0.5 * nu + y); }
  Interval dual_domain(double) const override { return {-delta_, delta_}; }

  Kinks kinks(double y) const override { return {2, {1.0, -1.0}, {-y, y}}; }
  double cost_slope(double r) const override { return std::min(r, delta_); }
  double cost_curvature(double r) const override { return r <= delta_ ? 1.0 : 0.0; }

 private:
  double delta_;
};

}  // namespace

LossPointer make_huber_loss(const LossSettings& settings) { return std::make_shared<HuberLoss>(settings.huber_delta); }

}  // namespace conelu
