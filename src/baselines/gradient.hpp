#pragma once

#include "baselines/adversary.hpp"

namespace conelu::baselines {

/// What gradient descent minimises, and which way it falls:
///
///     sum_k c_k phi(f(x_k + delta_k), y_k) + beta/2 sum_j (|hidden_j|^2 + hidden_bias_j^2 + output_j^2)
///
/// with the perturbations that the adversary finds for the network as it is. By Danskin's theorem they may be held
/// fixed while differentiating.
class Gradient {
 public:
  Gradient(const Loss& loss, const Adversary& adversary, double beta, bool bias)
      : loss_(loss), adversary_(adversary), beta_(beta), bias_(bias) {}

  /// Returns the objective of these slices; its derivatives by the network's weights land in weights(). The sum over
  /// slices is taken in their order, whatever threads worked on them.
  double compute(const Network& network, const std::vector<Slice>& slices);
  const Network& weights() const { return sum_; }

 private:
  struct Part {
    Network weights;
    double loss = 0;
    Matrix activations, gated;  // m x rows
  };

  void differentiate(const Network& network, const Slice& slice, Part& part) const;

  const Loss& loss_;
  const Adversary& adversary_;
  double beta_;
  bool bias_;
  std::vector<Part> parts_;
  Network sum_;
};

}  // namespace conelu::baselines
