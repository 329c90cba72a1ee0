#pragma once

#include "evaluate/attacks/landscape.hpp"

namespace conelu::attacks {

/// The highest point of every row that a search has seen, by whatever measure it climbs.
struct Peaks {
  Matrix points;          ///< d x rows
  Matrix preactivations;  ///< m x rows
  Vector heights;

  /// Where the landscape was looked at last, whatever the heights there.
  Peaks(const Matrix& start, const Landscape& landscape, Vector heights_there)
      : points(start), preactivations(landscape.preactivations()), heights(std::move(heights_there)) {}

  /// True if row k is higher there than ever.
  bool raise(Index k, double height, const VectorView& point, const VectorView& preactivation) {
    if (!(height > heights(k))) return false;
    points.col(k) = point;
    preactivations.col(k) = preactivation;
    heights(k) = height;
    return true;
  }
};

}  // namespace conelu::attacks
