#pragma once

#include "conelu/network.hpp"

namespace conelu::attacks {

/// What an attacker sees of the network at one point per row: its outputs, and which way they rise. Two matrix products
/// do it for all rows.
///
/// Points are columns here and everywhere in this folder: what belongs to a row is contiguous.
class Landscape {
 public:
  explicit Landscape(const Network& network) : network_(network) {}

  /// Evaluates the network at the points (d x rows).
  void look(const Matrix& points);
  const Vector& outputs() const { return outputs_; }
  const Matrix& preactivations() const { return preactivations_; }  // m x rows

  /// Puts row k back to where its preactivations were these.
  void return_to(Index k, const Eigen::Ref<const Vector>& preactivations) { preactivations_.col(k) = preactivations; }

  /// G = gradients of sides(k) f at the points (d x rows). Neurons at their kink count as active, as in the paper.
  void gradients(const Vector& sides, Matrix& G);

 private:
  const Network& network_;
  Matrix preactivations_;
  Vector outputs_;
  Matrix gated_;  // m x rows: sides(k) output_j where the neuron is active
};

}  // namespace conelu::attacks
