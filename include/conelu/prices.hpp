#pragma once

#include <cstdint>
#include <functional>

#include "conelu/export.hpp"
#include "conelu/loss.hpp"
#include "conelu/pattern_set.hpp"

namespace CONELU_API conelu {

struct PriceSettings {
  Index starts = 2000;     ///< random directions to climb from, beside those that are given
  int steps = 120;         ///< of the ascent from the most promising starts; the others are given up on the way
  std::uint64_t seed = 0;  ///< of the random directions

  /// One list for range checks and documentation.
  template <class Self, class Visitor>
  static void visit(Self& s, Visitor&& field) {
    field("starts", s.starts, Index{0}, Index{100000000});
    field("steps", s.steps, 0, 1000000);
  }
};

/// Directions and what their neurons are worth.
struct PricedDirections {
  Matrix directions;  ///< d x m, unit length, each with a pattern of its own, in falling order of |price|
  Vector prices;      ///< m: nu'(Xu)_+ of each. A neuron with a positive price wants a negative output weight

  double largest() const { return prices.size() > 0 ? std::abs(prices(0)) : 0.0; }
};

/// nu'(Xu)_+ for every column u of `directions`.
Vector prices_of(const MatrixView& X, const VectorView& nu, const MatrixView& directions);

/// Directions u, |u| = 1, with a large price |nu'(Xu)_+|.
///
/// At a dual point nu of standard training (nu_k: the derivative of the weighted loss by the output at sample k), a
/// neuron in direction u lowers the optimum exactly if its price is above beta: that is the constraint of the dual
/// which the neurons at hand do not enforce. At nu = the derivative at the zero network, the largest price is the
/// smallest beta at which that network is optimal.
///
/// Climbs on the sphere from many starts at once, two products of matrices a step for all of them. Within a cell the
/// price is linear, c'u with c = sum of nu_k x_k over the active samples, and largest at c / |c|: that is the first
/// step; one that does not pay is made shorter. Starts are random directions, hyperplanes between random samples (rows
/// with nu_k = 0 do not count) and the columns of `first`, if any. Most starts are given up on the way.
///
/// What is found is a lower bound on the largest price. It depends on the seed and not on the number of threads.
/// `go_on` is asked after every step; once it says no, what was found so far is returned. Throws std::invalid_argument
/// naming the argument that does not fit.
PricedDirections find_prices(const MatrixView& X, const VectorView& nu, const PriceSettings& settings = {},
                             const MatrixView& first = Matrix(), const std::function<bool()>& go_on = {});

/// nu at the zero network: the derivative of the weighted loss of each sample by the output, at 0. At a kink it is the
/// mean of both sides.
Vector slopes_at_zero(const Loss& loss, const VectorView& y, const VectorView& loss_weights);

/// The smallest beta at which the zero network is optimal: the largest price at zero, as far as find_prices finds it. A
/// natural unit for beta: useful values lie between a thousandth and a third of it, whatever the loss and the data.
double beta_max(const MatrixView& X, const VectorView& y, const VectorView& loss_weights, const Loss& loss,
                std::uint64_t seed = 0);

}  // namespace conelu
