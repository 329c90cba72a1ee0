#include "conelu/worst_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "linalg/dense.hpp"
#include "program/rounding.hpp"

namespace conelu {
namespace {

using rounding::kEpsilon;
using rounding::share;

/// Bounds for some rows of X: one slice at a time, so that memory stays that of a slice times the neurons.
class BallBounds {
 public:
  BallBounds(const Network& network, const Threat& threat)
      : network_(network), threat_(threat), columns_(network.inputs() + 1, network.neurons()) {
    columns_.topRows(network.inputs()) = network.hidden.transpose();
    columns_.bottomRows(1) = network.hidden_bias.transpose();
    if (threat_.radii.size() == network.inputs()) {
      threat_.radii.conservativeResize(network.inputs() + 1);
      threat_.radii(network.inputs()) = 0;
    }
    lengths_ = network.hidden.rowwise().stableNorm();
    attacks_.resize(network.neurons());
    for (Index j = 0; j < network.neurons(); ++j) {
      attacks_(j) = rounding::worst_change_above(threat_, columns_.col(j));
    }
  }

  void evaluate(const MatrixView& X) {
    norms_ = X.rowwise().stableNorm();
    preactivations_.resize(X.rows(), network_.neurons());
    preactivations_.rowwise() = network_.hidden_bias.transpose();
    dense::multiply(1.0, dense::Op::none, X, dense::Op::transpose, network_.hidden, 1.0, preactivations_);
  }

  /// A lower bound on side * f over the ball, one per row of the slice.
  Vector lowest(double side) {
    set_gates(false);
    const Vector closed = bound(side);
    const Matrix closed_gates = gates_;
    set_gates(true);
    Vector best = bound(side);
    for (Index k = 0; k < best.size(); ++k) {
      if (!(closed(k) > best(k))) continue;
      best(k) = closed(k);
      gates_.row(k) = closed_gates.row(k);
    }
    improve_gates(side);
    return best.cwiseMax(bound(side));
  }

 private:
  bool may_change_sides(Index k, Index j) const { return std::abs(preactivations_(k, j)) < attacks_(j); }

  /// Those of neurons that may change sides: as at x, or all 0. The others have no choice.
  void set_gates(bool as_at_x) {
    gates_.resize(preactivations_.rows(), preactivations_.cols());
    for (Index j = 0; j < gates_.cols(); ++j) {
      for (Index k = 0; k < gates_.rows(); ++k) {
        gates_(k, j) = preactivations_(k, j) > 0 && (as_at_x || !may_change_sides(k, j)) ? 1.0 : 0.0;
      }
    }
  }

  /// One gate after another, row by row, while the bound rises. Only the choice is made here, so nothing is rounded up.
  void improve_gates(double side) {
    weigh_gates(side);
#pragma omp parallel for schedule(dynamic, 16)
    for (Index k = 0; k < gates_.rows(); ++k) {
      auto s = gated_weights_.col(k);
      Vector changed(s.size());
      double norm = rounding::worst_change_above(threat_, s);
      bool improved = std::isfinite(norm);
      for (int pass = 0; pass < 4 && improved; ++pass) {
        improved = false;
        for (Index j = 0; j < gates_.cols(); ++j) {
          if (!may_change_sides(k, j)) continue;
          // Opened, a neuron adds output t, and if it pushes against the bound it gives back 2 |output| t.
          const double sign = gates_(k, j) > 0 ? -1.0 : 1.0;
          const double gain = sign * std::abs(network_.output(j)) * preactivations_(k, j);
          changed = s + (sign * side * network_.output(j)) * columns_.col(j);
          const double changed_norm = rounding::worst_change_above(threat_, changed);
          if (!(gain - changed_norm > -norm + 1e-12 * norm)) continue;
          s = changed;
          norm = changed_norm;
          gates_(k, j) = 1 - gates_(k, j);
          improved = true;
        }
      }
    }
  }

  /// The weight vector of the terms g z_j of every row.
  void weigh_gates(double side) {
    gated_outputs_ = gates_ * (side * network_.output).asDiagonal();
    gated_weights_.resize(columns_.rows(), gates_.rows());
    dense::multiply(1.0, dense::Op::none, columns_, dense::Op::transpose, gated_outputs_, 0.0, gated_weights_);
  }

