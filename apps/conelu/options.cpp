#include "options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>

#include "usage.hpp"

namespace conelu::tool {
namespace {

const std::map<std::string, std::string> kSolverHelp = {
    {"tolerance", "relative gap between objective and proven lower bound at which the solve ends"},
    {"max_iterations", "stop a solve after this many iterations; training may take several solves"},
    {"time_limit", "stop after this many seconds"},
    {"threads", "threads to use; 0: as many as there are cores"},
};

const std::map<std::string, std::string> kBaselineHelp = {
    {"neurons", "width of the hidden layer"},
    {"learning_rate", "of the first step, for targets of size 1"},
    {"batch", "samples a step"},
    {"epochs", "passes over the data"},
    {"attack_steps", "of gd-pgd against every batch"},
    {"restarts", "runs from different weights, of which the best counts"},
    {"flat", "stop a run once a tenth of its epochs lowers the objective by less than this share; 0: never"},
    {"time_limit", kSolverHelp.at("time_limit")},
    {"threads", kSolverHelp.at("threads")},
};

std::string option_name(std::string field) {
  std::replace(field.begin(), field.end(), '_', '-');
  return "--" + field;
}

std::string source_list() {
  std::string list =
      "priced (found in training without --eps, by column generation: patterns of a short gradient descent, then those "
      "that the solution prices above beta), ";
  for (const PatternSource& source : pattern_sources())
    list += fmt::format("{} ({}), ", source.name, source.description);
  return list + "or a .npy file of 0 and 1 with a row for each pattern and a column for each sample";
}

/// One option for each field of the settings.
template <class Settings>
void add_fields(CLI::App& command, Settings& settings, const std::map<std::string, std::string>& help,
                const std::string& group) {
  Settings::visit(settings, [&](const char* field, auto& value, auto lowest, auto highest) {
    CLI::Option* option = add_number(command, option_name(field), value, lowest, highest, help.at(field));
    option->group(group);
    if (value == highest) option->default_str("no limit");
  });
}

}  // namespace

void add_data_options(CLI::App& command, DataOptions& data) {
  command.add_option("DATA", data.path, "a table (.csv), .npz, .npy, svmlight, IDX or CIFAR-10 file, gzipped or not");
  command
      .add_option("--target", data.read.target,
                  "column to predict, by name or by number from 0 (negative: from the end)")
      ->option_text("COLUMN")
      ->default_str("the last; in .npz the array y")
      ->group("Data");
  command
      .add_option("--weights", data.read.weights,
                  "sample weights: a column or a file; weight 2 is the row twice, weight 0 leaves it out")
      ->option_text("COLUMN|FILE")
      ->default_str("1 each; in .npz the array weights")
      ->group("Data");
}

void add_input_options(CLI::App& command, TrainSettings& settings) {
  command
      .add_flag("--standardize", settings.standardize,
                "give every feature mean 0 and deviation 1 first; the model remembers")
      ->group("Data");
  command.add_flag("--bias,!--no-bias", settings.bias, "give the neurons a bias")->default_str("--bias")->group("Data");
}

void add_program_options(CLI::App& command, TrainSettings& settings) {
  const std::string training = "Training";
  add_choice(command, "--method", settings.method, training_methods(),
             "convex program to solve: cones, the paper's; reduced, with only the constraints that its bound needs; "
             "gated, hybrid and separate, with none, in rounds (separate: an attack for every neuron, for many "
             "features); auto: hybrid or separate with --eps, else cones")
      ->option_text("METHOD")
      ->default_str("cones with --patterns or without --eps; else chosen and named")
      ->group(training);
  command
      .add_option_function<int>(
          "--rounds", [&settings](const int& rounds) { settings.rounds = rounds; },
          "solve at most this many programs: priced, each with the patterns added that the last one priced above beta; "
          "gated, hybrid and separate, each with gates chosen at the last solution; "
          "cones and reduced with one --eps and one --beta, each with patterns exchanged that the last one did not use")
      ->check([](const std::string& text) { return range_problem(text, 1, 1000); })
      ->option_text("COUNT")
      ->default_str(
          "priced 30, or fewer by the work they take; gated, hybrid, separate 4; cones and reduced 2; 1 with other "
          "--patterns")
      ->group(training);
  command
      .add_option_function<double>(
          "--global-bound", [&settings](const double& seconds) { settings.global_bound = seconds; },
          "without --eps: work at most this long on a bound that holds for every network of any width, by branch and "
          "bound over directions; 0: not at all")
      ->check([](const std::string& text) { return range_problem(text, 0.0, 1e9); })
      ->option_text("SECONDS")
      ->default_str("seconds where that is enough, which takes few features and a large beta")
      ->group(training);
  add_number(command, "--prune", settings.prune, 0.0, 1.0,
             "drop neurons smaller than this share of the largest, if the proof survives")
      ->group(training);
  command.add_flag("--reduce", settings.reduce, "shrink the network to at most one neuron more than there are samples")
      ->group(training);
}

void add_pattern_options(CLI::App& command, TrainSettings& settings) {
  command.add_option("--patterns", settings.patterns, "source of the activation patterns: " + source_list())
      ->option_text("SOURCE|FILE")
      ->default_str("gaps with --eps; without, all where that is cheap, else priced")
      ->group("Patterns");
  add_number<Index>(command, "--pattern-count", settings.request.count, 1, std::numeric_limits<Index>::max(),
                    "distinct patterns to sample; of priced the neurons of the descent that it begins with")
      ->group("Patterns");
  add_number<Index>(command, "--directions", settings.request.directions, 1, std::numeric_limits<Index>::max(),
                    "random directions of --patterns perturbed, P_a of Alg 2")
      ->default_str("as many as it takes")
      ->group("Patterns");
  add_number<Index>(command, "--perturbations", settings.request.perturbations, 1, std::numeric_limits<Index>::max(),
                    "perturbed copies of the data that --patterns perturbed tries per direction, S of Alg 2")
      ->default_str("chosen by the source")
      ->group("Patterns");
  command
      .add_flag_function(
          "--all-active,!--no-all-active", [&settings](std::int64_t count) { settings.all_active = count > 0; },
          "include the pattern that is active on every sample, a linear model")
      ->default_str("--all-active, unless --patterns is given or there is no bias")
      ->group("Patterns");
  add_number<std::uint64_t>(command, "--seed", settings.request.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "of everything random")
      ->group("Patterns");
}

void check_pattern_options(const TrainSettings& settings) {
  if (settings.patterns == "perturbed") return;
  const std::string given = settings.patterns.empty() ? "" : fmt::format(", not {}", settings.patterns);
  if (settings.request.directions > 0) throw UsageError("--directions is for --patterns perturbed" + given);
  if (settings.request.perturbations > 0) throw UsageError("--perturbations is for --patterns perturbed" + given);
}

void add_solver_options(CLI::App& command, InteriorPointSettings& settings) {
  add_fields(command, settings, kSolverHelp, "Solver");
}

void add_baseline_options(CLI::App& command, BaselineSettings& settings) {
  add_fields(command, settings, kBaselineHelp, "Gradient descent");
  command.get_option("--learning-rate")->default_str("one that suits the optimizer");
  command.get_option("--batch")->default_str("a tenth of them, but 32 to 256");
  command.get_option("--epochs")->default_str("as many as 30,000 steps take");
}

}  // namespace conelu::tool
