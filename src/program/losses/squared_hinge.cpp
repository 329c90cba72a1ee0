#include <algorithm>
#include <limits>

#include "program/losses/losses.hpp"

namespace conelu {
namespace {

/// phi(f, y) = (1 - y f)_+^2,  phi*(nu, y) = y nu + nu^2 / 4 for y nu <= 0.
class SquaredHingeLoss final : public Loss {
 public:
  std::string name() const override { return "squared-hinge"; }
  bool is_margin_loss() const override { return true; }
  bool is_averaged() const override { return true; }

  double value(double f, double y) const override {
    const double missing = std::max(0.0, 1.0 - y * f);
    return missing * missing;
  }
  double conjugate(double nu, double y) const override { return nu * (y + 0.25 * nu); }
  Interval dual_domain(double y) const override {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return y > 0 ? Interval{-kInfinity, 0.0} : Interval{0.0, kInfinity};
  }

  Kinks kinks(double y) const override { return {2, {-y, 0.0}, {1.0, 0.0}}; }
  double cost_slope(double r) const override { return 2 * r; }
  double cost_curvature(double) const override { return 2; }
};

}  // namespace

LossPointer make_squared_hinge_loss(const LossSettings&) { return std::make_shared<SquaredHingeLoss>(); }

}  // namespace conelu
