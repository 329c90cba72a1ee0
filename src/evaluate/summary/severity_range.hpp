#pragma once

#include <functional>

#include "conelu/verify.hpp"
#include "evaluate/summary/question.hpp"

namespace conelu::summary {

/// Bounds on the largest severity of every row of a question within reach of the attacker.
struct SeverityRange {
  Vector lower;  ///< attained by a perturbation that is known
  Vector upper;  ///< proven
};

/// What a severity costs; never falls as the severity rises.
using Cost = std::function<double(double severity)>;

/// Verifies exactly the rows whose cost is still open. What is known already is kept: bounds only get closer.
/// Throws std::logic_error if a perturbation turns out to be worse than what was proven.
void narrow(const Question& question, const Cost& cost, VerifySettings settings, const VerifyProgress& progress,
            SeverityRange& range);

/// True if the two bounds of row k cost the same, to this share.
bool is_settled(const SeverityRange& range, Index k, const Cost& cost, double tolerance);

}  // namespace conelu::summary
