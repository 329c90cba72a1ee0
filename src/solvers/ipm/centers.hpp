#pragma once

#include "solvers/ipm/norms.hpp"
#include "solvers/ipm/scaled_problem.hpp"

namespace conelu::ipm {

/// Directions near the analytic centres of the patterns' cones.
///
/// A solve that starts from the witnesses themselves, which may touch a wall of a narrow cone, takes up to five times
/// the iterations or fails.
struct Centers {
  Matrix directions;  // d x P, unit length
  Vector tau;         // P: with a threat, where between norm and rows the centre is
};

/// For each pattern the minimiser, by a few damped Newton steps from the witness, of
///
///     n |u|^2 / 2 - sum_k log(e_k x_k'u - tau) - (barrier of tau >= |eps o u|_q)     over the n cone rows;
///
/// without a threat tau is 0 and has no barrier. All rows count, so this is for programs that keep all pairs.
Centers analytic_centers(const ScaledProblem& problem);

}  // namespace conelu::ipm
