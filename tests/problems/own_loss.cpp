#include "problems/own_loss.hpp"

#include <cmath>

namespace conelu::problems {

double LogCoshLoss::value(double f, double y) const {
  const double r = std::abs(f - y);
  if (r > 1) return r + std::log1p(std::exp(-2 * r)) - std::log(2.0);
  // Near 0 these three terms cancel; cosh^2 = 1 + sinh^2 does not.
  const double sinh = std::sinh(r);
  return 0.5 * std::log1p(sinh * sinh);
}

double LogCoshLoss::conjugate(double nu, double y) const {
  // Half of p log p at 1 + nu and at 1 - nu. Written like this nothing cancels near 0.
  const double entropy = std::abs(nu) < 1 ? nu * std::atanh(nu) + 0.5 * std::log1p(-nu * nu) : std::log(2.0);
  return nu * y + entropy;
}

double LogCoshLoss::cost_slope(double r) const { return std::tanh(r); }
double LogCoshLoss::cost_curvature(double r) const { return 1 / (std::cosh(r) * std::cosh(r)); }
double LogCoshLoss::inverse_slope(double slope) const { return std::atanh(slope); }

}  // namespace conelu::problems
