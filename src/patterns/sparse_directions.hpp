#pragma once

#include <vector>

#include "conelu/threat.hpp"
#include "linalg/random.hpp"

namespace conelu {

/// A direction by its non-zero entries.
struct SparseDirection {
  std::vector<Index> features;
  std::vector<double> entries;

  bool operator==(const SparseDirection&) const = default;
};

/// Random directions along which data tends to fall into groups, a mixture of kinds that take turns:
///
/// - two or three features with small whole coefficients, in units of their smallest step: sums of counts, grades and
///   answers stay on a grid, and a grid has gaps;
/// - two or three features, and any number of them, with normal coefficients;
/// - the difference of two samples, or of the two classes' means, on a few features where it is large.
///
/// With labels, the two samples are of different classes (targets above and below their mean), and a direction goes the
/// labels' way: along a feature in which the classes' means clearly differ it points from the lower to the upper class.
/// A threshold then says that several such features together are large, not that one is large and another small, which
/// fits noise as readily.
class SparseDirections {
 public:
  /// `features`: the columns to use, at least one.
  SparseDirections(const MatrixView& X, std::vector<Index> features, const Threat& threat, const VectorView& labels,
                   std::uint64_t seed);

  SparseDirection next();

  /// From now on directions go any way. False if they did so before.
  bool ignore_trends();

 private:
  SparseDirection any_way();
  SparseDirection whole_numbers();
  SparseDirection normal_numbers(Index size);
  SparseDirection difference(const Vector& change);
  SparseDirection difference_of_samples();
  SparseDirection difference_of_means();
  Vector clear_trends() const;
  /// `size` different positions in features_, at random.
  std::vector<Index> choose(Index size);
  Index few() { return std::min<Index>(count(), 2 + random_.below(2)); }
  Index any_number();
  Index count() const { return static_cast<Index>(features_.size()); }

  MatrixView X_;
  std::vector<Index> features_;
  Vector spread_;                     ///< of each feature, the length of a typical difference
  Vector step_;                       ///< smallest difference of a feature with few values, else the spread
  Vector cost_;                       ///< radius in units of the spread
  std::vector<Index> upper_, lower_;  ///< samples of the two classes; both empty without labels
  Vector trend_;                      ///< by column of X: the sign of the upper class minus the lower; 0 where unclear
  Random random_;
  Index turn_ = 0;
};

}  // namespace conelu
