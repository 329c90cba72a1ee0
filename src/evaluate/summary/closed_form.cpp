#include "evaluate/summary/closed_form.hpp"

#include <algorithm>
#include <cmath>

#include "conelu/worst_case.hpp"
#include "program/rounding.hpp"

namespace conelu::summary {
namespace {

/// How far a computed output may be from the true one anywhere in a row's ball.
Vector evaluation_errors(const Question& question, const Threat& threat) {
  const Network& network = question.network;
  const Vector outputs = network.output.cwiseAbs();
  Vector attacks(network.neurons());
  for (Index j = 0; j < network.neurons(); ++j) {
    attacks(j) = rounding::worst_change_above(threat, network.hidden.row(j).transpose());
  }
  const double constant = std::abs(network.output_bias) + outputs.dot(network.hidden_bias.cwiseAbs() + attacks);
  const double per_length = outputs.dot(network.hidden.rowwise().stableNorm());
  const double share = rounding::share(network.inputs() + network.neurons());
  return share * (constant + per_length * question.X.rowwise().stableNorm().array());
}

}  // namespace

Vector severity_bounds(const Question& question, const Threat& threat) {
  const Matrix range = output_bounds(question.network, question.X, threat);
  const Vector errors = evaluation_errors(question, threat);
  Vector bounds(question.y.size());
  for (Index k = 0; k < bounds.size(); ++k) {
    const double y = question.y(k);
    if (question.task == Task::classification) {
      bounds(k) = (y > 0 ? -range(k, 0) : range(k, 1)) + errors(k);
    } else {
      const double largest = std::max(range(k, 1) - y, y - range(k, 0));
      bounds(k) = largest + errors(k) + 4 * rounding::kEpsilon * (std::abs(largest) + std::abs(y));
    }
  }
  return bounds;
}

}  // namespace conelu::summary
