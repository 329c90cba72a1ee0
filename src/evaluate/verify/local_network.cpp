#include "evaluate/verify/local_network.hpp"

#include <cmath>

#include "program/rounding.hpp"

namespace conelu::verification {

using rounding::share;

LocalNetwork::LocalNetwork(const Forward& network, const Region& around)
    : region(around),
      neurons(network.neurons()),
      constant(network.output_bias),
      slope(Vector::Zero(around.dimension())),
      lost(share(neurons) * std::abs(network.output_bias)) {
  const Vector& x = region.x();
  Vector far = x.cwiseAbs();
  if (region.radii().size() > 0) far += region.radii();
  const Vector z = network.columns.transpose() * x + network.bias;
  const Vector sizes = network.sizes.transpose() * far + network.bias.cwiseAbs();

  W.resize(region.dimension(), neurons);
  for (Vector* values : {&t, &output, &reach, &error, &lower, &upper}) values->resize(neurons);
  Index count = 0;
  for (Index j = 0; j < neurons; ++j) {
    const double a = network.output(j);
    if (a == 0) continue;
    const Vector w = region.scaled(network.columns.col(j));
    // Once for t here and once for whoever evaluates the neuron somewhere in the region.
    const double rounded = 2 * share(network.inputs()) * sizes(j);
    const double least = z(j) + region.minimum(w) - rounded;
    const double most = z(j) - region.minimum(-w) + rounded;
    if (most <= 0) continue;
    const double largest_change = region.reach(w);
    if (least >= 0) {
      constant += a * z(j);
      slope += a * w;
      lost += std::abs(a) * (rounded + share(neurons) * (std::abs(z(j)) + largest_change));
      continue;
    }
    W.col(count) = w;
    t(count) = z(j);
    output(count) = a;
    reach(count) = largest_change;
    error(count) = rounded;
    lower(count) = least;
    upper(count) = most;
    ++count;
  }
  W.conservativeResize(Eigen::NoChange, count);
  for (Vector* values : {&t, &output, &reach, &error, &lower, &upper}) values->conservativeResize(count);
}

double LocalNetwork::size() const { return std::abs(constant) + region.reach(slope) + output.cwiseAbs().dot(upper); }

double LocalNetwork::largest_error() const {
  return lost + output.cwiseAbs().dot(2 * error + 4 * share(neurons) * (t.cwiseAbs() + reach));
}

}  // namespace conelu::verification
