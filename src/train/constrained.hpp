#pragma once

#include "train/task.hpp"

namespace conelu {

/// Programs that solve_in_exchange usually solves: a third gains little.
inline constexpr int kUsualExchanges = 2;

/// P x d: of each pattern d the gradient g(d) = sum_k d_k (nu_k x_k + mu_k delta_k) of its block v, before constraints
/// have a say; -g(d) is that of w. If |g(d)| <= beta, the dual point is one of the program with that pattern, too, and
/// proves the same bound.
Matrix pattern_gradients(const Program& program, const DualPoint& dual, const PatternSet& patterns);

/// Solves the program of `patterns` with the task's constraints. Under an attack, patterns of which its solution makes
/// no use then give way to others of the same source, those first on which the dual puts the highest price, and the
/// program is solved again: `rounds` programs at most, until the objective falls by less than a thousandth. A program
/// that did not help is forgotten. A trail, if there is one, is for one choice of patterns, which then stays.
SolvedProgram solve_in_exchange(const TrainTask& task, const PatternSet& patterns, const TrainSettings& settings,
                                int rounds, Trail* trail, const Clock& clock, const ProgressCallback& progress,
                                Notes& notes);

}  // namespace conelu
