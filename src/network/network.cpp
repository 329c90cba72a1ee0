#include "conelu/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "conelu/worst_case.hpp"
#include "linalg/dense.hpp"
#include "program/rounding.hpp"

namespace conelu {

Vector Network::predict(const MatrixView& X) const {
  if (X.cols() != inputs()) {
    throw std::invalid_argument(
        fmt::format("X: has {} columns, expected {}, the network's inputs", X.cols(), inputs()));
  }
  Vector f(X.rows());
  Matrix activation;
  for (Index first = 0; first < X.rows(); first += kSlice) {
    const Index rows = std::min(kSlice, X.rows() - first);
    activation.resize(rows, neurons());
    activation.rowwise() = hidden_bias.transpose();
    dense::multiply(1.0, dense::Op::none, X.middleRows(first, rows), dense::Op::transpose, hidden, 1.0, activation);
    f.segment(first, rows) = (activation.cwiseMax(0.0) * output).array() + output_bias;
  }
  return f;
}

double Network::penalty(double beta) const {
  return 0.5 * beta * (hidden.squaredNorm() + hidden_bias.squaredNorm() + output.squaredNorm());
}

Network recover_network(const MatrixView& blocks, bool bias) {
  const Index inputs = blocks.rows() - (bias ? 1 : 0);
  const Index neurons = (blocks.colwise().stableNorm().array() > 0).count();
  Network network;
  network.hidden.resize(neurons, inputs);
  network.hidden_bias = Vector::Zero(neurons);
  network.output.resize(neurons);
  Index m = 0;
  for (Index j = 0; j < blocks.cols(); ++j) {
    const double length = blocks.col(j).stableNorm();
    if (!(length > 0)) continue;
    // Equal size on both layers is what makes the two penalties agree.
    const double root = std::sqrt(length);
    network.hidden.row(m) = blocks.col(j).head(inputs).transpose() / root;
    if (bias) network.hidden_bias(m) = blocks(inputs, j) / root;
    network.output(m) = j % 2 == 0 ? root : -root;
    ++m;
  }
  return network;
}

double network_objective(const Program& program, const Network& network, bool bias) {
  const auto X = program.X().leftCols(program.dimension() - (bias ? 1 : 0));
  const double penalty = network.penalty(program.beta());
  // Without an attacker, too: rounding alone moves outputs, and where weights are huge it moves the loss.
  const Matrix bounds = output_bounds(network, X, program.threat());
  double loss = 0;
  for (Index k = 0; k < program.samples(); ++k) {
    const double y = program.y()(k);
    loss += program.loss_weights()(k) *
            std::max(program.loss().value(bounds(k, 0), y), program.loss().value(bounds(k, 1), y));
  }
  return (loss + penalty) * (1 + rounding::share(program.samples() + network.hidden.size()));
}

}  // namespace conelu
