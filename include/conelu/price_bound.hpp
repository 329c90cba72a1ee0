#pragma once

#include <functional>

#include "conelu/export.hpp"
#include "conelu/prices.hpp"
#include "conelu/solver.hpp"

namespace CONELU_API conelu {

struct PriceBoundSettings {
  double target = 0;              ///< stop once the largest price is proven to be at most this (0: the tolerance alone)
  double tolerance = 1e-3;        ///< stop as well once upper <= (1 + tolerance) lower
  double time_limit = 1e9;        ///< seconds
  Index node_limit = 1000000000;  ///< cones to look at
  int threads = 0;                ///< 0: OpenMP's choice. Without a limit of time the results do not depend on it

  /// One list for range checks and documentation.
  template <class Self, class Visitor>
  static void visit(Self& s, Visitor&& field) {
    field("target", s.target, 0.0, 1e300);
    field("tolerance", s.tolerance, 1e-8, 1e6);
    field("time_limit", s.time_limit, 0.0, 1e9);
    field("node_limit", s.node_limit, Index{0}, Index{1000000000000});
    field("threads", s.threads, 0, 1024);
  }
};

struct PriceBound {
  double upper = 0;             ///< proven, rounding included: no unit direction has a price of larger absolute value
  double lower = 0;             ///< the largest |price| met; 0 if the rank is too large for a search
  PricedDirections met;         ///< some hundreds at most of those above `worth`, and the largest in any case
  Stop stop = Stop::converged;  ///< iteration_limit: of nodes; numerical_trouble: rounding or too many dimensions
  Index rank = 0;               ///< dimension that was searched: that of the row space of the samples with nu_k != 0
  Index nodes = 0;              ///< cones looked at
  double seconds = 0;

  bool converged() const { return stop == Stop::converged; }
};

/// An upper bound on the largest price, max of |nu'(Xu)_+| over |u| <= 1, by branch and bound over cones of directions.
///
/// If R bounds it, nu times beta / R is feasible for the dual of training with any number of neurons, and its value a
/// lower bound on what every network reaches. The work grows like (size / beta)^((r - 1) / 2) for rank r: six features
/// take seconds, nine a minute if beta is large, twelve are out of reach (ask price_bound_nodes beforehand), and then
/// the bound is that of the eigenvalues or whatever the limits allow. It is valid whenever the search ends.
///
/// With z_k = nu_k x_k / 2 the price is sum z_k'u + sum of +-|z_k'u|. On a cone with edges v_i the terms with + are
/// convex: at u = sum l_i v_i at most sum l_i |z_k'v_i|. Those with - are concave: at most their linearisation
/// anywhere. So a linear function is left, whose maximum over cone and ball is |p| at most for any p with v_i'p >= its
/// value at v_i. Cones start as orthants of the row space and are cut in two through the middle of an edge. Vertices
/// are sums of dyadic numbers, exact in binary: the cones cover all directions without a gap.
///
/// `worth`: prices above it are collected in `met`, each with a pattern of its own, in falling order. `go_on` is asked
/// some ten times a second on the calling thread and must not throw; once it says no, what is known by then is
/// returned. Throws std::invalid_argument naming the argument that does not fit.
PriceBound bound_prices(const MatrixView& X, const VectorView& nu, double worth,
                        const PriceBoundSettings& settings = {}, const std::function<bool()>& go_on = {});

/// How many nodes it takes, more or less, to prove that no price is above `target`, by Knuth's estimate: a random walk
/// down the tree that meets k forks stands for 2^k nodes. Unbiased, and mostly too low, for few walks see the largest
/// subtrees. Infinite if the rank is too large or a price above the target was met. Takes a fraction of a second.
double price_bound_nodes(const MatrixView& X, const VectorView& nu, double target, Index walks = 500);

}  // namespace conelu
