#include "training_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "data_options.hpp"
#include "output.hpp"
#include "usage.hpp"

namespace conelu::tool {
namespace {

/// A name that JSON cannot hold should not come to light after the solve.
void check_names(const std::vector<std::string>& names, const std::string& path) {
  try {
    static_cast<void>(nlohmann::json(names).dump());
  } catch (const nlohmann::json::exception&) {
    throw std::invalid_argument(fmt::format("'{}': a column name or label is not UTF-8 text", path));
  }
}

}  // namespace

void add_training_data_options(CLI::App& command, TrainingOptions& options, TrainSettings& settings) {
  add_data_options(command, options.data);
  add_reading_options(command, options.data.read);
  add_input_options(command, settings);
  command.add_flag("--min-max", settings.min_max, "bring every feature to [0, 1] first instead; the model remembers")
      ->excludes("--standardize")
      ->group("Data");
  command
      .add_flag("--scale-target", settings.scale_target,
                "regression: train on a target of mean 0 and deviation 1; predictions are in its own units")
      ->group("Data");
}

void add_test_option(CLI::App& command, TrainingOptions& options) {
  command.add_option("--test", options.test, "data to test on: a share of the rows, such as 0.2, or a file")
      ->option_text("SHARE|FILE")
      ->default_str("none")
      ->group("Data");
}

void add_loss_options(CLI::App& command, TrainingOptions& options, TrainSettings& settings) {
  const std::string training = "Training";
  add_choice(command, "--task", options.task, {"classification", "regression"},
             "classification, of two classes or more, or regression")
      ->option_text("TASK")
      ->default_str("as the loss suggests")
      ->group(training);
  add_choice(command, "--loss", options.loss, loss_names(), fmt::format("one of {}", fmt::join(loss_names(), ", ")))
      ->option_text("LOSS")
      ->default_str("hinge; squared with --task regression")
      ->group(training);
  add_number(command, "--huber-delta", settings.loss_settings.huber_delta, 0.0, std::numeric_limits<double>::max(),
             "residual beyond which the huber loss grows linearly, above 0", true)
      ->group(training);
}

BetaText parse_beta(const std::string& text) {
  const std::string_view unit = "max";
  const bool of_max = text.ends_with(unit);
  const std::string number = of_max ? text.substr(0, text.size() - unit.size()) : text;
  // 0.1max; a bare max is beta_max itself.
  return {of_max && number.empty() ? 1.0 : std::stod(number), of_max};
}

std::string beta_problem(const std::string& text) {
  const bool of_max = text.ends_with("max");
  const std::string number = of_max ? text.substr(0, text.size() - 3) : text;
  if (of_max && number.empty()) return {};
  const std::string problem = range_problem(number, 0.0, std::numeric_limits<double>::max(), true);
  if (problem.empty()) return {};
  return fmt::format("must be a number above 0, or a share of the largest useful one such as 0.01max, not {}", text);
}

void add_beta_option(CLI::App& command, TrainSettings& settings) {
  command
      .add_option_function<std::string>(
          "--beta",
          [&settings](const std::string& text) {
            const BetaText beta = parse_beta(text);
            settings.beta.reset();
            (beta.of_max ? settings.beta_share : settings.beta.emplace()) = beta.value;
          },
          "weight of the penalty on the network's size, above 0; with `max` behind it, a share of the smallest beta at "
          "which the network without an attacker is zero, which every run prints as beta_max")
      ->check(beta_problem)
      ->option_text("NUMBER|SHAREmax")
      ->default_str(fmt::format("{}max", kUsualBetaShare))
      ->group("Training");
}

void add_training_output_options(CLI::App& command, TrainingOptions& options) {
  const std::string output = "Output";
  command.add_option("--model", options.model, "write the trained network to this JSON file")
      ->option_text("FILE")
      ->group(output);
  command
      .add_option("--record", options.record,
                  "write what was done and proven to this JSON file; - for stdout, without the table")
      ->option_text("FILE")
      ->group(output);
  command.add_flag("--json", options.json, "print the record as one JSON object instead of a table")->group(output);
  command.add_flag("--quiet", options.quiet, "no table, no notes, no progress; warnings and errors only")
      ->group(output);
}

void settle_task_and_loss(TrainingOptions& options, TrainSettings& settings) {
  if (options.loss.empty()) options.loss = options.task == "regression" ? "squared" : "hinge";
  const LossPointer loss = make_loss(options.loss);
  if (options.task.empty()) options.task = loss->is_margin_loss() ? "classification" : "regression";
  if (options.task == "regression" && loss->is_margin_loss()) {
    throw std::invalid_argument(
        fmt::format("--loss {} is for classification and cannot be used with --task regression", options.loss));
  }
  if (settings.loss_settings.huber_delta != LossSettings{}.huber_delta && options.loss != "huber") {
    throw UsageError(fmt::format("--huber-delta: is for --loss huber, not for {}", options.loss));
  }
  if (settings.scale_target && options.task == "classification") {
    throw UsageError("--scale-target: is for regression, and classes have no units");
  }
  settings.loss = options.loss;
  options.data.read.task = options.task == "classification" ? Task::classification : Task::regression;
}

void check_training_outputs(const TrainingOptions& options, const std::string& other_input) {
  check_outputs({{"--model", options.model}, {"--record", options.record_file()}},
                {options.data.path, options.test, options.validation, options.data.read.weights, other_input});
}

namespace {

/// A share of the rows, if that is what the option asks for; a file otherwise.
std::optional<double> fraction_of(const char* option, const std::string& text) {
  double value = 0;
  if (!CLI::detail::lexical_cast(text, value)) return std::nullopt;
  if (const std::string problem = range_problem(text, 0.0, 1.0, true); !problem.empty()) {
    throw UsageError(fmt::format("{}: {}", option, problem));
  }
  return value;
}

/// What --test or --validation names: rows taken off `train`, or those of a file that are read like them.
std::optional<Dataset> take_off(const char* option, const std::string& text, const ReadSettings& how, Dataset& train,
                                std::uint64_t seed) {
  if (text.empty()) return std::nullopt;
  if (const std::optional<double> fraction = fraction_of(option, text)) {
    auto [rest, taken] = split(train, *fraction, seed);
    train = std::move(rest);
    require_every_class(train, option);
    return std::move(taken);
  }
  ReadSettings read = how;
  read.expected_features = train.features;
  read.expected_target = train.target;
  read.expected_target_position = train.target_position;
  read.expected_classes = train.classes;
  read.expected_encodings = train.encodings;
  read.expected_fill = train.fill;
  if (std::filesystem::exists(read.weights)) read.weights.clear();         // that file weighs the rows of DATA
  if (std::filesystem::is_regular_file(read.target)) read.target.clear();  // and that one labels them
  return read_dataset(text, read);
}

}  // namespace

std::optional<double> test_fraction(const TrainingOptions& options) { return fraction_of("--test", options.test); }
std::optional<double> validation_fraction(const TrainingOptions& options) {
  return fraction_of("--validation", options.validation);
}

TrainingData read_training_data(const TrainingOptions& options, std::uint64_t seed) {
  fraction_of("--test", options.test);  // complains before anything is read
  fraction_of("--validation", options.validation);
  TrainingData data;
  data.train = read_dataset(options.data.path, options.data.read);
  check_names(data.train.features, options.data.path);
  check_names(data.train.classes, options.data.path);
  data.test = take_off("--test", options.test, options.data.read, data.train, seed);
  data.validation = take_off("--validation", options.validation, options.data.read, data.train, seed + 1);
  return data;
}

void score_on_test(Model& model, const Dataset& test) {
  if (model.task == Task::classification) {
    model.training.test_accuracy = accuracy(model, test);
  } else {
    model.training.test_mse = mean_squared_error(model, test);
  }
}

void tell_model_file(const TrainingOptions& options, const RunRecord& record) {
  if (options.quiet) return;
  if (options.model.empty()) {
    fmt::print(stderr, "No model was written; --model FILE keeps one.\n");
  } else {
    fmt::print(stderr, "Model with {} neurons{} written to {}\n", record.neurons,
               record.networks ? fmt::format(" in {} networks", *record.networks) : "", options.model);
  }
}

}  // namespace conelu::tool
