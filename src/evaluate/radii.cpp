#include "evaluate/radii.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace conelu {
namespace {

constexpr double kSmallestRadius = 1e-60;
constexpr double kLargestRadius = 1e60;

}  // namespace

void check_radii(const Vector& radii, Index inputs) {
  if (radii.size() == 0) return;
  if (radii.size() != inputs) {
    throw std::invalid_argument(fmt::format("eps: has {} radii, expected {}, one per input", radii.size(), inputs));
  }
  for (Index a = 0; a < inputs; ++a) {
    if (radii(a) == 0 || (radii(a) >= kSmallestRadius && radii(a) <= kLargestRadius)) continue;
    throw std::invalid_argument(fmt::format("eps: the radius of input {} is {}, expected 0 or a number from {} to {}",
                                            a, radii(a), kSmallestRadius, kLargestRadius));
  }
}

}  // namespace conelu
