#pragma once

#include "conelu/linear_algebra.hpp"

namespace conelu {

/// What the cone {u : e_k x_k'u >= 0 for all k} of a pattern holds.
enum class Liveness {
  live,  ///< an interior: `witness` has e_k x_k'u > 0 for all non-zero rows
  zero,  ///< nothing but u = 0
  thin,  ///< more than 0 but no interior: some rows hold with equality for every u in it
};

struct LivenessVerdict {
  Liveness liveness = Liveness::zero;
  Vector witness;  ///< live: unit length and as far from the walls as cheaply found
  /// Not live: y >= 0 with sum_k y_k e_k x_k = 0 up to rounding and sum_k y_k |x_k| = 1, which prove that there is no
  /// interior (Gordan's theorem).
  Vector multipliers;
};

/// Decides the cone of the rows `signs_k x_k`, signs in {-1, +1}. Zero rows are ignored; without others any direction
/// is a witness. Neither the lengths of the rows nor the units of the columns matter. One small linear program for live
/// and zero cones; thin ones take another on their face.
///
/// A witness is always strictly inside, beyond rounding. A cone so narrow that no direction keeps a distance of 1e-11
/// from its walls may be called thin or zero; then the multipliers are a proof up to that number only.
/// Throws std::invalid_argument if X has no columns or `signs` does not fit.
LivenessVerdict decide_liveness(const MatrixView& X, const VectorView& signs);

}  // namespace conelu
