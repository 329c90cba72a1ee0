#pragma once

#include <functional>

#include "train/task.hpp"

namespace conelu {

/// The start that promises most: the solution of `patterns` (cones or reduced), or blocks from descent.
GatedStart find_start(const TrainTask& task, const PatternSet& patterns, const TrainSettings& settings,
                      const Clock& clock, const ProgressCallback& progress, Notes& notes);

/// How good blocks are on data that are not trained on; larger is better. Empty: nobody asks.
using Judge = std::function<double(const MatrixView& U)>;

/// Solves the program of the start's gates, chooses gates anew at the solution, solves again, and so on, until the
/// objective falls by less than a thousandth or `settings.rounds` are over. A round that did not help is forgotten, so
/// that the objective never rises, and never above that of the start's program with constraints; with a judge, what the
/// judge likes best is returned.
SolvedProgram train_in_rounds(const TrainTask& task, GatedStart start, const TrainSettings& settings,
                              const Judge& judge, const Clock& clock, const ProgressCallback& progress, Notes& notes);

}  // namespace conelu
