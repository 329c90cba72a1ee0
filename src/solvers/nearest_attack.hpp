#pragma once

#include "conelu/threat.hpp"

namespace conelu {

/// Moves the attack into |a / radii|_p <= size, to the nearest one there (in the Euclidean sense).
void move_into_reach(const Threat& threat, double size, Eigen::Ref<Vector> attack);

}  // namespace conelu
