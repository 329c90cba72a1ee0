#pragma once

#include "solvers/ipm/scaled_problem.hpp"

namespace conelu::ipm {

/// d x P: for each pattern a unit direction near the analytic centre of its cone, the minimiser of
///
///     n |u|^2 / 2 - sum_k log(e_k x_k'u)    over the n unit cone rows,
///
/// by a few damped Newton steps from the witness. A solve that starts from the witnesses themselves, which may touch a
/// wall of a narrow cone, takes up to five times the iterations or fails (data far from the origin shows it).
Matrix analytic_centers(const ScaledProblem& problem);

}  // namespace conelu::ipm
