#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "conelu/export_model.hpp"
#include "program/rounding.hpp"

namespace conelu {
namespace {

void check_exportable(const Model& model) {
  if (model.networks.empty()) throw std::invalid_argument("the model has no network");
  const std::size_t count = model.networks.size();
  const std::size_t classes = model.task == Task::regression ? 0 : count == 1 ? 2 : count;
  if (model.classes.size() != classes || (classes == 0 && count > 1)) {
    throw std::invalid_argument(fmt::format(
        "the model has {} classes and {} networks; expected 2 and 1, more than 2 and as many, or in regression "
        "0 and 1",
        model.classes.size(), count));
  }
  for (const Network& network : model.networks) {
    if (network.inputs() == 0 || network.inputs() != static_cast<Index>(model.features.size())) {
      throw std::invalid_argument(
          fmt::format("the model has {} features and a network with {} inputs; expected as many, and some",
                      model.features.size(), network.inputs()));
    }
  }
}

Vector or_constant(const Vector& values, Index size, double otherwise) {
  return values.size() > 0 ? values : Vector::Constant(size, otherwise);
}

/// `name` is asked for only if there is something to complain about.
template <class Name>
double to_float32(double value, Name&& name) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  if (std::abs(value) <= kLargest) return static_cast<double>(static_cast<float>(value));
  throw std::invalid_argument(
      fmt::format("{} is {:g} for raw features; float32 goes up to {:g}", name(), value, kLargest));
}

/// The network for raw features. `round` is applied to weights as soon as they are known, with a name for messages.
template <class Round>
Network fold(const Network& network, const Preprocessing& preprocessing, Round&& round) {
  const Vector center = or_constant(preprocessing.center, network.inputs(), 0.0);
  const Vector scale = or_constant(preprocessing.scale, network.inputs(), 1.0);
  Network folded = network;
  for (Index j = 0; j < network.neurons(); ++j) {
    for (Index a = 0; a < network.inputs(); ++a) {
      folded.hidden(j, a) = round(network.hidden(j, a) / scale(a), [&] { return fmt::format("hidden[{}][{}]", j, a); });
    }
    folded.hidden_bias(j) = round(network.hidden_bias(j) - folded.hidden.row(j).dot(center),
                                  [&] { return fmt::format("hidden_bias[{}]", j); });
    folded.output(j) = round(network.output(j), [&] { return fmt::format("output[{}]", j); });
  }
  folded.output_bias = round(network.output_bias, [] { return "output_bias"; });
  return folded;
}

template <class Round>
Model fold(const Model& model, Round&& round) {
  check_exportable(model);
  Model folded = model;
  folded.preprocessing.center.resize(0);  // how a file is read stays: encodings, missing values
  folded.preprocessing.scale.resize(0);
  for (Network& network : folded.networks) network = fold(network, model.preprocessing, round);
  return folded;
}

/// With z = h'u + b and the exported z* = h*'(c + s o u) + b*, both for |u| <= reach entry by entry:
///     |o* (z*)_+ - o (z)_+| <= |o*| |z* - z| + |o* - o| (z)_+
double bound_difference(const Network& network, const Network& exported, const Preprocessing& preprocessing,
                        double reach) {
  const Vector center = or_constant(preprocessing.center, network.inputs(), 0.0);
  const Vector scale = or_constant(preprocessing.scale, network.inputs(), 1.0);
  double bound = std::abs(exported.output_bias - network.output_bias);
  for (Index j = 0; j < network.neurons(); ++j) {
    const Vector seen = exported.hidden.row(j).transpose().cwiseProduct(scale);
    const Vector at_center = exported.hidden.row(j).transpose().cwiseProduct(center);
    const double shift = std::abs(at_center.sum() + exported.hidden_bias(j) - network.hidden_bias(j));
    const double turn = (seen - network.hidden.row(j).transpose()).cwiseAbs().sum();
    // Differences of nearly equal numbers: what rounding may have hidden here is a share of the numbers themselves.
    const double hidden_by_rounding =
        rounding::share(network.inputs()) *
        (at_center.cwiseAbs().sum() + std::abs(exported.hidden_bias(j)) + reach * seen.cwiseAbs().sum());
    const double largest = std::max(0.0, network.hidden_bias(j) + reach * network.hidden.row(j).cwiseAbs().sum());
    bound += std::abs(exported.output(j)) * (shift + reach * turn + hidden_by_rounding) +
             std::abs(exported.output(j) - network.output(j)) * largest;
  }
  return bound * (1 + rounding::share(network.neurons() + network.inputs()));
}

}  // namespace

Model folded_model(const Model& model) {
  return fold(model, [](double value, auto&& name) {
    if (!std::isfinite(value)) throw std::invalid_argument(fmt::format("{} is {:g} for raw features", name(), value));
    return value;
  });
}

Model float32_model(const Model& model) {
  return fold(model, [](double value, auto&& name) { return to_float32(value, name); });
}

double difference_bound(const Model& model, const Model& exported, double reach) {
  double largest = 0;
  for (std::size_t k = 0; k < model.networks.size(); ++k) {
    largest = std::max(largest, bound_difference(model.networks[k], exported.networks[k], model.preprocessing, reach));
  }
  return largest;
}

double largest_difference(const Model& model, const Model& exported, const MatrixView& raw) {
  return raw.rows() == 0 ? 0.0 : (exported.scores(raw) - model.scores(raw)).cwiseAbs().maxCoeff();
}

Matrix float32_scores(const Model& exported, const MatrixView& raw) {
  // Rows in slices, so that memory stays that of a slice times the neurons.
  constexpr Index kSlice = 1024;
  Matrix scores(raw.rows(), static_cast<Index>(exported.networks.size()));
  for (Index k = 0; k < scores.cols(); ++k) {
    const Network& network = exported.networks[static_cast<std::size_t>(k)];
    const Eigen::MatrixXf hidden = network.hidden.cast<float>();
    const Eigen::VectorXf output = network.output.cast<float>();
    for (Index first = 0; first < raw.rows(); first += kSlice) {
      const Index rows = std::min(kSlice, raw.rows() - first);
      Eigen::MatrixXf z = raw.middleRows(first, rows).cast<float>() * hidden.transpose();
      z.rowwise() += network.hidden_bias.cast<float>().transpose();
      const Eigen::VectorXf f = (z.cwiseMax(0.0F) * output).array() + static_cast<float>(network.output_bias);
      scores.col(k).segment(first, rows) = f.cast<double>();
    }
  }
  return scores;
}

Vector raw_radii(const Vector& radii, const Preprocessing& preprocessing) {
  if (preprocessing.scale.size() == 0 || radii.size() == 0) return radii;
  Vector raw(radii.size());
  for (Index a = 0; a < radii.size(); ++a) {
    const double scale = std::abs(preprocessing.scale(a));
    raw(a) = radii(a) * scale;
    // Below this, what was rounded off may be too small for a double itself.
    constexpr double kTiny = std::numeric_limits<double>::min() / rounding::kEpsilon;
    const bool too_small = raw(a) < kTiny ? radii(a) > 0 : std::fma(radii(a), scale, -raw(a)) > 0;
    if (too_small) raw(a) = std::nextafter(raw(a), std::numeric_limits<double>::infinity());
  }
  return raw;
}

}  // namespace conelu
