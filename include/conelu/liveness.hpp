#pragma once

#include "conelu/export.hpp"
#include "conelu/threat.hpp"

namespace CONELU_API conelu {

/// What the cone {u : e_k x_k'u >= |eps o u|_q for all k} of a pattern holds.
enum class Liveness {
  live,  ///< an interior: `witness` has e_k x_k'u > |eps o u|_q for all rows (without a threat: all non-zero rows)
  zero,  ///< nothing but u = 0
  thin,  ///< more than 0 but no interior: some rows hold with equality for every u in it
};

struct LivenessVerdict {
  Liveness liveness = Liveness::zero;
  Vector witness;  ///< live: unit length and as far from the walls as cheaply found
  /// Not live: y >= 0 with sum_k y_k |x_k| = 1 (on rows of length 0 alone, sum y = 1) whose delta = sum_k y_k e_k x_k
  /// has |delta / eps|_p <= sum y up to rounding; where there is no radius, delta is 0. This is Gordan's theorem: were
  /// e_k x_k'u > |eps o u|_q for all k, summing over y would give |delta / eps|_p |eps o u|_q > (sum y) |eps o u|_q.
  Vector multipliers;
};

/// Decides the cone of the rows `signs_k x_k`, signs in {-1, +1}. The units of the columns do not matter, if the radii
/// are in the same; without a threat, neither do the lengths of the rows, and zero rows are ignored. Without rows that
/// count any direction is a witness. Takes one small convex program, often less with a threat and one more for thin
/// cones.
///
/// A witness is always strictly inside, beyond rounding. A cone so narrow that no direction keeps a distance of 1e-11
/// from its walls may be called thin or, without a threat, zero; then the multipliers are a proof up to that number
/// only. With a threat, zero is always proven with something to spare, and what is proven neither live nor zero is
/// thin: that takes radii which are, relatively, within about 1e-11 of those at which the pattern dies (1e-7 at worst
/// in 25,000 random problems tuned to be there).
///
/// Throws std::invalid_argument if X has no columns, or if `signs` or the radii do not fit.
LivenessVerdict decide_liveness(const MatrixView& X, const VectorView& signs, const Threat& threat = {});

}  // namespace conelu
