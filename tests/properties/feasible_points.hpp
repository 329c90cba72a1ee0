#pragma once

#include <string>
#include <vector>

#include "conelu/solver.hpp"

namespace conelu::properties {

/// A point of a program and where it came from.
struct NamedPoint {
  std::string name;
  Matrix blocks;
};

/// Points that a lower bound must not exceed: zero, the solution shrunk and stretched, random points of all sizes, and
/// points between these and the solution. All are meant to be feasible; rounding may leave some a hair outside.
std::vector<NamedPoint> feasible_points(const Program& program, const Matrix& solution, std::uint64_t seed);

}  // namespace conelu::properties
