#pragma once

#include "solvers/ipm/norm_cones.hpp"
#include "solvers/ipm/scaled_problem.hpp"

namespace conelu::ipm {

/// The norm cones of a program: tau_j of the blocks and rho_c of the cells. Both null without a threat, the second also
/// if every block is attacked by itself.
struct Norms {
  explicit Norms(const ScaledProblem& problem)
      : blocks(problem.robust ? make_norm_cones(problem.norm, problem.radii, problem.blocks()) : nullptr),
        cells(problem.joint ? make_norm_cones(problem.norm, problem.radii, problem.cells()) : nullptr) {}

  std::unique_ptr<NormCones> blocks, cells;
};

}  // namespace conelu::ipm
