#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conelu/evaluation.hpp"
#include "conelu/export.hpp"
#include "conelu/train.hpp"

namespace CONELU_API conelu {

/// A grid of settings to compare on rows that were not trained on.
struct CrossValidationSettings {
  TrainSettings training;                     ///< of every point of the grid, but for its beta and eps
  std::vector<double> betas = {1e-4};         ///< each with every radius
  std::vector<std::vector<double>> eps = {};  ///< as TrainSettings::eps; empty: that of `training` alone
  Index folds = 5;
  std::uint64_t seed = 0;  ///< of the folds; patterns have that of `training`
  int restarts = 0;        ///< of the strong attack, which saves `verify` the rows that it breaks
  double row_limit = 1;    ///< seconds for the proof that a row is robust; without one it counts as not certified
};

/// What one network is worth on the rows of its fold. Classification: shares of rows that are right, by weight; in
/// regression mean squared errors. Without an attacker all three are the same.
struct FoldScore {
  double clean = 0;
  double pgd = 0;                        ///< right in spite of the paper's PGD, at the training radius
  double certified = 0;                  ///< proven right, or the error proven never to be exceeded: see Evaluation
  std::optional<double> absolute_error;  ///< regression: mean, by weight, without an attacker
  double objective = 0;                  ///< of the training, with its proven gap
  double relative_gap = 0;
  double seconds = 0;   ///< of the training; the first beta of a radius finds the patterns for all of them
  Index uncertain = 0;  ///< rows neither proven nor broken in `row_limit`
};

struct Spread {
  double mean = 0;
  double deviation = 0;  ///< of a sample: divided by one less than there are folds
};

/// One beta and one radius on every fold.
struct GridPoint {
  double beta = 0;
  std::vector<double> eps;
  std::vector<FoldScore> folds;
  bool best = false;

  bool robust() const;  ///< some radius is above 0
  /// Of a field such as &FoldScore::clean, over the folds. The mean of none and the deviation of one are NaN.
  Spread spread(const std::function<double(const FoldScore&)>& field) const;
};

struct CrossValidation {
  Task task = Task::classification;
  Index n = 0;  ///< rows of a weight above 0
  Index folds = 0;
  std::uint64_t seed = 0;
  std::string norm;
  std::vector<GridPoint> grid;  ///< radius by radius, in each the betas in the order given
  bool finished = true;         ///< false: a callback stopped it, folds are missing and no point is the best
};

struct CrossValidationProgress {
  Index fold = 0;  ///< from 1
  Index folds = 0;
  std::size_t finished = 0;  ///< networks that are trained and scored
  std::size_t networks = 0;
  std::string step;  ///< what is being done
};
/// Called on the calling thread; return false to stop.
using CrossValidationCallback = std::function<bool(const CrossValidationProgress&)>;

/// Trains every point of the grid on all folds but one, scores it on that one, and so for each fold (make_folds).
///
/// Nothing of a fold leaks into its own training: scaling, means in place of missing values and units of the target are
/// those of the other folds. Each radius is a train_path of its own, along which the betas start from one another, so
/// that a point is the very program that train() solves with its beta and radius in one round: patterns are not
/// exchanged.
///
/// Radii are what a network has to withstand, not a matter of taste: scores under different ones do not compare. So
/// there is a best point for each radius, by `certified` under an attacker and `clean` without; of equal ones the
/// larger beta, which means the smaller network.
///
/// Throws std::invalid_argument as train() and make_folds do, for a pattern file (its columns are those of all rows),
/// and for a class with a single row, which cannot be trained and tested on.
CrossValidation cross_validate(const Dataset& data, const CrossValidationSettings& settings,
                               const CrossValidationCallback& progress = {});

/// One JSON object, every fold in it; numbers round-trip exactly.
std::string to_json(const CrossValidation& result);

/// A line for each point below the names of the columns, `*` on the best.
std::string to_table(const CrossValidation& result);

}  // namespace conelu
