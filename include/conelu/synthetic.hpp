#pragma once

#include <cstdint>

#include "conelu/dataset.hpp"
#include "conelu/export.hpp"

namespace CONELU_API conelu {

/// Two classes in the square [-2, 2]^2, the setting of the paper's two-dimensional figure: uniform points, labelled by
/// which side of a random wave they lie on and kept off the wave by a small margin. Each class has at least a quarter
/// of them. A line fits such points only by accident, when they are few (two sets of 34 in a hundred).
Dataset plane_dataset(Index samples, std::uint64_t seed);

}  // namespace conelu
