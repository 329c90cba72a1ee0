#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conelu/linear_algebra.hpp"

namespace conelu {

enum class Task { classification, regression };

/// Samples as they enter the network's preprocessing: no bias column, no scaling.
///
/// In classification y is -1 or +1 and `classes` holds the two labels as they
/// were written, negative first. In regression `classes` is empty.
struct Dataset {
  Matrix X;
  Vector y;                           ///< empty if the file holds no target
  Vector weights;                     ///< one per row, > 0 or = 0 (row is dropped); empty = all ones
  std::vector<std::string> features;  ///< one name per column
  std::vector<std::string> classes;   ///< {negative, positive} or empty

  Index samples() const { return X.rows(); }
};

/// The rows named in `rows`, in that order, with everything that belongs to them.
Dataset select_rows(const Dataset& data, const std::vector<Index>& rows);

/// Without the rows of weight 0, which mean "not there".
Dataset drop_zero_weights(const Dataset& data);

/// Splits off `round(fraction * n)` rows (at least 1, at most n - 1) as {train, test}; classes keep their shares.
/// Depends on the seed alone, not on the number of threads.
std::pair<Dataset, Dataset> split(const Dataset& data, double test_fraction, std::uint64_t seed);

}  // namespace conelu
