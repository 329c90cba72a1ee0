#pragma once

#include "solvers/ipm/norms.hpp"
#include "solvers/ipm/sample_terms.hpp"

namespace conelu::ipm {

/// Sets a point strictly inside all cones, from which a solve starts, and returns its complementarity product, which is
/// the same for all pairs but those of the samples, which `factor` does not change. Both blocks of a pattern start
/// alike, so that the outputs are 0.
///
/// Where no row is kept, any blocks are inside: `blocks`, if there are any other than 0, are those that it starts from.
double start(const ScaledProblem& problem, const SampleTerms& samples, const Norms& norms, double factor, Iterate& at,
             const Matrix* blocks = nullptr);

}  // namespace conelu::ipm
