#include "problems/own_loss.hpp"

#include <cmath>

namespace conelu::problems {

double LogCoshLoss::value(double f, double y) const {
  const double r = std::abs(f - y);
  // Near 0 the three terms cancel; the residual's square does not.
  return r < 1e-4 ? 0.5 * r * r : r + std::log1p(std::exp(-2 * r)) - std::log(2.0);
}

double LogCoshLoss::conjugate(double nu, double y) const {
  const auto entropy = [](double p) { return p > 0 ? p * std::log(p) : 0.0; };
  return nu * y + 0.5 * (entropy(1 + nu) + entropy(1 - nu));
}

double LogCoshLoss::cost_slope(double r) const { return std::tanh(r); }
double LogCoshLoss::cost_curvature(double r) const { return 1 / (std::cosh(r) * std::cosh(r)); }
double LogCoshLoss::inverse_slope(double slope) const { return std::atanh(slope); }

}  // namespace conelu::problems
