#include "network/stacked.hpp"

#include <algorithm>

namespace conelu {

StackedNetwork stack(const std::vector<Network>& networks) {
  Index neurons = 0;
  for (const Network& network : networks) neurons += network.neurons();
  neurons = std::max(neurons, Index{1});
  const auto count = static_cast<Index>(networks.size());
  StackedNetwork stacked{Matrix::Zero(neurons, networks.front().inputs()), Vector::Zero(neurons),
                         Matrix::Zero(count, neurons), Vector::Zero(count),
                         std::vector<Index>(static_cast<std::size_t>(neurons))};
  Index first = 0;
  for (Index k = 0; k < count; ++k) {
    const Network& network = networks[static_cast<std::size_t>(k)];
    stacked.hidden.middleRows(first, network.neurons()) = network.hidden;
    stacked.hidden_bias.segment(first, network.neurons()) = network.hidden_bias;
    stacked.output.row(k).segment(first, network.neurons()) = network.output.transpose();
    stacked.output_bias(k) = network.output_bias;
    std::fill_n(stacked.owner.begin() + first, network.neurons(), k);
    first += network.neurons();
  }
  return stacked;
}

}  // namespace conelu
