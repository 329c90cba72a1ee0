#pragma once

#include <vector>

#include "conelu/linear_algebra.hpp"
#include "conelu/loss.hpp"

namespace conelu::baselines {

/// How many rows are worked on together: few enough for the cache, and always the same rows, so that sums do not depend
/// on the number of threads.
constexpr Index kSlice = 64;

/// Some rows of the data as columns, with what belongs to them.
struct Slice {
  Matrix points;  ///< d x rows
  Vector y;
  Vector loss_weights;  ///< c_k of the objective, as Program has them

  Index size() const { return points.cols(); }
};

/// What is trained on: the data as columns, once.
struct Samples {
  Matrix points;  ///< d x n
  Vector y;
  Vector loss_weights;

  Index size() const { return points.cols(); }
  /// The rows in slices, in that order; every weight is multiplied by `share`.
  std::vector<Slice> slices(const std::vector<Index>& rows, double share) const;
};

/// Derivative of phi(f, y) by f, from the loss's view of itself as cost(max_i slope_i f + offset_i); at a kink that of
/// one of the sides.
double loss_slope(const Loss& loss, double f, double y);

}  // namespace conelu::baselines
