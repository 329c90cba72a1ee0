#pragma once

#include <array>

#include "conelu/linear_algebra.hpp"

namespace conelu {

constexpr Index kMostEdges = 12;  ///< of a cone: the rank of what can be searched at all

/// The Gram matrix of a cone's edges, which lie in one orthant: its entries are sums of products that are not negative.
using ConeGram = std::array<std::array<double, kMostEdges>, kMostEdges>;
using EdgeValues = std::array<double, kMostEdges>;

/// The largest value on cone and unit ball of the linear function with value y_i at edge v_i, from above.
///
/// maximise y'l subject to l >= 0, |Vl| <= 1. For any p with V'p >= y it is at most |p|, since y'l <= p'Vl. The best p
/// is Vl for the l of maximise y'l - |Vl|^2 / 2, found by adding one edge after another (Lawson and Hanson), and is
/// made longer until it fits: any l gives a bound. `margin` is what may be missing from each y_i. `l` takes the weights
/// of the maximiser.
double cone_length_above(const ConeGram& gram, const EdgeValues& y, Index edges, double margin, EdgeValues& l);

}  // namespace conelu
