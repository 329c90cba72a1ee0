#pragma once

#include "conelu/export.hpp"
#include "conelu/program.hpp"

namespace CONELU_API conelu {

/// f(x) = sum_j output_j (hidden_j . x + hidden_bias_j)_+ + output_bias
struct Network {
  Matrix hidden;           ///< m x d
  Vector hidden_bias;      ///< m
  Vector output;           ///< m
  double output_bias = 0;  ///< 0 for the paper's networks

  Index neurons() const { return output.size(); }
  Index inputs() const { return hidden.cols(); }

  /// Rows that are looked at together: as many as a cache holds the activations of, and memory stays that of a slice.
  static constexpr Index kSlice = 1024;

  /// One output per row of X. Throws std::invalid_argument if X has another number of columns.
  Vector predict(const MatrixView& X) const;

  /// beta/2 sum_j (|hidden_j|^2 + hidden_bias_j^2 + output_j^2), the paper's penalty.
  double penalty(double beta) const;
};

/// Eq. recover_weights: block u becomes hidden weight u / sqrt|u| and output weight sigma sqrt|u|; zero blocks vanish.
/// With `bias`, the last entry of every block is the hidden bias.
Network recover_network(const MatrixView& blocks, bool bias);

/// The non-convex objective of eq. nonconvex_general: loss of the network on the program's samples plus its penalty.
/// Its inputs are X without the bias column if the network was recovered with `bias`.
///
/// Never below the true one: rounding counts against it. Under a threat, the certified worst-case loss (see
/// output_bounds): never below what an attack can do, exact but for rounding where no neuron changes sides within the
/// ball, as at every point of the program with the paper's cones.
double network_objective(const Program& program, const Network& network, bool bias);

}  // namespace conelu
