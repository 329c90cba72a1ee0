#pragma once

#include <fstream>
#include <limits>
#include <string>

#include "conelu/pattern_set.hpp"
#include "conelu/read_data.hpp"
#include "conelu/threat.hpp"
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

/// min_k e_k x_k'u - |eps o u|_q over all rows: positive if u is strictly inside the cone whatever the attacker does.
inline double robust_margin(const Matrix& X, const Vector& signs, const Vector& u, const Threat& threat) {
  return (signs.asDiagonal() * X * u).minCoeff() - threat.worst_change(u);
}

/// A radius of its own for every feature. `kind` 0: the same for all; 1: all different; 2: some are 0.
inline Threat random_threat(Norm norm, Index d, double size, Index kind, Random& random) {
  Threat threat{norm, Vector::Constant(d, size)};
  if (kind == 0) return threat;
  for (double& radius : threat.radii) radius *= kind == 2 && random.below(2) == 0 ? 0.0 : 2 * random.uniform();
  if (!threat.active()) threat.radii(random.below(d)) = size;
  return threat;
}

inline bool has_reference_cases() { return std::ifstream(std::string(CONELU_SHARED_DIR) + "/cases/index.json").good(); }

/// Base name of the files of a reference case.
inline std::string reference_case(const std::string& name) { return std::string(CONELU_SHARED_DIR) + "/cases/" + name; }

inline Dataset reference_data(const std::string& name) {
  ReadSettings settings;
  settings.task = Task::classification;
  return read_dataset(reference_case(name) + ".npz", settings);
}

}  // namespace conelu::test
