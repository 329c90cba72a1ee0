#include "verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace conelu::tool {
namespace {

/// Eight digits, rounded down or up: what is claimed of them is proven, too.
std::string rounded(double value, bool up) {
  std::string text = fmt::format("{:.8g}", value);
  const double step = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 7);
  if (up && std::stod(text) < value) text = fmt::format("{:.8g}", std::stod(text) + step);
  if (!up && std::stod(text) > value) text = fmt::format("{:.8g}", std::stod(text) - step);
  return text;
}

std::string at_least(double value) { return rounded(value, false); }
std::string at_most(double value) { return rounded(value, true); }

/// Dropped patterns are not among those that the bound is for; the one that is active nowhere is no loss.
bool dropped_some(const RunRecord& record) { return record.live_patterns + 1 < record.patterns; }

const char* patterns_used(const Model& model) {
  if (has_gates(make_method(model.training.method))) return "these gates";
  const auto& classes = model.class_trainings;
  const bool dropped = model.training.networks ? std::any_of(classes.begin(), classes.end(), dropped_some)
                                               : dropped_some(model.training);
  return dropped ? "these live patterns" : "these patterns";
}

std::string reach_of(const RunRecord& record, bool standardised) {
  const std::string radius = record.eps_per_feature ? fmt::format("its radii (the largest is {:g})", record.eps)
                                                    : fmt::format("eps = {:g}", record.eps);
  return fmt::format("{} in the {} norm{}", radius, record.norm, standardised ? ", after standardisation," : "");
}

/// Of one network for each class, what is proven is proven of the sum: each term is bounded by itself.
std::string verdict_on_sum(const RunRecord& record, const char* patterns, const std::string& reach) {
  const std::string each = "one for each class against the rest";
  if (record.eps == 0 && record.method == "cones") {
    const std::string which = record.scope == "network" ? "of any width" : fmt::format("with {}", patterns);
    return fmt::format("no {} networks {}, {}, have objectives that sum to less than {}; these sum to {:.8g}",
                       *record.networks, which, each, at_least(record.lower_bound), record.objective);
  }
  const std::string these = fmt::format("objectives of these {} networks, {},", *record.networks, each);
  const std::string guarantee =
      record.eps > 0 ? fmt::format("no perturbation within {} can raise the training {} to a sum above {}", reach,
                                   these, at_most(record.network_objective))
                     : fmt::format("the {} sum to {:.8g}", these, record.network_objective);
  return fmt::format(
      "{}; their programs (method {}, {}) have no points that sum to less than {}, these sum to {:.8g}; other networks "
      "may do better",
      guarantee, record.method, patterns, at_least(record.lower_bound), record.objective);
}

}  // namespace

std::string verdict(const Model& model) {
  const RunRecord& record = model.training;
  const char* patterns = patterns_used(model);
  const std::string reach = reach_of(record, model.preprocessing.scale.size() > 0);
  if (record.networks) return verdict_on_sum(record, patterns, reach);
  if (record.eps == 0 && record.method == "cones") {
    const std::string whom =
        record.scope == "network" ? "no network of any width" : fmt::format("no network with {}", patterns);
    const std::string open = record.program_bound
                                 ? fmt::format("; with {} none is below {}", patterns, at_least(*record.program_bound))
                             : record.scope == "network" ? ""
                                                         : "; others may be better";
    return fmt::format("{} has an objective below {}; this one has {:.8g}{}", whom, at_least(record.lower_bound),
                       record.objective, open);
  }
  const std::string guarantee =
      record.eps > 0
          ? fmt::format("no perturbation within {} can raise the training objective of this network above {}", reach,
                        at_most(record.network_objective))
          : fmt::format("this network has an objective of {:.8g}", record.network_objective);
  return fmt::format(
      "{}; its program (method {}, {}) has no point below {}, this one is at {:.8g}; other networks may do better",
      guarantee, record.method, patterns, at_least(record.lower_bound), record.objective);
}

std::string advice_on_zero_network(const RunRecord& record, bool bias) {
  if (record.eps == 0 || record.live_patterns > 0) return {};
  std::string ways;
  if (record.pattern_source != "gaps") ways += "--patterns gaps (live by construction), ";
  if (record.method != "reduced" || !bias) {
    ways += fmt::format("--method reduced with {}, ", bias ? "its bias" : "--bias");
  }
  return fmt::format("the result is the zero network, which says 0 to every input; try {}{}a smaller --eps", ways,
                     ways.empty() ? "" : "or ");
}

}  // namespace conelu::tool
