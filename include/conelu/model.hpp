#pragma once

#include <string>
#include <vector>

#include "conelu/dataset.hpp"
#include "conelu/network.hpp"
#include "conelu/preprocessing.hpp"
#include "conelu/record.hpp"

namespace conelu {

/// A network with everything needed to use it on raw data; what a model file holds.
struct Model {
  Task task = Task::classification;
  std::vector<std::string> classes;  ///< {negative, positive} or empty
  std::vector<std::string> features;
  Preprocessing preprocessing;
  Network network;
  RunRecord training;

  /// The network's output for rows of raw features.
  Vector scores(const MatrixView& raw) const { return network.predict(preprocessing.apply(raw)); }

  /// The label as it was written in the training data. Classification only.
  const std::string& label(double score) const { return classes[score >= 0 ? 1 : 0]; }
};

/// Share of the samples, by weight, whose label is predicted.
double accuracy(const Model& model, const Dataset& data);

/// Mean of the squared residuals, by weight.
double mean_squared_error(const Model& model, const Dataset& data);

/// CSV with the columns prediction,score: labels in classification, twice the score in regression. Numbers round-trip.
std::string predictions_csv(const Model& model, const VectorView& scores);

/// Writes that CSV atomically. Throws std::invalid_argument naming a path that cannot be written.
void save_predictions(const Model& model, const VectorView& scores, const std::string& path);

/// Writes JSON as fixed by the contract, to a temporary file that then takes the name: never half a model.
/// Throws std::invalid_argument naming a path that cannot be written, or what cannot be put into JSON: a number that is
/// not finite, a name that is not UTF-8.
void save_model(const Model& model, const std::string& path);

/// Throws std::invalid_argument naming the file and what is wrong with it: not there, not JSON (with the byte), not a
/// conelu model, a version it does not know, a field that is missing or of the wrong shape.
Model load_model(const std::string& path);

}  // namespace conelu
