#pragma once

#include <string>
#include <vector>

#include "conelu/dataset.hpp"
#include "conelu/export.hpp"
#include "conelu/network.hpp"
#include "conelu/preprocessing.hpp"
#include "conelu/record.hpp"

namespace CONELU_API conelu {

/// A network with everything needed to use it on raw data; what a model file holds.
///
/// With more than two classes there is a network for each of them that tells it from the rest, and the class with the
/// largest output is predicted.
struct Model {
  Task task = Task::classification;
  std::vector<std::string> classes;  ///< {negative, positive}, more than two, or empty in regression
  std::vector<std::string> features;
  TargetColumn target = {};  ///< of the training data
  Preprocessing preprocessing;
  std::vector<Network> networks;           ///< one, or one for each of more than two classes
  RunRecord training;                      ///< of all networks together
  std::vector<RunRecord> class_trainings;  ///< of each network, if there are several; else empty

  /// The only network. Throws std::invalid_argument if there are several, one for each class.
  const Network& network() const;

  /// The networks' outputs for rows of raw features: n x 1, or n x classes if there are more than two.
  Matrix scores(const MatrixView& raw) const;

  /// Number of the class that each row of scores says: 1 for scores of at least 0 and else 0; of more than two classes
  /// the one with the largest score, the first of equal ones. Classification only.
  std::vector<Index> predicted_classes(const MatrixView& scores) const;

  /// True for classifiers trained with the logistic loss, whose outputs are log odds.
  bool has_probabilities() const { return task == Task::classification && training.loss == "logistic"; }

  /// Probability of each class, n x classes, rows summing to 1. With s(f) = 1 / (1 + exp(-f)):
  ///
  ///     two classes   P(positive) = s(f)
  ///     more          P(class k) = s(f_k) / sum_l s(f_l), the usual way to make one whole of answers given one by one
  ///
  /// Throws std::invalid_argument if the model has none.
  Matrix probabilities(const MatrixView& scores) const;
};

/// Share of the samples, by weight, whose label is predicted.
/// Throws std::invalid_argument if the data have more than two classes that are not the model's.
double accuracy(const Model& model, const Dataset& data);

/// Mean of the squared residuals, by weight.
double mean_squared_error(const Model& model, const Dataset& data);

/// Makes the outputs of a regression trained on (y - center) / scale those of y itself: its last layer becomes
/// scale f + center, `preprocessing.target` remembers, and `train_mse` is that on `data`, in their own units.
/// Objectives and bounds in the record stay those of the scaled target.
void restore_target_units(Model& model, const TargetScaling& scaling, const Dataset& data);

/// CSV with the columns prediction,score: labels and the winner's score in classification, twice the score in
/// regression; then, where there are probabilities, a column probability_<class> for each class. Numbers round-trip.
std::string predictions_csv(const Model& model, const MatrixView& scores);

/// Writes that CSV atomically. Throws std::invalid_argument naming a path that cannot be written.
void save_predictions(const Model& model, const MatrixView& scores, const std::string& path);

/// The model as JSON text, as fixed by the contract; every number round-trips exactly. Throws std::invalid_argument
/// naming what cannot be put into JSON: a number that is not finite, a name that is not UTF-8, networks that do not fit
/// the classes.
std::string to_json(const Model& model);

/// Throws std::invalid_argument naming what is wrong with the text: not JSON (with the byte), not a conelu model, a
/// version it does not know, a field that is missing or of the wrong shape.
Model model_from_json(const std::string& text);

/// Writes that text, to a temporary file that then takes the name: never half a model.
/// Throws std::invalid_argument naming a path that cannot be written, or as to_json does.
void save_model(const Model& model, const std::string& path);

/// Throws std::invalid_argument naming the file and what is wrong with it, as model_from_json does.
Model load_model(const std::string& path);

}  // namespace conelu
