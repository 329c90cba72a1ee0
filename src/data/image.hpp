#pragma once

#include <string>

#include "conelu/read_data.hpp"

namespace conelu {

/// Makes pictures smaller. A new pixel is the mean of the area that it covers; old pixels at its border count by the
/// part of them that lies inside.
class AreaAverage {
 public:
  /// Throws std::invalid_argument that begins with `path` if a picture would grow. Size 0 leaves pictures as they are.
  AreaAverage(ImageSize from, ImageSize to, const std::string& path);

  Index pixels() const { return to_.height * to_.width; }

  /// Rows of `plane`, and of the result, one after another.
  void apply(const double* plane, double* result) const;

 private:
  ImageSize from_, to_;
  Matrix vertical_, horizontal_;  ///< new pixels x old pixels; empty if pictures stay as they are
};

}  // namespace conelu
