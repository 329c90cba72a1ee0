#pragma once

#include "conelu/linear_algebra.hpp"

namespace conelu {

/// An orthonormal basis of R^m: the first `rank` columns span the columns of A, the others their complement.
struct OrthogonalBasis {
  Matrix Q;
  Index rank;
};

/// Columns whose distance from the span of the others is below threshold times the longest count as dependent.
OrthogonalBasis orthogonal_basis(const Matrix& A, double threshold);

}  // namespace conelu
