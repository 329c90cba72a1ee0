#pragma once

#include "conelu/dataset.hpp"
#include "conelu/export.hpp"

namespace CONELU_API conelu {

/// What happens to features before the network sees them; it travels with the model.
struct Preprocessing {
  Vector center;  ///< subtracted; empty: nothing
  Vector scale;   ///< divided by afterwards; empty: nothing

  /// Means and standard deviations (population; a constant column keeps scale 1) with the samples' weights.
  static Preprocessing standardize(const Dataset& data);

  /// Throws std::invalid_argument if X has another number of columns.
  Matrix apply(const MatrixView& X) const;
};

/// X with a last column of ones: the bias is an ordinary weight of the convex program.
Matrix with_bias(const MatrixView& X);

}  // namespace conelu
