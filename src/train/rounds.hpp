#pragma once

#include <functional>

#include "train/task.hpp"

namespace conelu {

/// The start that promises most: the solution of `patterns` (cones or reduced), or blocks from descent.
GatedStart find_start(const TrainTask& task, const PatternSet& patterns, const TrainSettings& settings,
                      const Clock& clock, const ProgressCallback& progress, Notes& notes);

/// How good blocks are on data that are not trained on. Few rows have the same score in many rounds; the loss, which
/// knows by how much a row is right or wrong, then tells them apart.
struct Judgement {
  double score;  ///< certified accuracy, or minus the certified mean loss; larger is better
  double loss;   ///< certified, the mean
};

/// Empty: nobody asks.
using Judge = std::function<Judgement(const MatrixView& U)>;

/// Solves the program of the start's gates, chooses gates anew at the solution, solves again, and so on, until the
/// objective falls by less than a thousandth or `settings.rounds` are over. A round that did not help is forgotten, so
/// that the objective never rises, and never above that of the start's program with constraints; with a judge, what has
/// the best score is returned: of equal ones a solved program rather than the start, then the one with the least loss.
SolvedProgram train_in_rounds(const TrainTask& task, GatedStart start, const TrainSettings& settings,
                              const Judge& judge, const Clock& clock, const ProgressCallback& progress, Notes& notes);

}  // namespace conelu
