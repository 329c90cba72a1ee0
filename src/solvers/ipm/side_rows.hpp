#pragma once

#include "solvers/ipm/freed_pairs.hpp"

namespace conelu::ipm {

/// What one side of a sample sees of a block's step: `row` x_k'du_j + `center` (c_j'du_j + dtau'_j).
struct SideEntry {
  double row = 0;
  double center = 0;

  bool empty() const { return row == 0 && center == 0; }
};

inline SideEntry side_entry(const ScaledProblem& problem, const FreedPairs& freed, Index group, Index block, int side) {
  SideEntry entry;
  const Index pattern = problem.pattern_of(block);
  const double direction = side == up ? 1.0 : -1.0;
  if (problem.activations(group, pattern) > 0) entry.row = direction * ScaledProblem::sign_of(block);
  if (side == side_of(block)) {
    entry.center = freed.gates()(group, block);
    entry.row -= problem.signs(group, pattern) * entry.center;
  } else if (problem.open.size() > 0 && problem.open(group, block) > 0) {
    entry.center = 1;
    entry.row -= 1;
  }
  return entry;
}

}  // namespace conelu::ipm
