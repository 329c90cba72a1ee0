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
  // Half of p log p at 1 + nu and at 1 - nu. Near 0 the two cancel, written in another way they do not; that way rounds
  // 1 - nu^2, of which little is left near the ends.
  const double size = std::abs(nu);
  if (size < 0.5) return nu * y + nu * std::atanh(nu) + 0.5 * std::log1p(-nu * nu);
  const double lower = size < 1 ? (1 - size) * std::log1p(-size) : 0.0;
  return nu * y + 0.5 * ((1 + size) * std::log1p(size) + lower);
}

double LogCoshLoss::cost_slope(double r) const { return std::tanh(r); }
double LogCoshLoss::cost_curvature(double r) const { return 1 / (std::cosh(r) * std::cosh(r)); }
double LogCoshLoss::inverse_slope(double slope) const { return std::atanh(slope); }

}  // namespace conelu::problems
