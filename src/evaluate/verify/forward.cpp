#include "evaluate/verify/forward.hpp"

#include <algorithm>
#include <cmath>

#include "program/rounding.hpp"

namespace conelu::verification {

using rounding::share;

Forward::Forward(const Network& network)
    : columns(network.hidden.transpose()),
      sizes(columns.cwiseAbs()),
      bias(network.hidden_bias),
      output(network.output),
      output_bias(network.output_bias) {}

Evaluation Forward::at(const VectorView& x) const {
  const Vector z = columns.transpose() * x + bias;
  const Vector size = sizes.transpose() * x.cwiseAbs() + bias.cwiseAbs();
  Evaluation result{output_bias, share(neurons()) * std::abs(output_bias)};
  for (Index j = 0; j < neurons(); ++j) {
    const double active = std::max(0.0, z(j));
    const double error = share(inputs()) * size(j);
    result.output += output(j) * active;
    if (z(j) > -error) result.error += std::abs(output(j)) * (error + share(neurons()) * active);
  }
  return result;
}

}  // namespace conelu::verification
