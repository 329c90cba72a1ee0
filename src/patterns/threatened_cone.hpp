#pragma once

#include "patterns/cone.hpp"

namespace conelu {

/// The cone {u : S_k'u >= |radii o u|_q for all k} of at least one row S_k = e_k x_k. The radii are those of the
/// leading columns, all positive, at least one; nobody can perturb the others, the free columns.
///
/// It has an interior if the largest margin min_k S_k'u of a direction with |radii o u|_q <= 1 is above 1, and none if
/// it is below: MarginProgram in the units v = radii o u tells. Most dead cones of real data need no program, because
/// two of their rows already contradict each other. Near 1 the verdict holds to about 1e-11, relative to the radii.
ConeVerdict decide_threatened_cone(const Matrix& S, const Threat& threat);

}  // namespace conelu
