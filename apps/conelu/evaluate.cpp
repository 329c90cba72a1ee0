#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "branch_limit_option.hpp"
#include "clip_option.hpp"
#include "command.hpp"
#include "conelu/evaluation.hpp"
#include "conelu/train.hpp"
#include "data_options.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "terminal.hpp"
#include "threat_options.hpp"
#include "usage.hpp"

namespace conelu::tool {
namespace {

struct EvaluateOptions {
  std::string model;
  DataOptions data;
  ThreatOptions threat;
  bool norm_given = false;
  bool units_given = false;
  ClipOption clip;
  EvaluationSettings settings;
  bool no_radius = false;
  bool no_objective = false;
  std::string output;
  bool json = false;
  bool quiet = false;
};

/// The attack that the model was trained against; its record has it in the network's units.
Threat threat_of_training(const EvaluateOptions& options, const Model& model) {
  if (options.units_given) throw UsageError("--eps-units says what --eps is measured in, and there is no --eps");
  const RunRecord& record = model.training;
  TrainSettings train;
  train.bias = false;  // nobody reaches it
  train.eps = record.eps_per_feature.value_or(std::vector<double>{record.eps});
  const bool recorded = !options.norm_given && !record.norm.empty();
  train.norm = make_norm(recorded ? record.norm : options.threat.norm);
  return make_threat(train, static_cast<Index>(model.features.size()));
}

Threat threat_as_given(const EvaluateOptions& options, const Model& model) {
  TrainSettings train;
  train.bias = false;
  options.threat.apply_to(train, model.features);
  return make_threat(train, static_cast<Index>(model.features.size()), model.preprocessing);
}

/// What the threat is called: its radius if there is one for all features, in the units in which it was given, else 1.
double unit_of(const EvaluateOptions& options, const Threat& threat) {
  if (options.threat.eps.empty()) {
    const bool same = threat.active() && threat.radii.minCoeff() == threat.radii.maxCoeff();
    return same ? threat.radii(0) : 1.0;
  }
  const std::vector<NamedRadius> given = parse_radii(options.threat.eps);
  return given.size() == 1 && given.front().name.empty() ? given.front().radius : 1.0;
}

EvaluationSettings evaluation_settings(const EvaluateOptions& options, const Model& model) {
  EvaluationSettings settings = options.settings;
  settings.threat = options.threat.eps.empty() ? threat_of_training(options, model) : threat_as_given(options, model);
  settings.radius = !options.no_radius;
  // That of a scaled target is in other units than the network's outputs.
  settings.objective = !options.no_objective && !model.preprocessing.target;
  settings.radius_unit = unit_of(options, settings.threat);
  options.clip.apply_to(settings.lower, settings.upper, static_cast<Index>(model.features.size()), model.preprocessing);
  return settings;
}

Dataset read_evaluated_data(const EvaluateOptions& options, const Model& model) {
  return read_dataset(options.data.path, for_model(options.data.read, model));
}

/// What is being done, and how long that will take at this pace.
EvaluationCallback report_steps(LiveLine& line) {
  using Clock = std::chrono::steady_clock;
  return [&line, step = std::string(), start = Clock::now()](const EvaluationProgress& progress) mutable {
    if (progress.step != step) {
      step = progress.step;
      start = Clock::now();
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    std::string text = fmt::format("{}: {} of {} rows  {:.1f} s", step, progress.finished, progress.all, seconds);
    if (progress.finished > 0 && progress.finished < progress.all) {
      const auto left = static_cast<double>(progress.all - progress.finished);
      text += fmt::format(", about {:.0f} s left", seconds * left / static_cast<double>(progress.finished));
    }
    line.show(text);
    return !interrupt_requested();
  };
}

void note_training_threat(const Evaluation& found) {
  const std::string least = found.eps_per_feature ? "up to " : "";
  fmt::print(stderr, "{} eps {}{:.8g} in the {} norm, as in training; --eps says otherwise\n",
             paint(Colour::grey, "note:", stderr), least, found.eps, found.norm);
}

void write_evaluation(const EvaluateOptions& options, const Evaluation& found) {
  if (!options.quiet && options.threat.eps.empty()) note_training_threat(found);
  if (!options.output.empty()) save_evaluation(found, options.output);
  if (options.json) {
    print_result(to_json(found));
  } else if (!options.quiet || options.output.empty()) {
    print_result(to_table(table_rows(found)));
  }
  if (found.finished) return;
  fmt::print(stderr, "{} interrupted: what was not finished is left out, and rows not verified are unknown\n",
             paint(Colour::yellow, "warning:", stderr));
}

int run(const EvaluateOptions& options) {
  check_outputs({{"--output", options.output}}, {options.model, options.data.path, options.data.read.weights});
  const Model model = load_model(options.model);
  const EvaluationSettings settings = evaluation_settings(options, model);
  catch_interrupts();
  LiveLine line(!options.quiet);
  line.show("reading " + options.data.path);
  const Dataset data = read_evaluated_data(options, model);
  const Evaluation found = evaluate(model, data, settings, report_steps(line));
  line.erase();
  write_evaluation(options, found);
  return found.finished ? done : interrupted;
}

}  // namespace

Command add_evaluate(CLI::App& tool) {
  const auto options = std::make_shared<EvaluateOptions>();
  CLI::App& command =
      *tool.add_subcommand("evaluate", "Sum up a network on data: clean, under attack, and what is proven");
  command.allow_extras();
  command.add_option("MODEL", options->model, "a file written by conelu train --model");
  add_data_options(command, options->data);
  add_reading_options(command, options->data.read);
  add_threat_options(command, options->threat);
  command.get_option("--eps")->default_str("that of the training");
  command.get_option("--norm")->default_str("that of the training; with --eps inf");

  const std::string group = "Evaluation";
  EvaluationSettings& settings = options->settings;
  constexpr int kMany = std::numeric_limits<int>::max();
  add_clip_option(command, options->clip)->group(group);
  add_number(command, "--restarts", settings.restarts, 0, kMany, "of the strong attack, from random points of the ball")
      ->group(group);
  add_number<std::uint64_t>(command, "--seed", settings.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "of everything random")
      ->group(group);
  add_number(command, "--time-limit", settings.time_limit, 0.0, std::numeric_limits<double>::max(),
             "seconds for the verdict on a row, again for its worst loss and again for its radius; what is proven by "
             "then counts")
      ->group(group);
  add_branch_limit(command, settings.branch_limit,
                   "the verdict on a row, again for its worst loss and again for its radius")
      ->group(group);
  add_number(command, "--radius-branches", settings.radius_branches, 0L, std::numeric_limits<long>::max(),
             "parts of the ball to look at for the radius of a row; more prove larger ones, and take longer")
      ->group(group);
  add_number(command, "--threads", settings.threads, 0, kMany, "threads to use; 0: as many as there are cores")
      ->group(group);
  command.add_flag("--no-radius", options->no_radius, "leave out mean_radius")->group(group);
  command.add_flag("--no-objective", options->no_objective, "leave out the objective, which takes exact margins")
      ->group(group);

  const std::string output = "Output";
  command.add_flag("--json", options->json, "print one JSON object instead of a table")->group(output);
  command.add_option("--output", options->output, "write the JSON object to this file, too")
      ->option_text("FILE")
      ->group(output);
  command.add_flag("--quiet", options->quiet, "no notes, no progress; and no table if --output is given")
      ->group(output);
  command.footer(
      "Shares of the rows that are classified right: clean, as they are; under the\n"
      "attacks fgsm, pgd and strong; verified_lower, proven to withstand every attack;\n"
      "verified_upper, not known to be broken; certified_bound, proven by a formula\n"
      "alone. mean_radius: mean of the radii up to which rows are proven to be right, 0\n"
      "for those that are wrong as they are, in the units of --eps if that is one\n"
      "number, else as a factor on the radii. The true mean is larger by at most a\n"
      "thousandth, but for the radii that radius_open counts, which are not known as\n"
      "well (--radius-branches), and radius_capped, which reach 1000 times --eps and\n"
      "count as that. objective: proven worst case of the training objective on DATA;\n"
      "objective_lower is attained.\n"
      "Regressions have mean squared errors, mse_clean and so on, instead of shares.\n"
      "What makes no sense for a model, or was left out, is - or null.\n\n"
      "Examples:\n"
      "  conelu evaluate tumours.json tumours.csv --eps 0.12\n"
      "  conelu evaluate digits.json digits.npz --eps 0.1 --clip 0,1 --json\n\n"
      "Ctrl-C stops with what is known. Exit codes: 0 done, 1 internal error, 2 bad\n"
      "input, 130 interrupted.");
  return {&command, [options, &command] {
            options->norm_given = command.count("--norm") > 0;
            options->units_given = command.count("--eps-units") > 0;
            return run(*options);
          }};
}

}  // namespace conelu::tool
