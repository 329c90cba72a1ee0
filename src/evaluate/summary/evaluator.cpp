#include "evaluate/summary/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "evaluate/summary/closed_form.hpp"
#include "evaluate/summary/settings.hpp"
#include "evaluate/summary/worst_objective.hpp"
#include "require.hpp"

namespace conelu::summary {
namespace {

constexpr double kRadiusTolerance = 1e-3;
constexpr double kLargestRadius = 1e3;  // as a factor on the threat's
constexpr double kKnown = 1e-6;         // of a squared error

/// The rows as the networks see them, those of weight 0 left out.
Dataset prepared_rows(const Model& model, Dataset data) {
  require(!model.networks.empty(), "model: has no network");
  require(data.y.size() == data.samples(),
          fmt::format("data: {} rows with {} targets, expected one target per row", data.samples(), data.y.size()));
  require(data.weights.size() == 0 || data.weights.size() == data.samples(),
          fmt::format("data: {} rows with {} weights", data.samples(), data.weights.size()));
  require(data.classes.empty() || data.classes == model.classes, "data: the classes are not those of the model");
  data.classes = model.classes;
  const auto classes = static_cast<double>(model.networks.size());
  for (Index k = 0; model.networks.size() > 1 && k < data.samples(); ++k) {
    const double y = data.y(k);
    require(y >= 0 && y < classes && y == std::floor(y),
            fmt::format("data: the class of row {} is {}, expected a number from 0 to {}", k, y, classes - 1));
  }
  data = drop_zero_weights(data);
  require(data.samples() > 0, "data: no rows, or all of weight 0");
  data.X = model.preprocessing.apply(data.X);
  if (data.weights.size() == 0) data.weights = Vector::Ones(data.samples());
  return data;
}

double square(double error) { return error * error; }

Verdict robust_if(bool proven) { return proven ? Verdict::robust : Verdict::unknown; }

}  // namespace

Evaluator::Evaluator(const Model& model, const Dataset& data, const EvaluationSettings& settings,
                     const EvaluationCallback& progress)
    : model_(model),
      settings_(settings),
      reporter_(progress),
      rows_(prepared_rows(model, data)),
      questions_(prediction_questions(model, rows_)),
      attacked_(n()),
      verdicts_(n()) {
  facts_.task = model.task;
  facts_.n = n();
  facts_.norm = to_string(settings.threat.norm);
  facts_.seed = settings.seed;
  if (!settings.threat.active()) return;
  const Vector& radii = settings.threat.radii;
  facts_.eps = radii.maxCoeff();
  if (radii.minCoeff() != facts_.eps) facts_.eps_per_feature.emplace(radii.begin(), radii.end());
}

Evaluation Evaluator::run() {
  if (attack()) {
    bound();
    classifies() ? verify_verdicts() : verify_errors();
    if (settings_.objective && !reporter_.stopped()) bound_objective();
    if (settings_.radius && !reporter_.stopped()) find_radii();
  }
  facts_.finished = !reporter_.stopped();
  return facts_;
}

bool Evaluator::attack() {
  Attacker attacker(settings_, reporter_);
  Damage clean(n());
  Damage fgsm(n());
  Damage pgd(n());
  if (!attacker.run("fgsm", questions_, clean, fgsm)) return false;
  facts_.clean = score(clean);
  facts_.fgsm = score(fgsm);
  if (!attacker.run("pgd", questions_, clean, pgd)) return false;
  facts_.pgd = score(pgd);
  attacked_.include(fgsm);
  attacked_.include(pgd);
  if (!attacker.run("strong", questions_, clean, attacked_)) return false;
  facts_.strong = score(attacked_);
  for (Index k = 0; classifies() && k < n(); ++k) {
    if (attacked_.is_broken(k)) verdicts_.record(k, Verdict::broken, "an attack");
  }
  range_.lower = attacked_.severity;
  return true;
}

void Evaluator::bound() {
  range_.upper = Vector::Constant(n(), -std::numeric_limits<double>::infinity());
  std::vector<char> proven(static_cast<std::size_t>(n()), 1);
  for (const Question& question : questions_) {
    const Vector bounds = severity_bounds(question, settings_.threat);
    for (Index i = 0; i < bounds.size(); ++i) {
      const Index k = question.rows[static_cast<std::size_t>(i)];
      range_.upper(k) = std::max(range_.upper(k), bounds(i));
      if (!is_right(bounds(i), question.y(i))) proven[static_cast<std::size_t>(k)] = 0;
    }
  }
  if (!classifies()) {
    facts_.certified_bound = mean_square(range_.upper.cwiseMax(range_.lower));
    return;
  }
  const auto is_proven = [&](Index k) { return proven[static_cast<std::size_t>(k)] != 0; };
  for (Index k = 0; k < n(); ++k) verdicts_.record(k, robust_if(is_proven(k)), "the closed form");
  facts_.certified_bound = share_of(is_proven);
}

void Evaluator::verify_verdicts() {
  reporter_.begin("verify", n());
  const VerifySettings settings = verify_settings(settings_);
  verified_ = has_rivals() ? verify(model_.networks, rows_.X, labels(), settings, reporter_.for_verify())
                           : verify(model_.network(), rows_.X, rows_.y, settings, reporter_.for_verify());
  for (Index k = 0; k < n(); ++k) {
    const Verification& row = verified_[static_cast<std::size_t>(k)];
    verdicts_.record(k, row.verdict, "exact verification");
    range_.lower(k) = std::max(range_.lower(k), -row.upper);
    range_.upper(k) = std::min(range_.upper(k), -row.lower);
  }
  facts_.verified_lower = share_of([&](Index k) { return verdicts_.of(k) == Verdict::robust; });
  facts_.verified_upper = share_of([&](Index k) { return verdicts_.of(k) != Verdict::broken; });
  facts_.unknown = verdicts_.unknown();
}

void Evaluator::verify_errors() {
  reporter_.begin("verify", n());
  narrow(questions_.front(), square, verify_settings(settings_), reporter_.for_verify(), range_);
  facts_.verified_lower = mean_square(range_.lower);
  facts_.verified_upper = mean_square(range_.upper);
  facts_.certified_bound = std::max(*facts_.certified_bound, *facts_.verified_upper);  // rounding of the errors seen
  Index unknown = 0;
  for (Index k = 0; k < n(); ++k) unknown += is_settled(range_, k, square, kKnown) ? 0 : 1;
  facts_.unknown = unknown;
}

void Evaluator::bound_objective() {
  const std::optional<ObjectiveRange> objective = worst_objective(model_, rows_, range_, settings_, reporter_);
  if (!objective) return;
  facts_.objective = objective->upper;
  facts_.objective_lower = objective->lower;
}

void Evaluator::find_radii() {
  if (!classifies() || !settings_.threat.active()) return;
  reporter_.begin("radius", n());
  VerifySettings settings = verify_settings(settings_);
  settings.branch_limit = std::min(settings_.branch_limit, settings_.radius_branches);
  const std::vector<RadiusBounds> found =
      has_rivals() ? robust_radius(model_.networks, rows_.X, labels(), settings, kRadiusTolerance, kLargestRadius,
                                   reporter_.for_verify(), verified_)
                   : robust_radius(model_.network(), rows_.X, rows_.y, settings, kRadiusTolerance, kLargestRadius,
                                   reporter_.for_verify(), verified_);
  if (reporter_.stopped()) return;
  Vector radii(n());
  Index open = 0;
  Index capped = 0;
  for (Index k = 0; k < n(); ++k) {
    const RadiusBounds& row = found[static_cast<std::size_t>(k)];
    radii(k) = row.lower;
    verdicts_.record(k, robust_if(radii(k) >= 1), "the search for its radius");
    if (verdicts_.of(k) == Verdict::robust) radii(k) = std::max(radii(k), 1.0);
    const bool at_the_end = row.lower >= kLargestRadius;
    capped += at_the_end ? 1 : 0;
    open += at_the_end || row.is_closed(kRadiusTolerance) ? 0 : 1;
  }
  facts_.mean_radius = settings_.radius_unit * mean(radii);
  facts_.radius_open = open;
  facts_.radius_capped = capped;
}

std::vector<Index> Evaluator::labels() const {
  std::vector<Index> labels(static_cast<std::size_t>(n()));
  for (Index k = 0; k < n(); ++k) labels[static_cast<std::size_t>(k)] = rows_.class_of(k);
  return labels;
}

double Evaluator::score(const Damage& damage) const {
  return classifies() ? share_of([&](Index k) { return !damage.is_broken(k); }) : mean_square(damage.severity);
}

template <class Condition>
double Evaluator::share_of(Condition&& condition) const {
  return mean(Vector::NullaryExpr(n(), [&](Index k) { return condition(k) ? 1.0 : 0.0; }));
}

double Evaluator::mean_square(const Vector& errors) const { return mean(errors.cwiseAbs2()); }

/// By weight, added up in order: where no term falls the mean does not fall either, in spite of rounding.
double Evaluator::mean(const Vector& of_row) const {
  double sum = 0;
  double total = 0;
  for (Index k = 0; k < n(); ++k) {
    sum += rows_.weights(k) * of_row(k);
    total += rows_.weights(k);
  }
  return sum / total;
}

}  // namespace conelu::summary
