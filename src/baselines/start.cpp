#include "baselines/start.hpp"

#include <cmath>

#include "baselines/balance.hpp"

namespace conelu::baselines {

double target_size(const Vector& y) {
  const double size = std::sqrt(y.squaredNorm() / static_cast<double>(y.size()));
  return std::isnormal(size) ? size : 1.0;
}

Network random_start(const Samples& samples, const Coordinates& coordinates, Index neurons, bool bias, Random& random) {
  const Index d = samples.points.rows();
  const double size = std::sqrt(target_size(samples.y) / std::sqrt(static_cast<double>(neurons)));
  Network network{Matrix(neurons, d), Vector::Zero(neurons), Vector(neurons)};
  for (Index j = 0; j < neurons; ++j) {
    for (Index a = 0; a < d; ++a) network.hidden(j, a) = random.normal();
    network.hidden.row(j) *= size / network.hidden.row(j).norm();
    network.output(j) = random.uniform() < 0.5 ? -size : size;
  }
  network.hidden *= coordinates.scale().cwiseInverse().asDiagonal();
  for (Index j = 0; bias && j < neurons; ++j) {
    network.hidden_bias(j) = -network.hidden.row(j).dot(samples.points.col(random.below(samples.size())));
  }
  balance(network);
  return network;
}

}  // namespace conelu::baselines
