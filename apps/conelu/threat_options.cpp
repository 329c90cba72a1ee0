#include "threat_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "usage.hpp"

namespace conelu::tool {
namespace {

constexpr const char* kEpsForms = "expected a radius, one for each feature as R1,R2,..., or name=R,...";

double parse_radius(const std::string& number, const std::string& part) {
  if (const std::string problem = range_problem(number, 0.0, std::numeric_limits<double>::max()); !problem.empty()) {
    const std::string where = part == number ? "" : fmt::format(" in '{}'", part);
    throw UsageError(number.empty() ? fmt::format("a radius is missing{}; {}", where, kEpsForms)
                                    : fmt::format("the radius{} {}; {}", where, problem, kEpsForms));
  }
  return std::stod(number);
}

std::string list_of(const std::vector<std::string>& features) {
  constexpr std::size_t kShown = 12;
  const auto last = features.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, features.size()));
  return fmt::format("{}{}", fmt::join(features.begin(), last, ", "), features.size() > kShown ? ", ..." : "");
}

std::size_t position_of(const std::string& name, const std::vector<std::string>& features) {
  const auto found = std::find(features.begin(), features.end(), name);
  if (found != features.end()) return static_cast<std::size_t>(found - features.begin());
  const std::string near = nearest(name, features);
  const bool mixed = name.find(',') != std::string::npos;
  throw UsageError(fmt::format("--eps: there is no feature '{}' among {}{}{}", name, list_of(features),
                               near.empty() ? "" : fmt::format("; did you mean {}?", near),
                               mixed ? "; give numbers only or name=R only" : ""));
}

}  // namespace

std::vector<NamedRadius> parse_radii(const std::string& text) {
  std::vector<NamedRadius> list;
  const bool named = text.find('=') != std::string::npos;
  std::string part;
  for (std::size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find(',', begin), text.size());
    part += text.substr(begin, end - begin);
    const std::size_t equals = part.rfind('=');
    if (named && equals == std::string::npos && end < text.size()) {
      part += ',';  // belongs to the name
      continue;
    }
    if (named && (equals == std::string::npos || equals == 0)) {
      throw UsageError(fmt::format("'{}' is not of the form name=R, as other parts are", part));
    }
    list.push_back({named ? part.substr(0, equals) : "", parse_radius(named ? part.substr(equals + 1) : part, part)});
    part.clear();
  }
  return list;
}

std::vector<double> radii_of(const std::vector<NamedRadius>& list, const std::vector<std::string>& features) {
  const bool named = !list.empty() && !list.front().name.empty();
  std::vector<double> radii;
  if (!named) {
    for (const NamedRadius& item : list) radii.push_back(item.radius);
    if (radii.size() > 1 && radii.size() != features.size()) {
      throw UsageError(
          fmt::format("--eps: has {} radii, but DATA has {} feature{} without the target ({}); give one "
                      "for each, a single one for all, or name=R,...",
                      radii.size(), features.size(), features.size() == 1 ? "" : "s", list_of(features)));
    }
    return radii;
  }
  radii.assign(features.size(), 0.0);
  std::vector<bool> seen(features.size(), false);
  for (const NamedRadius& item : list) {
    const std::size_t a = position_of(item.name, features);
    if (seen[a]) throw UsageError(fmt::format("--eps: '{}' is given twice", item.name));
    seen[a] = true;
    radii[a] = item.radius;
  }
  return radii;
}

void ThreatOptions::apply_to(TrainSettings& settings, const std::vector<std::string>& features) const {
  if (!eps.empty()) settings.eps = radii_of(parse_radii(eps), features);
  settings.eps_units = units == "raw" ? EpsUnits::raw : EpsUnits::network;
  settings.norm = make_norm(norm);
}

void add_threat_options(CLI::App& command, ThreatOptions& threat) {
  const auto well_formed = [](const std::string& text) -> std::string {
    try {
      parse_radii(text);
      return {};
    } catch (const UsageError& error) {
      return error.what();
    }
  };
  command
      .add_option("--eps", threat.eps,
                  "how far an attacker may move a sample: a radius for all features, one for each, or some by name, "
                  "the others staying put; the bias is out of reach")
      ->option_text("R|R1,R2,...|NAME=R,...")
      ->default_str("0, standard training")
      ->check(well_formed)
      ->group("Robustness");
  add_norm_options(command, threat);
}

void add_norm_options(CLI::App& command, ThreatOptions& threat) {
  const std::string group = "Robustness";
  add_choice(command, "--eps-units", threat.units, {"network", "raw"},
             "what the radii are measured in: network, what the network sees, after --standardize; raw, the units of "
             "DATA")
      ->option_text("UNITS")
      ->capture_default_str()
      ->group(group);
  add_choice(command, "--norm", threat.norm, norm_names(),
             fmt::format("norm that measures a perturbation, one of {}", fmt::join(norm_names(), ", ")))
      ->option_text("NORM")
      ->capture_default_str()
      ->group(group);
}

}  // namespace conelu::tool
