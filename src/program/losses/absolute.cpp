#include <cmath>

#include "program/losses/losses.hpp"

namespace conelu {
namespace {

/// phi(f, y) = |f - y|,  phi*(nu, y) = nu y for |nu| <= 1.
class AbsoluteLoss final : public Loss {
 public:
  std::string name() const override { return "absolute"; }
  bool is_margin_loss() const override { return false; }
  bool is_averaged() const override { return false; }

  double value(double f, double y) const override { return std::abs(f - y); }
  double conjugate(double nu, double y) const override { return nu * y; }
  Interval dual_domain(double) const override { return {-1.0, 1.0}; }

  Kinks kinks(double y) const override { return {2, {1.0, -1.0}, {-y, y}}; }
  double cost_slope(double) const override { return 1.0; }
  double cost_curvature(double) const override { return 0.0; }
  bool has_linear_cost() const override { return true; }
};

}  // namespace

LossPointer make_absolute_loss(const LossSettings&) { return std::make_shared<AbsoluteLoss>(); }

}  // namespace conelu
