#pragma once

#include <vector>

#include "evaluate/attacks/ball.hpp"
#include "evaluate/attacks/landscape.hpp"

namespace conelu::attacks {

/// How many rows are attacked together. Always as many, the last ones being made up: BLAS may round a product of
/// another size differently, and what happens to a row must not depend on the others.
constexpr Index kSlice = 64;

/// Some rows under attack, and the worst that was found for each of them so far.
class Victims {
 public:
  /// At most kSlice rows of X.
  Victims(const Network& network, const MatrixView& X, const VectorView& y, const AttackSettings& settings);

  Index rows() const { return rows_; }  ///< without those made up

  /// The direction of f that is worse for the row where the network's output is this.
  double side(Index k, double output) const;
  /// -y f or |f - y|
  double severity(Index k, double output) const;
  /// The directions that can be worst: one for each row in classification, up and down for all in regression.
  std::vector<Vector> sides() const;

  /// Keeps a point per row where it is worse than the worst so far, pulled into the ball first.
  void offer(Matrix points);

  const Network& network;
  const AttackSettings& settings;
  const Ball ball;
  Landscape landscape;

  const Vector& clean() const { return clean_; }      ///< outputs at the rows themselves
  const Matrix& worst() const { return worst_; }      ///< d x kSlice
  const Vector& outputs() const { return outputs_; }  ///< there

 private:
  Index rows_;
  Vector y_;
  Vector clean_;
  Matrix worst_;
  Vector outputs_;
};

}  // namespace conelu::attacks
