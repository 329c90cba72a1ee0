#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "conelu/baseline.hpp"
#include "conelu/read_data.hpp"
#include "conelu/train.hpp"

namespace conelu::tool {

/// DATA and how its columns are to be read.
struct DataOptions {
  std::string path;
  ReadSettings read;
};

void add_data_options(CLI::App& command, DataOptions& data);

/// --bias and --standardize
void add_input_options(CLI::App& command, TrainSettings& settings);

/// --method, --prune and --reduce
void add_program_options(CLI::App& command, TrainSettings& settings);

/// --patterns and what belongs to it
void add_pattern_options(CLI::App& command, TrainSettings& settings);

/// Throws UsageError for options of another source than the one given.
void check_pattern_options(const TrainSettings& settings);

/// One option for each field of the solver's settings.
void add_solver_options(CLI::App& command, InteriorPointSettings& settings);

/// The same for gradient descent.
void add_baseline_options(CLI::App& command, BaselineSettings& settings);

}  // namespace conelu::tool
