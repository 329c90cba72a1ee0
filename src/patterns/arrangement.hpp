#pragma once

#include "conelu/linear_algebra.hpp"
#include "patterns/scaled_rows.hpp"

namespace conelu {

/// Distinct hyperplanes through the origin of R^r that have only the origin in common, by their unit normals.
///
/// Floating-point input is never exactly degenerate, yet duplicated samples, grids and collinear points are common.
/// Every normal therefore carries a bound on its own error, and two hyperplanes are one when these bounds cannot tell
/// them apart.
struct Arrangement {
  Matrix normals;       ///< m x r, unit rows, no two parallel
  Vector errors;        ///< m
  bool certain = true;  ///< false if two hyperplanes became one although their errors left room for a cell between them

  Index rank() const { return normals.cols(); }
  Index size() const { return normals.rows(); }
  /// 2 sum_{k<r} C(m-1, k), the number of cells in general position and never less than it is; 1 for no hyperplane.
  double cell_bound() const;
};

/// The hyperplanes x_k'u = 0 of the rows of X, within the space that the rows span: outside of it nothing changes.
struct RowSpace {
  Matrix basis;  ///< d x r, orthonormal
  Arrangement arrangement;

  explicit RowSpace(const ScaledRows& X);
};

/// Merges rows that are parallel up to sign within their errors; rows must have unit length and span R^r.
Arrangement merge_parallel(const Matrix& normals, const Vector& errors);

/// The arrangement that the other hyperplanes cut out of hyperplane h, in the coordinates of `basis` (r x (r - 1)).
Arrangement restrict_to(const Arrangement& arrangement, Index h, const Matrix& basis);

/// Orthonormal columns that span the complement of a unit vector.
Matrix complement_of(const Vector& unit);

struct Cells {
  Matrix directions;     ///< as columns
  bool complete = true;  ///< false if a cell may be missing that is too thin to be told from rounding
};

/// One direction strictly inside each pair {C, -C} of opposite full-dimensional cells.
///
/// Every cell has a facet, and the facets on hyperplane h are the cells of the restriction to h: so the cells are found
/// by recursion on the rank, each once from every facet. A cell's direction lies on the line that leaves the facet at
/// its direction along the normal, half-way to the next hyperplane. In general position sum_{k<r} C(m-1, k) columns.
Cells half_of_cells(const Arrangement& arrangement);

}  // namespace conelu
