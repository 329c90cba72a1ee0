#pragma once

#include <optional>

#include "conelu/liveness.hpp"
#include "patterns/margin_program.hpp"

namespace conelu {

struct ConeVerdict {
  Liveness liveness;
  Vector direction;    ///< live: inside the cone
  Vector multipliers;  ///< otherwise: one per row
};

/// The cone {u : A u >= 0} of unit rows, at least one; multipliers have sum 1.
ConeVerdict decide_cone(const Matrix& A);

/// The same for rows of any length and number, of which those that are rounding errors count for nothing.
Liveness liveness_of(Matrix A);

/// The program's y on the rows where it outweighs the slack, which in the limit are those that hold with equality on
/// the whole cone.
Vector tight_multipliers(const MarginProgram& program);

/// Multipliers y, sum 1, moved to A'y = 0 by the smallest relative change; empty if that fails.
std::optional<Vector> gordan_multipliers(const Eigen::Ref<const Matrix>& A, Vector y);

/// |A'y|_1 at which y counts as a proof, for rows of about unit length
inline constexpr double kProven = 1e-13;

}  // namespace conelu
