#pragma once

#include "evaluate/verify/relaxation.hpp"

namespace conelu::verification {

/// Narrows the bounds of a node's concave neurons to the points at which the minorant is at most `cutoff`. False if
/// there are none. Convex neurons stay as they are: nothing is lost in them, and a relaxation that dropped one would be
/// lower than the network at points that no longer count.
///
/// With it, z_j <= z_j + b (cutoff - minorant) for every b >= 0, of which the largest value over the region is known in
/// closed form.
bool narrow(const LocalNetwork& network, const Minorant& minorant, double cutoff, Node& node);

/// An open neuron, and lower bounds of the value in the two halves that it cuts a node into.
struct Branch {
  Index neuron;
  double inactive;
  double active;
};

/// The candidate whose halves promise most. Their bounds are those of the relaxation's minorant with another weight for
/// this neuron: any >= 0 where it is inactive, any <= its own where it is active.
Branch best_branch(const LocalNetwork& network, const Relaxation& relaxation, const std::vector<Index>& candidates,
                   double cutoff);

}  // namespace conelu::verification
