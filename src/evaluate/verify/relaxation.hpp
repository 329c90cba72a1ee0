#pragma once

#include "evaluate/verify/local_network.hpp"
#include "evaluate/verify/node.hpp"

namespace conelu::verification {

/// The convex problem that bounds a node.
///
/// A neuron's weight in the value is sign output. Unstable neurons of positive weight are convex and stay what they
/// are. The others are concave: there (z)_+ is replaced by its chord between the node's bounds, which is all that is
/// lost. A half-space enters through a multiplier >= 0.
///
/// Multipliers of any quality give a minorant of the value; solve() looks for good ones.
class Relaxation {
 public:
  Relaxation(const LocalNetwork& network, const Node& node);

  /// Concave neurons that can change sides in the node.
  const std::vector<Index>& open() const { return open_; }
  double weight(Index neuron) const { return node_.side.sign * network_.output(neuron); }
  /// What the chords lose at a point.
  double loss_at(const VectorView& v) const;

  /// Until the lowest value of the minorant is at least `cutoff`, or, while neurons are open, until it is clear enough
  /// that it will not be; at the latest when it is within `tolerance` of the optimum.
  void solve(double cutoff, double tolerance);

  const Vector& point() const { return point_; }  ///< nearly the minimiser
  const Minorant& minorant() const { return minorant_; }
  /// The minorant is sum_j weight_j z_j + offset_j beside the linear part.
  const Vector& weights() const { return weights_; }
  const Vector& offsets() const { return offsets_; }

 private:
  double constant() const;
  void find_multipliers(double cutoff, double tolerance);
  void update_minorant(const VectorView& multipliers);

  const LocalNetwork& network_;
  const Node& node_;
  std::vector<Index> hinges_;  // convex neurons that can change sides in the node
  std::vector<Index> open_;
  Vector fixed_;    // weights without those of the hinges and the multipliers of half-spaces
  Vector offsets_;  // of the chords
  Vector weights_;
  Vector point_;
  Minorant minorant_;
};

}  // namespace conelu::verification
