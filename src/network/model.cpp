#include "conelu/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "data/file.hpp"
#include "require.hpp"

namespace conelu {
namespace {

bool has_many_classes(const Model& model) { return model.classes.size() > 2; }

void check_classifier(const Model& model, const MatrixView& scores) {
  require(model.task == Task::classification, "the model is a regression and predicts no classes");
  const auto expected = static_cast<Index>(has_many_classes(model) ? model.classes.size() : 1);
  require(scores.cols() == expected, fmt::format("scores: has {} columns, expected {}", scores.cols(), expected));
}

/// log(1 / (1 + exp(-f))), without overflow for any f.
double log_sigmoid(double f) { return f >= 0 ? -std::log1p(std::exp(-f)) : f - std::log1p(std::exp(f)); }

/// Sum of a quantity over the samples by weight, over the sum of the weights.
template <class OfSample>
double weighted_mean(const Dataset& data, OfSample&& of_sample) {
  double sum = 0;
  double total = 0;
  for (Index k = 0; k < data.samples(); ++k) {
    const double weight = data.weights.size() == 0 ? 1.0 : data.weights(k);
    sum += weight * of_sample(k);
    total += weight;
  }
  return total > 0 ? sum / total : 0.0;
}

void check_targets(const Dataset& data) {
  require(data.y.size() == data.samples() && data.samples() > 0,
          fmt::format("data: {} rows with {} targets, expected one target per row", data.samples(), data.y.size()));
}

/// Quoted as RFC 4180 asks for if the text could be taken for more than one cell.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string regression_csv(const MatrixView& scores) {
  std::string csv = "prediction,score\n";
  for (const double score : scores.reshaped()) fmt::format_to(std::back_inserter(csv), "{},{}\n", score, score);
  return csv;
}

}  // namespace

const Network& Model::network() const {
  require(networks.size() == 1, networks.empty()
                                    ? "the model has no network"
                                    : fmt::format("the model has {} networks, one for each class; expected a single "
                                                  "one, of two classes or a regression",
                                                  networks.size()));
  return networks.front();
}

Matrix Model::scores(const MatrixView& raw) const {
  Matrix result(raw.rows(), static_cast<Index>(networks.size()));
  // A slice after the other: their preprocessed features need no memory to speak of. One of no rows is checked, too.
  for (Index first = 0; first == 0 || first < raw.rows(); first += Network::kSlice) {
    const Index rows = std::min(Network::kSlice, raw.rows() - first);
    const Matrix X = preprocessing.apply(raw.middleRows(first, rows));
    for (Index c = 0; c < result.cols(); ++c) {
      result.col(c).segment(first, rows) = networks[static_cast<std::size_t>(c)].predict(X);
    }
  }
  return result;
}

std::vector<Index> Model::predicted_classes(const MatrixView& scores) const {
  check_classifier(*this, scores);
  std::vector<Index> predicted(static_cast<std::size_t>(scores.rows()));
  for (Index k = 0; k < scores.rows(); ++k) {
    const auto row = scores.row(k);
    const auto largest = std::max_element(row.begin(), row.end()) - row.begin();  // the first of equal ones
    predicted[static_cast<std::size_t>(k)] = has_many_classes(*this) ? largest : scores(k, 0) >= 0 ? 1 : 0;
  }
  return predicted;
}

Matrix Model::probabilities(const MatrixView& scores) const {
  require(has_probabilities(),
          task == Task::regression
              ? "probabilities: the model is a regression"
              : fmt::format("probabilities: the model was trained with the {} loss; expected logistic", training.loss));
  check_classifier(*this, scores);
  if (!has_many_classes(*this)) {
    Matrix result(scores.rows(), 2);
    result.col(0) = scores.col(0).unaryExpr([](double f) { return std::exp(log_sigmoid(-f)); });
    result.col(1) = scores.col(0).unaryExpr([](double f) { return std::exp(log_sigmoid(f)); });
    return result;
  }
  // By logarithms: all sigmoids of a row may be too small for a double.
  const Matrix logs = scores.unaryExpr([](double f) { return log_sigmoid(f); });
  Matrix result = (logs.colwise() - logs.rowwise().maxCoeff()).array().exp();
  result.array().colwise() /= result.rowwise().sum().array().eval();
  return result;
}

double accuracy(const Model& model, const Dataset& data) {
  check_targets(data);
  require(!has_many_classes(model) || data.classes.empty() || data.classes == model.classes,
          "data: the classes are not those of the model");
  const std::vector<Index> predicted = model.predicted_classes(model.scores(data.X));
  return weighted_mean(data, [&](Index k) {
    const Index actual = has_many_classes(model) ? static_cast<Index>(data.y(k)) : data.y(k) > 0 ? 1 : 0;
    return predicted[static_cast<std::size_t>(k)] == actual ? 1.0 : 0.0;
  });
}

double mean_squared_error(const Model& model, const Dataset& data) {
  check_targets(data);
  const Vector outputs = model.network().predict(model.preprocessing.apply(data.X));
  return weighted_mean(data, [&](Index k) { return (outputs(k) - data.y(k)) * (outputs(k) - data.y(k)); });
}

void restore_target_units(Model& model, const TargetScaling& scaling, const Dataset& data) {
  require(model.task == Task::regression, "only the target of a regression can be scaled");
  for (Network& network : model.networks) {
    network.output *= scaling.scale;
    network.output_bias = network.output_bias * scaling.scale + scaling.center;
  }
  model.preprocessing.target = scaling;
  if (!model.networks.empty()) model.training.train_mse = mean_squared_error(model, drop_zero_weights(data));
}

std::string predictions_csv(const Model& model, const MatrixView& scores) {
  if (model.task == Task::regression) return regression_csv(scores);
  const std::vector<Index> predicted = model.predicted_classes(scores);
  const Matrix probabilities = model.has_probabilities() ? model.probabilities(scores) : Matrix(scores.rows(), 0);
  std::string csv = "prediction,score";
  for (Index c = 0; c < probabilities.cols(); ++c) {
    csv += "," + csv_cell("probability_" + model.classes[static_cast<std::size_t>(c)]);
  }
  csv += '\n';
  for (Index k = 0; k < scores.rows(); ++k) {
    const Index c = predicted[static_cast<std::size_t>(k)];
    fmt::format_to(std::back_inserter(csv), "{},{}", csv_cell(model.classes[static_cast<std::size_t>(c)]),
                   scores(k, has_many_classes(model) ? c : 0));
    for (const double p : probabilities.row(k)) fmt::format_to(std::back_inserter(csv), ",{}", p);
    csv += '\n';
  }
  return csv;
}

void save_predictions(const Model& model, const MatrixView& scores, const std::string& path) {
  write_file_atomically(path, predictions_csv(model, scores));
}

}  // namespace conelu
