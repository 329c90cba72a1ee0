#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "conelu/model.hpp"
#include "options.hpp"
#include "threat_options.hpp"

namespace conelu::tool {

/// What to train and on what, as it was written; every command that trains has these options.
struct TrainingOptions {
  DataOptions data;
  ThreatOptions threat;
  std::string task;
  std::string loss;
  std::string test;
  std::string validation;
  std::string model;
  std::string record;
  bool json = false;
  bool quiet = false;

  bool record_to_stdout() const { return json || record == "-"; }
  std::string record_file() const { return record == "-" ? "" : record; }
};

struct TrainingData {
  Dataset train;
  std::optional<Dataset> test;
  std::optional<Dataset> validation;
};

/// DATA, how to read and how to prepare it
void add_training_data_options(CLI::App& command, TrainingOptions& options, TrainSettings& settings);
void add_test_option(CLI::App& command, TrainingOptions& options);
/// --task, --loss and --huber-delta
void add_loss_options(CLI::App& command, TrainingOptions& options, TrainSettings& settings);
void add_beta_option(CLI::App& command, TrainSettings& settings);

/// A value of --beta: a number, or a share of beta_max if `max` stands behind it.
struct BetaText {
  double value = 0;
  bool of_max = false;
};
BetaText parse_beta(const std::string& text);
/// What is wrong with it, or nothing.
std::string beta_problem(const std::string& text);
/// --model, --record, --json and --quiet
void add_training_output_options(CLI::App& command, TrainingOptions& options);

/// A loss implies a task and a task a loss; both given must fit together.
void settle_task_and_loss(TrainingOptions& options, TrainSettings& settings);

/// Checks that --model and --record can be written and are no input of the run.
void check_training_outputs(const TrainingOptions& options, const std::string& other_input = "");

/// Reads DATA and takes off --test and then --validation. Throws std::invalid_argument naming what cannot be trained
/// on.
TrainingData read_training_data(const TrainingOptions& options, std::uint64_t seed);

/// A share of the rows that --test asks for; a file otherwise.
std::optional<double> test_fraction(const TrainingOptions& options);
std::optional<double> validation_fraction(const TrainingOptions& options);

void score_on_test(Model& model, const Dataset& test);

/// Where the network went, if anywhere.
void tell_model_file(const TrainingOptions& options, const RunRecord& record);

}  // namespace conelu::tool
