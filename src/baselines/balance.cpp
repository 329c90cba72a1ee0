#include "baselines/balance.hpp"

#include <cmath>
#include <vector>

namespace conelu::baselines {

void balance(Network& network) {
  for (Index j = 0; j < network.neurons(); ++j) {
    const double inner = std::hypot(network.hidden.row(j).stableNorm(), network.hidden_bias(j));
    const double outer = std::abs(network.output(j));
    const double factor = inner > 0 ? std::sqrt(outer / inner) : 0.0;
    network.hidden.row(j) *= factor;
    network.hidden_bias(j) *= factor;
    network.output(j) = factor > 0 ? network.output(j) / factor : 0.0;
  }
}

Network without_small_neurons(const Network& network, double share) {
  const Vector sizes = network.output.cwiseAbs2();  // |u_j| in balance
  const double limit = sizes.size() > 0 ? share * sizes.maxCoeff() : 0.0;
  std::vector<Index> kept;
  for (Index j = 0; j < sizes.size(); ++j) {
    if (sizes(j) > limit) kept.push_back(j);
  }
  return {network.hidden(kept, Eigen::all), network.hidden_bias(kept), network.output(kept), network.output_bias};
}

}  // namespace conelu::baselines
