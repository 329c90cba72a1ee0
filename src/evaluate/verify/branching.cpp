#include "evaluate/verify/branching.hpp"

#include <algorithm>
#include <cmath>

#include "program/rounding.hpp"

namespace conelu::verification {
namespace {

using rounding::kEpsilon;
using rounding::kInfinity;
using rounding::share;

double bound_of_half(const LocalNetwork& network, const Relaxation& relaxation, Index j, bool active) {
  const Region& region = network.region;
  const Minorant& minorant = relaxation.minorant();
  const double before = relaxation.weights()(j);
  const double direction = active ? -1.0 : 1.0;
  const double nearest = active ? relaxation.weight(j) : 0.0;
  const Vector w = direction * network.W.col(j);
  const Vector rest = minorant.slope + (nearest - before) * network.W.col(j);
  const double b = region.best_multiplier(rest, w, direction * network.t(j), std::abs(relaxation.weight(j)));

  const double constant =
      minorant.constant + (nearest - before + direction * b) * network.t(j) - relaxation.offsets()(j);
  const double bound = constant + region.minimum(rest + b * w);
  const double weights = std::abs(before) + std::abs(nearest) + b;
  const double lost =
      weights * (network.error(j) + share(network.neurons) * (std::abs(network.t(j)) + network.reach(j))) +
      share(8) * (std::abs(minorant.constant) + std::abs(relaxation.offsets()(j)) + region.reach(minorant.slope) +
                  std::abs(bound));
  return std::isfinite(bound - lost) ? bound - lost : -kInfinity;
}

}  // namespace

bool narrow(const LocalNetwork& network, const Minorant& minorant, double cutoff, Node& node) {
  const Region& region = network.region;
  const double slack = cutoff - minorant.constant;
  const double steepness = region.reach(minorant.slope);
  for (Index j = 0; j < network.unstable(); ++j) {
    if (node.side.sign * network.output(j) > 0 || node.lower(j) >= 0 || node.upper(j) <= 0) continue;
    for (const double side : {1.0, -1.0}) {
      const Vector w = -side * network.W.col(j);
      const double b = region.best_multiplier(w, minorant.slope, -slack, network.reach(j) / steepness);
      if (b == 0) continue;
      const double sizes = std::abs(network.t(j)) + network.reach(j) + b * (std::abs(slack) + steepness);
      const double most = side * network.t(j) + b * slack - region.minimum(w + b * minorant.slope) + network.error(j) +
                          share(8) * sizes;
      if (side > 0 && most < node.upper(j)) node.upper(j) = most;
      if (side < 0 && -most > node.lower(j)) node.lower(j) = -most;
    }
    if (node.lower(j) > node.upper(j)) return false;
  }
  return true;
}

Branch best_branch(const LocalNetwork& network, const Relaxation& relaxation, const std::vector<Index>& candidates,
                   double cutoff) {
  const double lowest = relaxation.minorant().lowest;
  const double wanted = cutoff - lowest;
  Branch best{candidates.front(), -kInfinity, -kInfinity};
  double best_score = 0;
  for (const Index j : candidates) {
    const Branch branch{j, bound_of_half(network, relaxation, j, false), bound_of_half(network, relaxation, j, true)};
    // The product asks for progress in both halves; without any the order of the neurons decides.
    const double inactive = std::clamp(branch.inactive - lowest, 0.0, wanted) + 0.01 * wanted;
    const double active = std::clamp(branch.active - lowest, 0.0, wanted) + 0.01 * wanted;
    if (inactive * active > best_score) {
      best_score = inactive * active;
      best = branch;
    }
  }
  return best;
}

}  // namespace conelu::verification
