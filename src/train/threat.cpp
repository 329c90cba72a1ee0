#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "conelu/train.hpp"

namespace conelu {

Threat make_threat(const TrainSettings& settings, Index features, const Preprocessing& preprocessing) {
  const auto given = static_cast<Index>(settings.eps.size());
  if (given > 1 && given != features) {
    throw std::invalid_argument(fmt::format("eps: has {} radii, expected 1 or {}, one per feature", given, features));
  }
  Threat threat{settings.norm, Vector::Zero(features + (settings.bias ? 1 : 0))};
  for (Index a = 0; given > 0 && a < features; ++a) {
    // Half a category means nothing: a radius for all features is not for encoded ones.
    if (given == 1 && preprocessing.is_encoded(a)) continue;
    const double radius = settings.eps[static_cast<std::size_t>(given == 1 ? 0 : a)];
    if (!(std::isfinite(radius) && radius >= 0)) {
      throw std::invalid_argument(
          fmt::format("eps: the radius of feature {} is {}, expected a finite number >= 0", a, radius));
    }
    const bool divide = settings.eps_units == EpsUnits::raw && preprocessing.scale.size() > 0;
    threat.radii(a) = divide ? radius / preprocessing.scale(a) : radius;
  }
  // The same threat by any name: standard training takes its own path, whatever zeros were given.
  if (!threat.active()) threat.radii.resize(0);
  return threat;
}

}  // namespace conelu
