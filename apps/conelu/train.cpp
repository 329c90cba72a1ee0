#include "conelu/train.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "command.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "terminal.hpp"
#include "threat_options.hpp"
#include "usage.hpp"
#include "verdict.hpp"

namespace conelu::tool {
namespace {

struct TrainOptions {
  DataOptions data;
  ThreatOptions threat;
  TrainSettings settings;
  std::string task;
  std::string loss;
  std::string test;
  std::string model;
  std::string record;
  bool quiet = false;
  bool strict = false;

  bool record_to_stdout() const { return record == "-"; }
};

struct TrainingData {
  Dataset train;
  std::optional<Dataset> test;
};

/// A loss implies a task and a task a loss; both given must fit together.
void settle_task_and_loss(TrainOptions& options) {
  if (options.loss.empty()) options.loss = options.task == "regression" ? "squared" : "hinge";
  const LossPointer loss = make_loss(options.loss);
  if (options.task.empty()) options.task = loss->is_margin_loss() ? "classification" : "regression";
  if (options.task == "regression" && loss->is_margin_loss()) {
    throw std::invalid_argument(
        fmt::format("--loss {} is for classification and cannot be used with --task regression", options.loss));
  }
  if (options.settings.loss_settings.huber_delta != LossSettings{}.huber_delta && options.loss != "huber") {
    throw UsageError(fmt::format("--huber-delta: is for --loss huber, not for {}", options.loss));
  }
  options.settings.loss = options.loss;
  options.data.read.task = options.task == "classification" ? Task::classification : Task::regression;
}

/// The whole text as a number; a file name otherwise.
std::optional<double> as_fraction(const std::string& text) {
  double value = 0;
  if (!CLI::detail::lexical_cast(text, value)) return std::nullopt;
  if (const std::string problem = range_problem(text, 0.0, 1.0, true); !problem.empty()) {
    throw UsageError(fmt::format("--test: {}", problem));
  }
  return value;
}

/// A name that JSON cannot hold should not come to light after the solve.
void check_names(const std::vector<std::string>& names, const std::string& path) {
  try {
    static_cast<void>(nlohmann::json(names).dump());
  } catch (const nlohmann::json::exception&) {
    throw std::invalid_argument(fmt::format("'{}': a column name or label is not UTF-8 text", path));
  }
}

/// A rare class can end up in the test rows as a whole.
void check_classes(const Dataset& train) {
  std::vector<bool> present(train.classes.size(), false);
  for (Index k = 0; k < train.samples() && !present.empty(); ++k) {
    const bool counts = train.weights.size() == 0 || train.weights(k) > 0;
    if (counts) present[static_cast<std::size_t>(train.class_of(k))] = true;
  }
  const auto missing = std::find(present.begin(), present.end(), false);
  if (missing == present.end()) return;
  throw std::invalid_argument(fmt::format("--test leaves no row of class {} to train on; training needs all classes",
                                          train.classes[static_cast<std::size_t>(missing - present.begin())]));
}

TrainingData read_training_data(const TrainOptions& options) {
  const std::optional<double> fraction = as_fraction(options.test);
  if (fraction && options.settings.patterns.ends_with(".npy")) {
    throw std::invalid_argument(
        "--patterns FILE has a column for each row of DATA, so --test must name a file instead of a share of the rows");
  }
  TrainingData data;
  data.train = read_dataset(options.data.path, options.data.read);
  check_names(data.train.features, options.data.path);
  check_names(data.train.classes, options.data.path);
  if (fraction) {
    auto [train, test] = split(data.train, *fraction, options.settings.request.seed);
    data = {std::move(train), std::move(test)};
    check_classes(data.train);
  } else if (!options.test.empty()) {
    ReadSettings read = options.data.read;
    read.expected_features = data.train.features;
    read.expected_classes = data.train.classes;
    if (std::filesystem::exists(read.weights)) read.weights.clear();  // that file weighs the rows of DATA
    data.test = read_dataset(options.test, read);
  }
  return data;
}

void score_on_test(Model& model, const Dataset& test) {
  if (model.task == Task::classification) {
    model.training.test_accuracy = accuracy(model, test);
  } else {
    model.training.test_mse = mean_squared_error(model, test);
  }
}

void write_results(const TrainOptions& options, const Model& model) {
  if (!options.model.empty()) save_model(model, options.model);
  if (!options.record.empty() && !options.record_to_stdout()) save_record(model.training, options.record);
  if (options.record_to_stdout()) {
    print_result(to_json(model.training));
  } else if (!options.quiet) {
    const bool several = model.networks.size() > 1;
    print_result(to_table(table_rows(model.training)) +
                 (several ? "\n" + class_table(model.classes, model.class_trainings) : ""));
  }
}

/// The record to blame for a status that is not optimal: of several classes, that of the widest gap.
const RunRecord& widest_gap(const Model& model) {
  if (model.class_trainings.empty()) return model.training;
  return *std::max_element(model.class_trainings.begin(), model.class_trainings.end(),
                           [](const RunRecord& a, const RunRecord& b) { return a.relative_gap < b.relative_gap; });
}

void tell(const TrainOptions& options, const TrainResult& result) {
  const RunRecord& record = result.model.training;
  if (!options.quiet) {
    for (const std::string& note : result.notes)
      fmt::print(stderr, "{} {}\n", paint(Colour::grey, "note:", stderr), note);
    fmt::print(stderr, "{} {}\n", paint(Colour::green, "proven:", stderr), verdict(result.model));
  }
  if (const std::string advice = advice_on_zero_network(record, options.settings.bias); !advice.empty()) {
    fmt::print(stderr, "{} {}\n", paint(Colour::yellow, "warning:", stderr), advice);
  }
  if (record.status != "optimal") {
    const RunRecord& widest = widest_gap(result.model);
    fmt::print(stderr, "{} the certified gap {:.2g}{} is above the tolerance {:.2g} (stop: {}){}\n",
               paint(Colour::yellow, "warning:", stderr), widest.relative_gap, record.networks ? " of a class" : "",
               widest.tolerance, widest.stop,
               widest.stop == "numerical_trouble" && !options.settings.standardize
                   ? "; features far from 0 or of very different size cause this, --standardize helps"
                   : "");
  }
  if (options.quiet) return;
  if (options.model.empty()) {
    fmt::print(stderr, "No model was written; --model FILE keeps one.\n");
  } else {
    fmt::print(stderr, "Model with {} neurons{} written to {}\n", record.neurons,
               record.networks ? fmt::format(" in {} networks", *record.networks) : "", options.model);
  }
}

int run(TrainOptions options) {
  settle_task_and_loss(options);
  check_pattern_options(options.settings);
  check_outputs({{"--model", options.model}, {"--record", options.record_to_stdout() ? "" : options.record}},
                {options.data.path, options.test, options.data.read.weights, options.settings.patterns});
  catch_interrupts();

  LiveLine line(!options.quiet);
  line.show("reading " + options.data.path);
  const TrainingData data = read_training_data(options);
  options.threat.apply_to(options.settings, data.train.features);
  line.show("finding activation patterns");
  TrainResult result = train(data.train, options.settings, [&](const Progress& progress) {
    line.show(progress);
    return !interrupt_requested();
  });
  line.erase();

  if (data.test) score_on_test(result.model, *data.test);
  tell(options, result);
  write_results(options, result.model);
  if (result.model.training.stop == to_string(Stop::cancelled)) return interrupted;
  return options.strict && result.model.training.status != "optimal" ? not_optimal : done;
}

}  // namespace

Command add_train(CLI::App& tool) {
  const auto options = std::make_shared<TrainOptions>();
  CLI::App& command = *tool.add_subcommand("train", "Train a network and prove how close to the best it is");
  command.allow_extras();
  add_data_options(command, options->data);
  add_input_options(command, options->settings);
  command.add_option("--test", options->test, "data to test on: a share of the rows, such as 0.2, or a file")
      ->option_text("SHARE|FILE")
      ->default_str("none")
      ->group("Data");

  const std::string training = "Training";
  add_choice(command, "--task", options->task, {"classification", "regression"},
             "classification, of two classes or more, or regression")
      ->option_text("TASK")
      ->default_str("as the loss suggests")
      ->group(training);
  add_choice(command, "--loss", options->loss, loss_names(), fmt::format("one of {}", fmt::join(loss_names(), ", ")))
      ->option_text("LOSS")
      ->default_str("hinge; squared with --task regression")
      ->group(training);
  add_number(command, "--huber-delta", options->settings.loss_settings.huber_delta, 0.0,
             std::numeric_limits<double>::max(), "residual beyond which the huber loss grows linearly, above 0", true)
      ->group(training);
  add_number(command, "--beta", options->settings.beta, 0.0, std::numeric_limits<double>::max(),
             "weight of the penalty on the network's size, above 0", true)
      ->group(training);
  add_choice(command, "--method", options->settings.method, method_names(),
             "convex program to solve: cones, the paper's; reduced, with only the constraints that its bound needs")
      ->option_text("METHOD")
      ->default_str("cones with --patterns or without --eps; else chosen and named")
      ->group(training);
  add_number(command, "--prune", options->settings.prune, 0.0, 1.0,
             "drop neurons smaller than this share of the largest, if the proof survives")
      ->group(training);
  command
      .add_flag("--reduce", options->settings.reduce,
                "shrink the network to at most one neuron more than there are samples")
      ->group(training);

  add_threat_options(command, options->threat);
  add_pattern_options(command, options->settings);
  add_solver_options(command, options->settings.solver);

  const std::string output = "Output";
  command.add_option("--model", options->model, "write the trained network to this JSON file")
      ->option_text("FILE")
      ->group(output);
  command
      .add_option("--record", options->record,
                  "write what was done and proven to this JSON file; - for stdout, without the table")
      ->option_text("FILE")
      ->group(output);
  command.add_flag("--quiet", options->quiet, "no table, no notes, no progress; warnings and errors only")
      ->group(output);
  command.add_flag("--strict", options->strict, "exit with code 3 if the tolerance was not reached")->group(output);
  command.footer(
      "Examples:\n"
      "  conelu train houses.csv --target price --task regression --standardize \\\n"
      "      --test 0.2 --model houses.json\n"
      "  conelu train tumours.csv --standardize --eps 0.12\n"
      "  conelu train tumours.csv --eps age=2,size=0.5 --standardize --eps-units raw\n\n"
      "Ctrl-C stops the solve and keeps the best network so far.\n"
      "Exit codes: 0 done, 1 internal error, 2 bad input, 3 not optimal (--strict),\n"
      "130 interrupted.");
  return {&command, [options] { return run(*options); }};
}

}  // namespace conelu::tool
