#include "conelu/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "command.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "terminal.hpp"
#include "training_options.hpp"
#include "usage.hpp"
#include "verdict.hpp"

namespace conelu::tool {
namespace {

struct TrainOptions {
  TrainingOptions training;
  TrainSettings settings;
  bool strict = false;
};

/// Whoever is interrupted before there is a network leaves a model of an earlier run as it is.
bool keeps_old_model(const TrainingOptions& options, const Model& model) {
  return model.training.stop == to_string(Stop::cancelled) && model.training.neurons == 0 &&
         std::filesystem::exists(options.model);
}

void write_results(const TrainingOptions& options, const Model& model) {
  if (!options.model.empty() && !keeps_old_model(options, model)) save_model(model, options.model);
  if (!options.record_file().empty()) save_record(model.training, options.record_file());
  if (options.record_to_stdout()) {
    print_result(to_json(model.training));
  } else if (!options.quiet) {
    const bool several = model.networks.size() > 1;
    print_result(to_table(table_rows(model.training)) +
                 (several ? "\n" + class_table(model.classes, model.class_trainings) : ""));
  }
}

/// To the bound of the program, whatever else is known of all networks: that one a solver can close.
double program_gap(const RunRecord& record) {
  return Certificate{record.objective, record.program_bound.value_or(record.lower_bound)}.relative_gap();
}

/// The record to blame for a program that was not solved: of several classes, that of the widest gap.
const RunRecord& widest_gap(const Model& model) {
  if (model.class_trainings.empty()) return model.training;
  return *std::max_element(model.class_trainings.begin(), model.class_trainings.end(),
                           [](const RunRecord& a, const RunRecord& b) { return program_gap(a) < program_gap(b); });
}

void tell(const TrainOptions& options, const TrainResult& result) {
  const RunRecord& record = result.model.training;
  if (!options.training.quiet) {
    for (const std::string& note : result.notes)
      fmt::print(stderr, "{} {}\n", paint(Colour::grey, "note:", stderr), note);
    fmt::print(stderr, "{} {}\n", paint(Colour::green, "proven:", stderr), verdict(result.model));
  }
  if (const std::string advice = advice_on_zero_network(record, options.settings.bias); !advice.empty()) {
    fmt::print(stderr, "{} {}\n", paint(Colour::yellow, "warning:", stderr), advice);
  }
  const RunRecord& widest = widest_gap(result.model);
  if (program_gap(widest) > widest.tolerance) {
    fmt::print(stderr, "{} the certified gap {:.2g}{} is above the tolerance {:.2g} (stop: {}){}\n",
               paint(Colour::yellow, "warning:", stderr), program_gap(widest), record.networks ? " of a class" : "",
               widest.tolerance, widest.stop,
               widest.stop == "numerical_trouble" && !options.settings.standardize
                   ? "; features far from 0 or of very different size cause this, --standardize helps"
                   : "");
  }
  if (keeps_old_model(options.training, result.model)) {
    fmt::print(stderr, "Interrupted before there was a network: {} was left as it is.\n", options.training.model);
  } else {
    tell_model_file(options.training, record);
  }
}

int run(TrainOptions options) {
  settle_task_and_loss(options.training, options.settings);
  check_pattern_options(options.settings);
  check_training_outputs(options.training, options.settings.patterns);
  if (options.settings.patterns.ends_with(".npy")) {
    const char* share = test_fraction(options.training)         ? "--test"
                        : validation_fraction(options.training) ? "--validation"
                                                                : nullptr;
    if (share != nullptr) {
      throw std::invalid_argument(fmt::format(
          "--patterns FILE has a column for each row of DATA, so {} must name a file instead of a share of the rows",
          share));
    }
  }
  catch_interrupts();

  LiveLine line(!options.training.quiet);
  line.show("reading " + options.training.data.path);
  const TrainingData data = read_training_data(options.training, options.settings.request.seed);
  options.training.threat.apply_to(options.settings, data.train.features);
  if (data.validation) options.settings.validation = std::make_shared<Dataset>(*data.validation);
  line.show("finding activation patterns");
  TrainResult result = train(data.train, options.settings, [&](const Progress& progress) {
    line.show(progress);
    return !interrupt_requested();
  });
  line.erase();

  if (data.test) score_on_test(result.model, *data.test);
  tell(options, result);
  write_results(options.training, result.model);
  if (result.model.training.stop == to_string(Stop::cancelled)) return interrupted;
  return options.strict && result.model.training.status != "optimal" ? not_optimal : done;
}

}  // namespace

Command add_train(CLI::App& tool) {
  const auto options = std::make_shared<TrainOptions>();
  CLI::App& command = *tool.add_subcommand("train", "Train a network and prove how close to the best it is");
  command.allow_extras();
  add_training_data_options(command, options->training, options->settings);
  add_test_option(command, options->training);
  add_loss_options(command, options->training, options->settings);
  add_beta_option(command, options->settings);

  add_program_options(command, options->settings);
  command
      .add_option("--validation", options->training.validation,
                  "gated, hybrid, separate, auto: keep the best of all rounds by certified accuracy on these rows "
                  "(equal ones, and "
                  "regressions, by certified loss): a share of the training rows, or a file")
      ->option_text("FRACTION|FILE")
      ->group("Training");
  add_threat_options(command, options->training.threat);
  add_pattern_options(command, options->settings);
  add_solver_options(command, options->settings.solver);

  add_training_output_options(command, options->training);
  command
      .add_flag("--strict", options->strict,
                "exit with code 3 if the status is not optimal: the gap to the lower bound, that for "
                "every network where there is one, is above the tolerance")
      ->group("Output");
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
