#pragma once

#include "solvers/ipm/norms.hpp"
#include "solvers/ipm/sample_terms.hpp"
#include "solvers/ipm/steps.hpp"

namespace conelu::ipm {

/// Longest steps, at most 1, that keep every slack and every multiplier in its cone.
Steps longest_steps(const ScaledProblem& problem, const SampleTerms& samples, const Norms& norms, const Iterate& at,
                    const Iterate& direction);

/// Mean complementarity product, those of the samples over their emphasis, after the given steps along `direction`, or
/// at the point itself without one.
double mean_product(const ScaledProblem& problem, const SampleTerms& samples, const Norms& norms, const Iterate& at,
                    const Iterate* direction = nullptr, Steps steps = {});

void advance(const Iterate& direction, Steps steps, Iterate& at);

}  // namespace conelu::ipm
