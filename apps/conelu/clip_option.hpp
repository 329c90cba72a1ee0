#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "conelu/preprocessing.hpp"

namespace conelu::tool {

/// The values that every feature can take, in the units of DATA.
struct ClipRange {
  double lowest;
  double highest;
};

/// LO,HI as it was written; empty: any value.
struct ClipOption {
  std::string text;

  /// Throws UsageError saying what is expected (and not the option: CLI11 does that).
  ClipRange range() const;
  /// As the network sees them, one for each feature; nothing if the option was not given.
  void apply_to(Vector& lower, Vector& upper, Index features, const Preprocessing& preprocessing) const;
};

/// --clip
CLI::Option* add_clip_option(CLI::App& command, ClipOption& clip);

}  // namespace conelu::tool
