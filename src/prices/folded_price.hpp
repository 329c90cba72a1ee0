#pragma once

#include "conelu/linear_algebra.hpp"

namespace conelu {

/// A price as a function on the unit ball of the row space,
///
///     nu'(Xu)_+ = 2^exponent (g'a + sum_k |up_k'a| - sum_k |down_k'a|),   a = Q'u,
///
/// up to `residual` and for |a| <= `stretch`, since Q is orthonormal up to rounding. By (x)_+ = (x + |x|) / 2 a row
/// counts like its opposite: equal, opposite and proportional rows are one, and what cancels is gone.
struct FoldedPrice {
  Matrix Q;         ///< d x r; empty for the identity, if the rows span more than can be searched
  Vector g;         ///< r
  Matrix up, down;  ///< r columns; weights are part of the rows
  int exponent = 0;
  double size = 0;      ///< at least |g| plus the lengths of all rows, exponent aside
  double residual = 0;  ///< exponent aside
  double stretch = 1;

  Index rank() const { return g.size(); }
  /// What rounding may do to a value that is computed with that many operations on every row.
  double allowance(Index operations) const;
  /// For directions a as they are, not stretched.
  double value(const VectorView& a) const;
  /// Of the linear function that the price is around a.
  Vector gradient(const VectorView& a) const;

  /// A bound on the function above, exponent and all that is left out included, and rounded up.
  double restored(double bound) const;
  /// The largest bound that is at most `price` when restored, nearly.
  double reduced(double price) const;
};

/// Expects finite entries.
FoldedPrice fold_price(const MatrixView& X, const VectorView& nu);

/// max over |a| <= 1 of either sign of the function above, from eigenvalues: |g| plus the larger of sum_k |up_k'a| and
/// sum_k |down_k'a|, each at most sqrt(sum |z_k|) times the root of the largest eigenvalue of sum z_k z_k' / |z_k|.
double spectral_price_bound(const FoldedPrice& price);

}  // namespace conelu
