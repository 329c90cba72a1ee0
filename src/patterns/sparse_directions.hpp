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
/// With labels, the two samples are of different classes (targets above and below their mean).
class SparseDirections {
 public:
  /// `features`: the columns to use, at least one.
  SparseDirections(const MatrixView& X, std::vector<Index> features, const Threat& threat, const VectorView& labels,
                   std::uint64_t seed);

  SparseDirection next();

 private:
  SparseDirection whole_numbers();
  SparseDirection normal_numbers(Index size);
  SparseDirection difference(const Vector& change);
  SparseDirection difference_of_samples();
  SparseDirection difference_of_means();
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
  Random random_;
  Index turn_ = 0;
};

}  // namespace conelu
