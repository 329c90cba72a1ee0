#pragma once

#include <vector>

#include "conelu/network.hpp"

namespace conelu {

/// The networks of a model as one hidden layer, for formats that have no other: output(k, j) is 0 unless neuron j is of
/// network k. At least one neuron, because formats have trouble with none; it then has weights 0.
struct StackedNetwork {
  Matrix hidden;             ///< m x d
  Vector hidden_bias;        ///< m
  Matrix output;             ///< networks x m
  Vector output_bias;        ///< networks
  std::vector<Index> owner;  ///< m: the network that a neuron is of

  Index neurons() const { return hidden.rows(); }
  Index inputs() const { return hidden.cols(); }
  Index outputs() const { return output.rows(); }
};

/// The networks must have the same number of inputs.
StackedNetwork stack(const std::vector<Network>& networks);

}  // namespace conelu
