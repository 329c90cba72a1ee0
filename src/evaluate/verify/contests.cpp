#include "evaluate/verify/contests.hpp"

namespace conelu::verification {
namespace {

/// The second network's output bias becomes a neuron that is always active: a difference of the two would hide how
/// large they were, and with it the rounding errors of whoever compares the outputs.
Network difference(const Network& f, const Network& g) {
  const Index m = f.neurons() + g.neurons() + 1;
  Network result;
  result.hidden.resize(m, f.inputs());
  result.hidden << f.hidden, g.hidden, Eigen::RowVectorXd::Zero(f.inputs());
  result.hidden_bias.resize(m);
  result.hidden_bias << f.hidden_bias, g.hidden_bias, 1.0;
  result.output.resize(m);
  result.output << f.output, -g.output, -g.output_bias;
  result.output_bias = f.output_bias;
  return result;
}

}  // namespace

Contests::Contests(const std::vector<Network>& networks) {
  const auto count = static_cast<Index>(networks.size());
  for (Index c = 0; c < count; ++c) {
    for (Index l = c + 1; l < count; ++l) {
      const Network pair = difference(networks[static_cast<std::size_t>(c)], networks[static_cast<std::size_t>(l)]);
      pairs_.push_back({c, l, Forward(pair)});
    }
  }
}

std::vector<Contest> Contests::of_class(Index label) const {
  std::vector<Contest> contests;
  for (const Pair& pair : pairs_) {
    if (pair.first == label) contests.push_back({&pair.difference, 1.0});
    if (pair.second == label) contests.push_back({&pair.difference, -1.0});
  }
  return contests;
}

}  // namespace conelu::verification
