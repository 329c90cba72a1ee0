#pragma once

#include <limits>

#include "conelu/pattern_set.hpp"
#include "linalg/random.hpp"

namespace conelu::test {

inline Matrix normal_samples(Index n, Index d, std::uint64_t seed) {
  Random random(seed);
  return Matrix::NullaryExpr(n, d, [&] { return random.normal(); });
}

/// Points in the plane with a bias: rank 3.
inline Matrix plane_samples(Index n, std::uint64_t seed) {
  Matrix X = normal_samples(n, 3, seed);
  X.col(2).setOnes();
  return X;
}

inline Vector signs_of(const PatternSet& patterns, Index i) {
  return Vector::NullaryExpr(patterns.samples(), [&](Index k) { return patterns.active(i, k) ? 1.0 : -1.0; });
}

/// min_k e_k x_k'u / (|x_k| |u|) over the non-zero rows: positive if u is strictly inside the cone of the signs.
inline double margin(const Matrix& X, const Vector& signs, const Vector& u) {
  double least = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < X.rows(); ++k) {
    const double norm = X.row(k).norm();
    if (norm > 0) least = std::min(least, signs(k) * X.row(k).dot(u) / (norm * u.norm()));
  }
  return least;
}

}  // namespace conelu::test
