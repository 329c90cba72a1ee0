#pragma once

#include <CLI/CLI.hpp>

#include "conelu/model.hpp"
#include "conelu/read_data.hpp"

namespace conelu::tool {

/// How to read a file of data, beyond its target and weights; every command that reads one has these options.
void add_reading_options(CLI::App& command, ReadSettings& read);

/// The same settings for data that are meant for a model: its task, features, classes, encodings and missing values.
ReadSettings for_model(ReadSettings read, const Model& model);

}  // namespace conelu::tool
