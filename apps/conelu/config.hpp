#pragma once

#include <CLI/CLI.hpp>

namespace conelu::tool {

/// --config FILE: a JSON object with the options of the command, named as on the command line without the dashes.
///
///     {"DATA": "points.csv", "beta": 1e-3, "eps": [0.1, 0.2], "standardize": true, "na": ["?", "NA"]}
void add_config_option(CLI::App& command);

/// Gives the command the options of its --config, if there is one, as if they had been typed. What was typed stays: an
/// option there hides its entry in the file, and those that it cannot stand beside.
/// Throws UsageError naming file and key, or file, line and byte if it is not JSON.
void apply_config(CLI::App& command);

}  // namespace conelu::tool
