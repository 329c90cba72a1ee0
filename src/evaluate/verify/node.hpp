#pragma once

#include <limits>
#include <vector>

#include "conelu/linear_algebra.hpp"

namespace conelu::verification {

/// What the search makes small, sign f + shift: in classification y f, in regression both f - y and y - f.
struct Side {
  double sign = 1;
  double shift = 0;
};

/// A half-space sign z_neuron >= 0 of the pre-activation of an unstable neuron.
struct HalfSpace {
  Index neuron;
  double sign;
};

/// A part of the region: there the unstable neurons' pre-activations lie between bounds, and in the half-spaces that
/// the search has chosen. Points of a value above the ceiling were left out of account when the bounds were found.
struct Node {
  Side side;
  Vector lower, upper;
  std::vector<HalfSpace> halves;
  double bound = -std::numeric_limits<double>::infinity();  ///< no point of it that counts has a smaller value
  double ceiling = std::numeric_limits<double>::infinity();
};

/// constant + slope'v: nowhere in a node above the value, in spite of rounding.
struct Minorant {
  double constant = -std::numeric_limits<double>::infinity();
  Vector slope;
  double lowest = -std::numeric_limits<double>::infinity();  ///< in the region
};

}  // namespace conelu::verification
