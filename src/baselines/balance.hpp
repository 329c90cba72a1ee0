#pragma once

#include "conelu/network.hpp"

namespace conelu::baselines {

/// Gives both layers of every neuron the same size. The network computes the same, and its penalty becomes
/// beta sum_j |u_j| with u_j = output_j (hidden_j, hidden_bias_j), which is never more than it was. A neuron with a
/// layer of 0 does nothing and becomes 0.
void balance(Network& network);

/// Without the neurons that are at most `share` of the largest |u_j|. For a balanced network.
Network without_small_neurons(const Network& network, double share);

}  // namespace conelu::baselines
