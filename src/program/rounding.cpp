#include "program/rounding.hpp"

#include <cmath>

namespace conelu::rounding {

double worst_change_above(const Threat& threat, const Eigen::Ref<const Vector>& u) {
  if (threat.radii.size() == 0) return 0;
  const auto scaled = threat.radii.array() * u.array();
  double change = 0;
  if (threat.norm == Norm::infinity) {
    change = scaled.abs().sum();
  } else {
    change = scaled.abs().maxCoeff<Eigen::PropagateNaN>();
    // Divided by the largest entry first: squares must not underflow.
    if (threat.norm == Norm::two && change > 0) change *= std::sqrt((scaled / change).square().sum());
  }
  return std::isfinite(change) ? change * (1 + share(u.size())) : std::numeric_limits<double>::infinity();
}

}  // namespace conelu::rounding
