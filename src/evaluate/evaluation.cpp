#include "conelu/evaluation.hpp"

#include <chrono>

#include "evaluate/summary/evaluator.hpp"
#include "linalg/thread_count.hpp"

namespace conelu {

Evaluation evaluate(const Model& model, const Dataset& data, const EvaluationSettings& settings,
                    const EvaluationCallback& progress) {
  const auto start = std::chrono::steady_clock::now();
  const ThreadCount threads(settings.threads);
  Evaluation evaluation = summary::Evaluator(model, data, settings, progress).run();
  evaluation.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return evaluation;
}

}  // namespace conelu
