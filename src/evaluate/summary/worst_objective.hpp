#pragma once

#include <optional>

#include "evaluate/summary/attacker.hpp"
#include "evaluate/summary/severity_range.hpp"

namespace conelu::summary {

/// Bounds on the training objective at the worst perturbations of the rows.
struct ObjectiveRange {
  double lower = 0;  ///< perturbations are known that do this
  double upper = 0;  ///< proven never to be exceeded
};

/// With the loss and beta of the model's record; rows are preprocessed and have weights. `known` is about the
/// prediction of a single network, and saves work if the loss asks the same. Nothing if the record names no loss that
/// is registered or fits the task, or if it was stopped before an attack was through.
std::optional<ObjectiveRange> worst_objective(const Model& model, const Dataset& rows, const SeverityRange& known,
                                              const EvaluationSettings& settings, Reporter& reporter);

}  // namespace conelu::summary
