#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "conelu/train.hpp"

namespace conelu::tool {

/// The attack to train against, as it was written.
struct ThreatOptions {
  std::string eps;
  std::string units = "network";
  std::string norm = "inf";

  /// Puts it into the settings once the features are known.
  /// Throws UsageError naming the part of --eps that does not fit them and what would.
  void apply_to(TrainSettings& settings, const std::vector<std::string>& features) const;
};

/// --eps, --eps-units and --norm
void add_threat_options(CLI::App& command, ThreatOptions& threat);
/// The last two
void add_norm_options(CLI::App& command, ThreatOptions& threat);

/// R, R1,R2,... or name=R,...: a radius with the feature it is for, or without. A name may hold commas.
struct NamedRadius {
  std::string name;
  double radius = 0;
};

/// Throws UsageError naming the part that is not a radius (and not the option: CLI11 does that).
std::vector<NamedRadius> parse_radii(const std::string& text);

/// One radius for each feature, 0 for those that are not named; a number alone stays alone.
/// Throws UsageError for a wrong count and for names that are unknown, suggesting the nearest, or given twice.
std::vector<double> radii_of(const std::vector<NamedRadius>& list, const std::vector<std::string>& features);

}  // namespace conelu::tool
