#pragma once

#include "evaluate/summary/question.hpp"

namespace conelu::summary {

/// No perturbation makes the question's severity at a row larger than this, neither in truth nor as anybody computes
/// it: output_bounds, and the rounding errors of an evaluation at a point of the ball on top.
Vector severity_bounds(const Question& question, const Threat& threat);

/// True if a severity of at most this means that a row of classification is right: an output of 0 is one of +1.
inline bool is_right(double severity, double y) { return y > 0 ? severity <= 0 : severity < 0; }

}  // namespace conelu::summary
