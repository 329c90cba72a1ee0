#include "evaluate/summary/severity_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace conelu::summary {
namespace {

constexpr double kSettled = 1e-9;   // of a cost: the bounds of verify meet to about 1e-10
constexpr double kRounding = 1e-9;  // of a severity: what two ways of evaluating a network may differ by

void keep_order(const Question& question, SeverityRange& range, Index k) {
  const double excess = range.lower(k) - range.upper(k);
  if (!(excess > 0)) return;
  if (excess > kRounding * (1 + std::abs(range.lower(k)))) {
    throw std::logic_error(fmt::format("row {}: proven never to be worse than {}, but a perturbation makes it {}",
                                       question.rows[static_cast<std::size_t>(k)], range.upper(k), range.lower(k)));
  }
  range.upper(k) = range.lower(k);
}

}  // namespace

bool is_settled(const SeverityRange& range, Index k, const Cost& cost, double tolerance) {
  const double highest = cost(range.upper(k));
  return std::isfinite(highest) && highest - cost(range.lower(k)) <= tolerance * (1 + std::abs(highest));
}

void narrow(const Question& question, const Cost& cost, VerifySettings settings, const VerifyProgress& progress,
            SeverityRange& range) {
  std::vector<Index> open;
  for (Index k = 0; k < question.y.size(); ++k) {
    keep_order(question, range, k);
    if (!is_settled(range, k, cost, kSettled)) open.push_back(k);
  }
  const Index all = question.y.size();
  if (open.empty()) {
    progress(all, all);
    return;
  }
  settings.task = question.task;
  settings.exact = true;
  const Index settled = all - static_cast<Index>(open.size());
  const std::vector<Verification> found =
      verify(question.network, question.X(open, Eigen::all), question.y(open), settings,
             [&](Index finished, Index) { return progress(settled + finished, all); });
  const bool margins = question.task == Task::classification;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Index k = open[i];
    range.lower(k) = std::max(range.lower(k), margins ? -found[i].upper : found[i].lower);
    range.upper(k) = std::min(range.upper(k), margins ? -found[i].lower : found[i].upper);
    keep_order(question, range, k);
  }
}

}  // namespace conelu::summary
