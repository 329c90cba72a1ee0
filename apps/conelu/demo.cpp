#include <fmt/format.h>

#include <limits>

#include "command.hpp"
#include "conelu/read_data.hpp"
#include "conelu/synthetic.hpp"
#include "conelu/train.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "picture.hpp"
#include "terminal.hpp"
#include "usage.hpp"

namespace conelu::tool {
namespace {

struct DemoOptions {
  Index samples = 34;
  std::uint64_t seed = 0;
  std::string data;
  bool json = false;
};

TrainSettings demo_settings(const DemoOptions& options) {
  TrainSettings settings;
  settings.beta = 1e-4;
  settings.patterns = "all";
  settings.reduce = true;
  settings.request.seed = options.seed;
  return settings;
}

Ink best_ink() {
  if (!has_unicode(stdout)) return Ink::ascii;
  return has_colour(stdout) ? Ink::colour : Ink::unicode;
}

std::string summary(const RunRecord& record) {
  return to_table({
      {"  accuracy on these points", fmt::format("{:.1f} %", 100 * record.train_accuracy.value_or(0))},
      {"  objective", fmt::format("{:.8g}", record.objective)},
      {"  proven lower bound", fmt::format("{:.8g}", record.lower_bound)},
      {"  certified gap", fmt::format("{:.1e}", record.relative_gap)},
      {"  activation patterns", fmt::format("{}, all there are", record.patterns)},
      {"  hidden neurons", fmt::format("{}", record.neurons)},
      {"  time", fmt::format("{:.2f} s", record.seconds)},
  });
}

std::string proof(const RunRecord& record) {
  const char* claim = record.status == "optimal" ? "this network is the best possible, up to the certified gap"
                                                 : "less than usual, since the solve ended early";
  return fmt::format(
      "What was proven: {}.\n"
      "No ReLU network with one hidden layer, however wide and however trained, brings\n"
      "loss plus penalty on these points below {:.8g}. The one above reaches {:.8g}.\n",
      claim, record.lower_bound, record.objective);
}

std::string next_steps(const DemoOptions& options) {
  const std::string keep =
      fmt::format("{:<54}", fmt::format("conelu demo --seed {} --data plane.csv", options.seed + 1));
  const std::string train = fmt::format("{:<54}", "conelu train plane.csv --test 0.25 --model plane.json");
  return fmt::format("Try next:\n  {} other points, kept in a file\n  {} train and test on them\n",
                     paint(Colour::bold, keep, stdout), paint(Colour::bold, train, stdout));
}

int run(const DemoOptions& options) {
  check_outputs({{"--data", options.data}}, {});
  catch_interrupts();
  const Dataset data = plane_dataset(options.samples, options.seed);
  if (!options.data.empty()) write_csv(options.data, data);
  const std::string introduction = fmt::format(
      "{} points in the plane, two classes, no straight line between them. A ReLU network\n"
      "with one hidden layer learns to tell them apart, by convex optimisation instead of\n"
      "gradient descent: no learning rate, no restarts, and a proof at the end.\n\n",
      options.samples);
  if (!options.json) print_result(introduction);

  LiveLine line(true);
  line.show("enumerating activation patterns");
  const TrainResult result = train(data, demo_settings(options), [&](const Progress& progress) {
    line.show(progress);
    return !interrupt_requested();
  });
  line.erase();

  const RunRecord& record = result.model.training;
  print_result(options.json ? to_json(record)
                            : draw_regions(result.model, data, best_ink()) + "\n" + summary(record) + "\n" +
                                  proof(record) + "\n" + next_steps(options));
  return result.solution().stop == Stop::cancelled ? interrupted : done;
}

}  // namespace

Command add_demo(CLI::App& tool) {
  const auto options = std::make_shared<DemoOptions>();
  CLI::App& command = *tool.add_subcommand("demo", "See it work on points in the plane, made on the spot");
  command.allow_extras();
  add_number<Index>(command, "--samples", options->samples, 4, 60, "number of points");
  add_number<std::uint64_t>(command, "--seed", options->seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "which points");
  command.add_option("--data", options->data, "write the points to this CSV file")->option_text("FILE");
  command.add_flag("--json", options->json, "print the record of the training as one JSON object, and no picture");
  return {&command, [options] { return run(*options); }};
}

}  // namespace conelu::tool
