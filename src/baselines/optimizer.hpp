#pragma once

#include <memory>
#include <string>

#include "conelu/network.hpp"

namespace conelu::baselines {

/// A rule that turns gradients into steps, with what it remembers of earlier ones.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  virtual void step(double rate, const Network& gradient, Network& network) = 0;
};

/// - `adam`: Kingma and Ba (2015), beta_1 = 0.9, beta_2 = 0.999. Does not care how large the objective is.
/// - `sgd`: with Nesterov's momentum 0.9. Gradients are divided by `scale`, so that a rate means the same for summed
///   losses and for averaged ones.
///
/// Throws std::invalid_argument listing the known names.
std::unique_ptr<Optimizer> make_optimizer(const std::string& name, const Network& network, double scale);
/// A learning rate that suits the optimizer and scaled features: the more there are, the more a step of the same size
/// changes a neuron's input.
double usual_rate(const std::string& name, Index inputs);

}  // namespace conelu::baselines
