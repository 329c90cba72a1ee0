#include "conelu/baseline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

#include "command.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "terminal.hpp"
#include "training_options.hpp"
#include "usage.hpp"

namespace conelu::tool {
namespace {

struct BaselineOptions {
  TrainingOptions training;
  TrainSettings problem;
  BaselineSettings settings;
  std::string method;
};

void show(LiveLine& line, const BaselineProgress& news) {
  const std::string which = news.networks > 1 ? fmt::format("class {} of {}  ", news.network, news.networks) : "";
  const std::string run = news.restarts > 1 ? fmt::format("run {} of {}  ", news.restart, news.restarts) : "";
  line.show(fmt::format("{}{}epoch {} of {}  objective {:.8g}  {:.1f} s", which, run, news.epoch, news.epochs,
                        news.objective, news.seconds));
}

void tell(const BaselineOptions& options, const BaselineModel& trained) {
  const TrainingOptions& training = options.training;
  if (training.quiet) return;
  const std::string note = paint(Colour::grey, "note:", stderr);
  if (options.settings.method == "gd-std" && !training.threat.eps.empty()) {
    fmt::print(stderr, "{} gd-std trains on the rows as they are; --eps is for gd-fgsm and gd-pgd\n", note);
  }
  if (trained.model.training.eps > 0) {
    fmt::print(stderr,
               "{} attacked_objective is what 40 steps of PGD found; other attacks may find worse. "
               "network_objective is certified\n",
               note);
  }
  tell_model_file(training, trained.model.training);
}

void write_results(const TrainingOptions& options, const BaselineModel& trained) {
  if (!options.model.empty()) save_model(trained.model, options.model);
  if (!options.record_file().empty()) save_record(trained, options.record_file());
  if (options.record_to_stdout()) {
    print_result(to_json(trained));
  } else if (!options.quiet)
    print_result(to_table(table_rows(trained)));
}

int run(BaselineOptions options) {
  TrainingOptions& training = options.training;
  settle_task_and_loss(training, options.problem);
  check_training_outputs(training);
  options.settings.method = options.method;
  if (options.method.empty()) options.settings.method = training.threat.eps.empty() ? "gd-std" : "gd-pgd";
  options.problem.request.seed = options.settings.seed;  // of beta_max, in which the default beta is measured
  catch_interrupts();

  LiveLine line(!training.quiet);
  line.show("reading " + training.data.path);
  const TrainingData data = read_training_data(training, options.settings.seed);
  training.threat.apply_to(options.problem, data.train.features);
  double shown = -1;  // second of the last line; a network's clock starts at 0
  const auto watch = [&](const BaselineProgress& news) {
    if (std::abs(news.seconds - shown) > 0.1) {
      show(line, news);
      shown = news.seconds;
    }
    return !interrupt_requested();
  };
  BaselineModel trained = train_baseline(data.train, options.problem, options.settings, watch);
  line.erase();

  if (data.test) score_on_test(trained.model, *data.test);
  tell(options, trained);
  write_results(training, trained);
  return trained.model.training.stop == to_string(Stop::cancelled) ? interrupted : done;
}

}  // namespace

Command add_baseline(CLI::App& tool) {
  const auto options = std::make_shared<BaselineOptions>();
  CLI::App& command =
      *tool.add_subcommand("baseline", "Train the same network by gradient descent, to compare with; proves nothing");
  command.allow_extras();
  add_training_data_options(command, options->training, options->problem);
  add_test_option(command, options->training);
  add_loss_options(command, options->training, options->problem);
  add_beta_option(command, options->problem);
  add_threat_options(command, options->training.threat);

  const std::string group = "Gradient descent";
  BaselineSettings& settings = options->settings;
  add_choice(command, "--method", options->method, baseline_names(),
             "how samples are perturbed while training: gd-std, not at all; gd-fgsm, by one step along the gradient; "
             "gd-pgd, by projected gradient steps")
      ->option_text("METHOD")
      ->default_str("gd-pgd with --eps, else gd-std")
      ->group(group);
  add_choice(command, "--optimizer", settings.optimizer, optimizer_names(), "adam, or sgd with momentum")
      ->option_text("NAME")
      ->capture_default_str()
      ->group(group);
  add_choice(command, "--schedule", settings.schedule, schedule_names(),
             fmt::format("how the learning rate falls, one of {}", fmt::join(schedule_names(), ", ")))
      ->option_text("NAME")
      ->capture_default_str()
      ->group(group);
  add_number<std::uint64_t>(command, "--seed", settings.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "of everything random")
      ->group(group);
  add_baseline_options(command, settings);
  add_training_output_options(command, options->training);
  command.get_option("--record")->description("write what was done to this JSON file; - for stdout, without the table");
  command.footer(
      "The objective is that of train: losses, penalty and radii have the same\n"
      "meaning. With --eps it is what an attack found, not a bound.\n\n"
      "Example:\n"
      "  conelu baseline tumours.csv --standardize --eps 0.12 --test 0.3 \\\n"
      "      --method gd-pgd --neurons 240 --model descent.json\n\n"
      "Ctrl-C stops the descent and keeps the best network so far.\n"
      "Exit codes: 0 done, 1 internal error, 2 bad input, 130 interrupted.");
  return {&command, [options] { return run(*options); }};
}

}  // namespace conelu::tool
