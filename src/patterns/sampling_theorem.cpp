#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "conelu/patterns.hpp"
#include "require.hpp"

namespace conelu {
namespace {

void require_probability(const char* name, double value) {
  if (value > 0 && value <= 1) return;
  throw std::invalid_argument(fmt::format("{}: is {}, expected a number in (0, 1]", name, value));
}

}  // namespace

Index sampled_patterns_needed(Index samples, double psi, double xi) {
  require(samples >= 0, fmt::format("samples: is {}, expected a number >= 0", samples));
  require_probability("psi", psi);
  require_probability("xi", xi);
  const double needed = static_cast<double>(samples + 1) / (psi * xi) - 1;
  if (!(needed < 9e15)) {
    throw std::invalid_argument(
        fmt::format("psi, xi: {} and {} need {:.3g} patterns, which is beyond reach", psi, xi, needed));
  }
  // A quotient that should be a whole number may come out a rounding error above it.
  return static_cast<Index>(std::ceil(needed - 1e-12 * (needed + 1)));
}

double sampling_confidence(Index samples, Index drawn) {
  require(samples >= 0, fmt::format("samples: is {}, expected a number >= 0", samples));
  require(drawn >= 0, fmt::format("drawn: is {}, expected a number >= 0", drawn));
  return std::min(1.0, static_cast<double>(samples + 1) / static_cast<double>(drawn + 1));
}

}  // namespace conelu
