#pragma once

#include <limits>

#include "conelu/threat.hpp"

/// What certificates allow for their own rounding.
namespace conelu::rounding {

/// Twice the unit roundoff.
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The share of the sum of absolute terms up to which an inner product of that many terms is trusted, in whatever order
/// BLAS adds them.
constexpr double share(Index terms) { return static_cast<double>(terms + 8) * kEpsilon; }

/// Threat::worst_change(u) rounded up, without allocating; infinite where a product overflows.
double worst_change_above(const Threat& threat, const Eigen::Ref<const Vector>& u);

}  // namespace conelu::rounding
