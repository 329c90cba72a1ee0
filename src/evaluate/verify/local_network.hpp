#pragma once

#include "evaluate/verify/forward.hpp"
#include "evaluate/verify/region.hpp"

namespace conelu::verification {

/// A network on a region. Neurons that cannot change sides there have gone into one linear function, the others are
/// listed:
///
///     f(v) = constant + slope'v + sum_j output_j (t_j + w_j'v)_+
///
/// up to rounding. The allowances cover the difference to the network with the weights as they are stored and exact
/// arithmetic, and also to what anybody gets who evaluates it in double precision: nobody breaks a row that is robust.
struct LocalNetwork {
  LocalNetwork(const Forward& network, const Region& region);

  Index unstable() const { return t.size(); }
  /// A sum of the terms of the output, as large as they can be.
  double size() const;
  /// The error of the whole output at most.
  double largest_error() const;

  const Region& region;
  Index neurons;  ///< all of them

  double constant;
  Vector slope;
  double lost;  ///< error of constant + slope'v

  Matrix W;             ///< columns w_j
  Vector t;             ///< pre-activations at x
  Vector output;        ///< never 0
  Vector reach;         ///< |w_j|_q, rounded up
  Vector error;         ///< of t_j + w_j'v, but for the sums over neurons
  Vector lower, upper;  ///< t_j + w_j'v stays between them, as does what is computed for it; they differ in sign
};

}  // namespace conelu::verification