  /// The bound that the gates give, whatever they are, rounded down.
  Vector bound(double side) {
    const Index rows = gates_.rows();
    Vector value = Vector::Constant(rows, side * network_.output_bias);
    Vector lost = Vector::Constant(rows, 8 * kEpsilon * std::abs(network_.output_bias));
    for (Index j = 0; j < network_.neurons(); ++j) {
      const double output = side * network_.output(j);
      for (Index k = 0; k < rows; ++k) {
        const double t = preactivations_(k, j);
        const double size = lengths_(j) * norms_(k) + std::abs(network_.hidden_bias(j));
        const double error = share(columns_.rows()) * size + std::numeric_limits<double>::min();
        const bool open = gates_(k, j) > 0;
        if (open) {
          value(k) += output * t;
          lost(k) += std::abs(output) * (error + share(network_.neurons()) * (std::abs(t) + attacks_(j)));
        }
        if (output < 0) {
          const double escape = attacks_(j) + error - (open ? t : -t);
          if (!(escape <= 0)) lost(k) -= output * escape * (1 + share(network_.neurons()));
        }
      }
    }
    weigh_gates(side);
    for (Index k = 0; k < rows; ++k) {
      lost(k) += rounding::worst_change_above(threat_, gated_weights_.col(k));
      value(k) -= lost(k) + 8 * kEpsilon * (std::abs(value(k)) + lost(k));
      if (!std::isfinite(value(k))) value(k) = -std::numeric_limits<double>::infinity();
    }
    return value;
  }

  const Network& network_;
  Threat threat_;
  Matrix columns_;         // (d + 1) x m: the neurons, bias last
  Vector lengths_;         // m: of the neurons without their biases
  Vector attacks_;         // m: A_j, rounded up
  Vector norms_;           // rows: length of x
  Matrix preactivations_;  // rows x m
  Matrix gates_;           // rows x m, 0 or 1
  Matrix gated_outputs_;   // rows x m
  Matrix gated_weights_;   // (d + 1) x rows
};

}  // namespace

Matrix worst_perturbations(const Program& program, const MatrixView& U) {
  const Vector f = program.outputs(U);
  Matrix S = program.cell_weights(U);
  std::vector<Index> cell_of = program.cell_of();
  if (program.separate()) {
    // The program has no s; the gates that are open have.
    Matrix signed_blocks = U;
    for (Index j = 1; j < U.cols(); j += 2) signed_blocks.col(j) *= -1;
    S = signed_blocks * program.activations().transpose();
    std::iota(cell_of.begin(), cell_of.end(), Index{0});
  }
  Matrix attacks(program.dimension(), S.cols());
  for (Index c = 0; c < S.cols(); ++c) attacks.col(c) = program.threat().worst_perturbation(S.col(c));
  Matrix deltas(program.samples(), program.dimension());
  for (Index k = 0; k < program.samples(); ++k) {
    const double y = program.y()(k);
    const double sign = program.loss().is_margin_loss() ? -y : f(k) >= y ? 1.0 : -1.0;
    deltas.row(k) = sign * attacks.col(cell_of[static_cast<std::size_t>(k)]).transpose();
  }
  return deltas;
}

Matrix output_bounds(const Network& network, const MatrixView& X, const Threat& threat) {
  const Index d = network.inputs();
  if (X.cols() != d) {
    throw std::invalid_argument(fmt::format("X: has {} columns, expected {}, the network's inputs", X.cols(), d));
  }
  const Index radii = threat.radii.size();
  if (radii != 0 && radii != d && radii != d + 1) {
    throw std::invalid_argument(fmt::format("eps: has {} radii, expected {}, one per input", radii, d));
  }
  constexpr Index kSlice = 1024;
  BallBounds ball(network, threat);
  Matrix bounds(X.rows(), 2);
  for (Index first = 0; first < X.rows(); first += kSlice) {
    const Index rows = std::min(kSlice, X.rows() - first);
    ball.evaluate(X.middleRows(first, rows));
    for (const double side : {1.0, -1.0}) {
      bounds.col(side > 0 ? 0 : 1).segment(first, rows) = side * ball.lowest(side);
    }
  }
  return bounds;
}

}  // namespace conelu
