#include "conelu/synthetic.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "linalg/random.hpp"

namespace conelu {
namespace {

constexpr double half_width = 2;

/// x2 = amplitude sin(frequency x1 + phase), which crosses the square in about two waves.
struct Wave {
  double amplitude, frequency, phase;

  explicit Wave(Random& random)
      : amplitude(1.2 + 0.4 * random.uniform()),
        frequency(2.4 + 0.6 * random.uniform()),
        phase(2 * std::numbers::pi * random.uniform()) {}

  /// About the distance to the curve, positive above it.
  double side(double x1, double x2) const {
    const double angle = frequency * x1 + phase;
    const double slope = amplitude * frequency * std::cos(angle);
    return (x2 - amplitude * std::sin(angle)) / std::sqrt(1 + slope * slope);
  }
};

}  // namespace

Dataset plane_dataset(Index samples, std::uint64_t seed) {
  constexpr double margin = 0.1;  // leaves a visible lane along the curve
  if (samples < 2) throw std::invalid_argument(fmt::format("two classes need at least 2 samples, not {}", samples));
  Random random(seed);
  const Wave wave(random);
  Dataset data{Matrix(samples, 2), Vector(samples), {}, {"x1", "x2"}, {"0", "1"}};

  const Index largest_class = samples - (samples + 3) / 4;  // the other keeps a quarter
  std::array<Index, 2> counts{};
  for (Index k = 0; k < samples;) {
    const double x1 = half_width * (2 * random.uniform() - 1);
    const double x2 = half_width * (2 * random.uniform() - 1);
    const double side = wave.side(x1, x2);
    Index& count = counts[side > 0 ? 1 : 0];
    if (std::abs(side) < margin || count == largest_class) continue;
    data.X.row(k) << x1, x2;
    data.y[k] = side > 0 ? 1 : -1;
    ++count;
    ++k;
  }
  return data;
}

}  // namespace conelu
