#pragma once

#include "baselines/coordinates.hpp"
#include "linalg/random.hpp"

namespace conelu::baselines {

/// Size of the targets: 1 for labels. Both layers of a network with such outputs are as large as its root.
double target_size(const Vector& y);

/// Weights to start from: in the given coordinates hidden weights of random directions and, with a bias, the kink of
/// every neuron at a random sample, so that none is dead or linear on all of them. Both layers are of the same size,
/// such that outputs are about as large as the targets (He et al. 2015 for one hidden layer).
Network random_start(const Samples& samples, const Coordinates& coordinates, Index neurons, bool bias, Random& random);

}  // namespace conelu::baselines
