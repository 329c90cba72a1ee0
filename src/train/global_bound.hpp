#pragma once

#include "conelu/price_bound.hpp"
#include "train/task.hpp"

namespace conelu {

/// A proof, and the directions that it met above beta: their patterns lower the optimum.
struct GlobalProof {
  GlobalBound bound;
  PricedDirections met;
};

/// Bounds every network of any width by the dual point of `pricing`. Left to itself it first estimates the work and
/// declines what takes more than seconds, with a note; with `settings.global_bound` it works for that many seconds at
/// most. `gap` is the estimated one: a proof need not be much finer. `program` needs no patterns.
std::optional<GlobalProof> prove_for_all_networks(const Program& program, const Pricing& pricing, double gap,
                                                  const TrainSettings& settings, double seconds_left,
                                                  const std::function<bool()>& go_on, Notes& notes);

/// The same for a program that was solved with whatever patterns, which stay as they are.
void prove_solution(SolvedProgram& solved, const TrainSettings& settings, const Clock& clock,
                    const ProgressCallback& progress, Notes& notes);

}  // namespace conelu
