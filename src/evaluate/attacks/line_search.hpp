#pragma once

#include <vector>

#include "conelu/network.hpp"

namespace conelu::attacks {

/// The highest point of side * f on a line, exactly: along it every preactivation is t_j + s u_j, and f is linear but
/// for a kink at s = -t_j / u_j, where its slope rises by output_j |u_j|.
class LineSearch {
 public:
  struct Best {
    double step = 0;
    double gain = 0;  ///< over step 0
  };

  explicit LineSearch(const Network& network) : network_(network) {}

  /// For steps from -behind to ahead.
  Best find(double side, const VectorView& t, const VectorView& u, double behind, double ahead);

 private:
  struct Kink {
    double step;
    double change;  ///< of the slope
  };

  const Network& network_;
  Vector crossings_;  // below 0 for neurons that change sides on the way
  std::vector<Kink> kinks_;
};

}  // namespace conelu::attacks
