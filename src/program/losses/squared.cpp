#include <limits>

#include "program/losses/losses.hpp"

namespace conelu {
namespace {

/// phi(f, y) = (f - y)^2 / 2,  phi*(nu, y) = nu^2 / 2 + y nu for every nu.
class SquaredLoss final : public Loss {
 public:
  std::string name() const override { return "squared"; }
  bool is_margin_loss() const override { return false; }
  bool is_averaged() const override { return false; }

  double value(double f, double y) const override { return 0.5 * (f - y) * (f - y); }
  double conjugate(double nu, double y) const override { return nu * (0.5 * nu + y); }
  Interval dual_domain(double) const override {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }

  Kinks kinks(double y) const override { return {2, {1.0, -1.0}, {-y, y}, true}; }
  double cost_slope(double r) const override { return r; }
  double cost_curvature(double) const override { return 1.0; }
};

}  // namespace

LossPointer make_squared_loss(const LossSettings&) { return std::make_shared<SquaredLoss>(); }

}  // namespace conelu
