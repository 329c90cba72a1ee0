#pragma once

#include <limits>
#include <vector>

#include "conelu/linear_algebra.hpp"

namespace conelu {

/// X in units of its own: every column that is not zero has its largest entry in [1, 2).
///
/// The scales are powers of two, so `rows` is exact and x_k'u = rows_k'(u / scale) holds to the last bit. What is
/// decided about rows of X does not depend on whether a feature is given in metres or in millimetres.
struct ScaledRows {
  Matrix rows;   ///< X diag(scale)
  Vector norms;  ///< of these rows
  Vector scale;
  std::vector<Index> nonzero;  ///< rows that are not zero

  /// With radii, one per column, entries are at most as large as the larger of the two.
  explicit ScaledRows(const MatrixView& X, const Vector& radii = {});

  /// The non-zero rows, divided by their length.
  Matrix unit_rows() const;

  /// The direction of X that is u in these units, with unit length.
  Vector unscaled(const VectorView& u) const { return (scale.array() * u.array()).matrix().stableNormalized(); }
};

/// A product x'u above this share of |x| |u| has its sign beyond doubt, whatever the order of summation.
inline double rounding_share(Index dimension) {
  return 8.0 * static_cast<double>(dimension) * std::numeric_limits<double>::epsilon();
}

/// X a, summed in an order that does not depend on threads or machine.
Vector products_in_order(const MatrixView& X, const VectorView& a);

/// True only if the rows of A span the whole space: A'A - tau I is positive definite, with tau far above rounding.
/// Much cheaper than the rank itself, which is needed only when this says no.
bool surely_span(const Matrix& A);

}  // namespace conelu
