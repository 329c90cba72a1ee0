#pragma once

#include "conelu/loss.hpp"

namespace conelu::problems {

/// A loss that the library does not have, written against its public headers alone; see "Adding things" in
/// CONTRIBUTING.md. problems.cpp registers it, so that it goes through every test that runs over the registry.
///
/// log cosh of the residual: phi*(nu, y) = nu y + ((1 + nu) log(1 + nu) + (1 - nu) log(1 - nu)) / 2 for |nu| <= 1.
class LogCoshLoss final : public Loss {
 public:
  static constexpr const char* kName = "log-cosh";

  std::string name() const override { return kName; }
  bool is_margin_loss() const override { return false; }
  bool is_averaged() const override { return false; }

  double value(double f, double y) const override;
  double conjugate(double nu, double y) const override;
  Interval dual_domain(double) const override { return {-1.0, 1.0}; }

  Kinks kinks(double y) const override { return {2, {1.0, -1.0}, {-y, y}}; }
  double cost_slope(double r) const override;
  double cost_curvature(double r) const override;
  double slope_limit() const override { return 1.0; }
  double inverse_slope(double slope) const override;
};

}  // namespace conelu::problems
