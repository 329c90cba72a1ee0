#pragma once

#include "conelu/threat.hpp"

namespace conelu {

/// One radius per input, or none at all. Each is 0 or between the limits that Program has, too: products of larger ones
/// overflow, and then an attack breaks everything and a proof proves nothing.
/// Throws std::invalid_argument naming eps.
void check_radii(const Vector& radii, Index inputs);

}  // namespace conelu
