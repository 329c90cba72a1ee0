#include <algorithm>

#include "program/losses/losses.hpp"

namespace conelu {
namespace {

/// phi(f, y) = (1 - y f)_+,  phi*(nu, y) = y nu for -1 <= y nu <= 0.
class HingeLoss final : public Loss {
 public:
  std::string name() const override { return "hinge"; }
  bool is_margin_loss() const override { return true; }
  bool is_averaged() const override { return true; }

  double value(double f, double y) const override { return std::max(0.0, 1.0 - y * f); }
  double conjugate(double nu, double y) const override { return y * nu; }
  Interval dual_domain(double y) const override { return y > 0 ? Interval{-1.0, 0.0} : Interval{0.0, 1.0}; }

  Kinks kinks(double y) const override { return {2, {-y, 0.0}, {1.0, 0.0}}; }
  double cost_slope(double) const override { return 1.0; }
  double cost_curvature(double) const override { return 0.0; }
  bool has_linear_cost() const override { return true; }
};

}  // namespace

LossPointer make_hinge_loss(const LossSettings&) { return std::make_shared<HingeLoss>(); }

}  // namespace conelu
