#pragma once

#include "train/task.hpp"

namespace conelu {

/// Training without a threat by column generation: descend, solve, price, add, drop, solve again.
///
/// The patterns of a short gradient descent make the first program, so its optimum is never above that descent's
/// network. Every round solves the program of the patterns at hand (loosely at first: centred dual points give better
/// prices, and cost less), searches for directions whose price is above beta, adds their patterns and drops those whose
/// blocks have vanished. The last program is solved to the tolerance of the settings.
///
/// Ends when the bound that would hold if the largest price found were the largest there is comes close to the
/// objective, when no price is above beta, when rounds gain little far from that, or by the limits: those of the
/// settings and, unless `rounds` is set, the work that a tuned gradient descent would take. Whatever stops it, the best
/// network so far is returned. `start`: patterns to begin with beside those of the descent, if there are any.
///
/// Programs are solved on one thread, so that patterns do not depend on the number of threads.
SolvedProgram solve_priced(const TrainTask& task, const PatternSet& start, const TrainSettings& settings,
                           const Clock& clock, const ProgressCallback& progress, Notes& notes);

/// Patterns of a solution with a block that is longer than this share of the longest.
PatternSet patterns_in_use(const SolvedProgram& solved, double share = 1e-3);

}  // namespace conelu
