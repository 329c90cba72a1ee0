#include "baselines/gradient.hpp"

#include "linalg/dense.hpp"
#include "linalg/thread_count.hpp"

namespace conelu::baselines {

double Gradient::compute(const Network& network, const std::vector<Slice>& slices) {
  parts_.resize(slices.size());
  const ThreadCount threads(slices.size() <= 1 ? 1 : 0);  // one slice has nothing to share out
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < slices.size(); ++i) differentiate(network, slices[i], parts_[i]);

  sum_.hidden = beta_ * network.hidden;
  sum_.hidden_bias = beta_ * network.hidden_bias;
  sum_.output = beta_ * network.output;
  double objective = network.penalty(beta_);
  for (const Part& part : parts_) {
    sum_.hidden += part.weights.hidden;
    sum_.output += part.weights.output;
    if (bias_) sum_.hidden_bias += part.weights.hidden_bias;
    objective += part.loss;
  }
  return objective;
}

void Gradient::differentiate(const Network& network, const Slice& slice, Part& part) const {
  const Matrix points = adversary_.perturb(network, slice);
  const Index m = network.neurons();
  Matrix& t = part.activations;
  t.resize(m, slice.size());
  t.colwise() = network.hidden_bias;
  dense::multiply(1.0, dense::Op::none, network.hidden, dense::Op::none, points, 1.0, t);

  part.loss = 0;
  part.gated.resize(m, slice.size());
  part.weights.output.setZero(m);
  for (Index k = 0; k < slice.size(); ++k) {
    auto activation = t.col(k);
    activation = activation.cwiseMax(0.0);
    const double f = network.output.dot(activation);
    part.loss += slice.loss_weights(k) * loss_.value(f, slice.y(k));
    const double nu = slice.loss_weights(k) * loss_slope(loss_, f, slice.y(k));
    part.weights.output += nu * activation;
    part.gated.col(k) = (activation.array() > 0).select(nu * network.output, 0.0);
  }
  part.weights.hidden.resize(m, network.inputs());
  dense::multiply(1.0, dense::Op::none, part.gated, dense::Op::transpose, points, 0.0, part.weights.hidden);
  part.weights.hidden_bias = part.gated.rowwise().sum();
}

}  // namespace conelu::baselines
