#include "evaluate/summary/worst_objective.hpp"

#include <algorithm>

#include "evaluate/summary/closed_form.hpp"
#include "evaluate/summary/settings.hpp"
#include "program/rounding.hpp"

namespace conelu::summary {
namespace {

LossPointer training_loss(const Model& model) {
  const RunRecord& record = model.training;
  const std::vector<std::string> known = loss_names();
  if (std::find(known.begin(), known.end(), record.loss) == known.end()) return nullptr;
  LossSettings settings;
  settings.huber_delta = record.huber_delta.value_or(settings.huber_delta);
  LossPointer loss = make_loss(record.loss, settings);
  return loss->is_margin_loss() && model.task == Task::regression ? nullptr : loss;
}

/// Margin losses see a severity as a margin, residual losses depend on |f - y| alone.
Cost cost_of(const Loss& loss) {
  if (loss.is_margin_loss()) return [&loss](double severity) { return loss.value(-severity, 1); };
  return [&loss](double severity) { return loss.value(severity, 0); };
}

std::optional<SeverityRange> first_range(const Question& question, const EvaluationSettings& settings,
                                         Reporter& reporter) {
  Damage clean(question.y.size());
  Damage attacked(question.y.size());
  if (!Attacker(settings, reporter).run("strong", question, clean, attacked)) return std::nullopt;
  return SeverityRange{attacked.severity, severity_bounds(question, settings.threat)};
}

}  // namespace

std::optional<ObjectiveRange> worst_objective(const Model& model, const Dataset& rows, const SeverityRange& known,
                                              const EvaluationSettings& settings, Reporter& reporter) {
  const LossPointer loss = training_loss(model);
  if (!loss) return std::nullopt;
  const Cost cost = cost_of(*loss);
  const Vector weights = loss->is_averaged() ? Vector(rows.weights / rows.weights.sum()) : rows.weights;
  const std::vector<Question> questions = loss_questions(model, rows, loss->is_margin_loss());
  const bool as_predicted = questions.size() == 1 && questions.front().task == model.task;
  reporter.begin("objective", (as_predicted ? 1 : 2) * count_rows(questions));
  ObjectiveRange objective;
  for (const Question& question : questions) {
    std::optional<SeverityRange> range = as_predicted ? known : first_range(question, settings, reporter);
    if (!range) return std::nullopt;
    narrow(question, cost, verify_settings(settings), reporter.for_verify(), *range);
    double lower = question.network.penalty(model.training.beta);
    double upper = lower;
    for (Index k = 0; k < rows.samples(); ++k) {
      lower += weights(k) * cost(range->lower(k));
      upper += weights(k) * cost(range->upper(k));
    }
    objective.lower += lower;
    objective.upper += upper * (1 + rounding::share(rows.samples() + question.network.hidden.size()));
  }
  return objective;
}

}  // namespace conelu::summary
