#include "conelu/attack.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>

#include "clip_option.hpp"
#include "command.hpp"
#include "conelu/model.hpp"
#include "conelu/record.hpp"
#include "data_options.hpp"
#include "options.hpp"
#include "output.hpp"
#include "terminal.hpp"
#include "threat_options.hpp"
#include "usage.hpp"

namespace conelu::tool {
namespace {

struct AttackOptions {
  std::string model;
  DataOptions data;
  ThreatOptions threat;
  std::string attack = "pgd";
  AttackSettings settings;
  ClipOption clip;
  std::string output;
  bool json = false;
};

void check_attack_options(const AttackOptions& options) {
  if (options.threat.eps.empty()) {
    throw UsageError("--eps is missing: how far the attacker may move a sample");
  }
  const std::string& name = options.output;
  if (!name.empty() && !name.ends_with(".csv") && !name.ends_with(".npy") && !name.ends_with(".npz")) {
    throw UsageError(fmt::format("--output: the name must end in .csv, .npy or .npz, not {}", name));
  }
}

Dataset read_attacked_data(const AttackOptions& options, const Model& model) {
  return read_dataset(options.data.path, for_model(options.data.read, model));
}

AttackSettings network_settings(const AttackOptions& options, const Model& model) {
  TrainSettings train;
  train.bias = false;  // nobody reaches it
  options.threat.apply_to(train, model.features);
  AttackSettings settings = options.settings;
  const auto features = static_cast<Index>(model.features.size());
  settings.threat = make_threat(train, features, model.preprocessing);
  settings.task = model.task;
  options.clip.apply_to(settings.lower, settings.upper, features, model.preprocessing);
  return settings;
}

/// Rounding on the way to the network and back must not take a feature out of its range, nor move one that is outside.
void clip_to(const ClipRange& range, const Matrix& raw, Matrix& points) {
  for (Index k = 0; k < raw.rows(); ++k) {
    for (Index a = 0; a < raw.cols(); ++a) {
      const bool inside = range.lowest <= raw(k, a) && raw(k, a) <= range.highest;
      points(k, a) = inside ? std::clamp(points(k, a), range.lowest, range.highest) : raw(k, a);
    }
  }
}

void write_attacked(const std::string& path, const Dataset& attacked) {
  if (path.ends_with(".csv")) write_csv(path, attacked);
  if (path.ends_with(".npy")) write_npy(path, attacked.X);
  if (path.ends_with(".npz")) write_npz(path, attacked);
}

std::vector<Index> class_numbers(const Dataset& data) {
  std::vector<Index> labels;
  for (Index k = 0; k < data.samples(); ++k) labels.push_back(data.class_of(k));
  return labels;
}

AttackResult attack_model(const AttackOptions& options, const Model& model, const Dataset& data) {
  const AttackSettings settings = network_settings(options, model);
  const Matrix X = model.preprocessing.apply(data.X);
  if (model.networks.size() == 1) return attack(options.attack, model.network(), X, data.y, settings);
  return attack(options.attack, model.networks, X, class_numbers(data), settings);
}

/// The mean over the rows, by weight.
template <class OfRow>
double mean(const Dataset& data, OfRow&& of_row) {
  const Vector weights = data.weights.size() > 0 ? data.weights : Vector::Ones(data.samples());
  double sum = 0;
  for (Index k = 0; k < data.samples(); ++k) sum += weights(k) * of_row(k);
  return sum / weights.sum();
}

/// Accuracy or mean squared error of these outputs. Of several classes they are margins, and of two equal scores the
/// first class wins: so does a rival in front of the row's own class.
double score(const Model& model, const Vector& outputs, const MatrixView& points, const Dataset& data) {
  if (model.task == Task::regression) {
    return mean(data, [&](Index k) { return (outputs(k) - data.y(k)) * (outputs(k) - data.y(k)); });
  }
  if (model.networks.size() == 1) return mean(data, [&](Index k) { return is_broken(outputs(k), data.y(k)) ? 0 : 1; });
  Matrix scores(points.rows(), static_cast<Index>(model.networks.size()));
  for (Index c = 0; c < scores.cols(); ++c) scores.col(c) = model.networks[static_cast<std::size_t>(c)].predict(points);
  const std::vector<Index> predicted = model.predicted_classes(scores);
  return mean(data, [&](Index k) {
    return outputs(k) < 0 || predicted[static_cast<std::size_t>(k)] != data.class_of(k) ? 0 : 1;
  });
}

std::string describe_attack(const AttackOptions& options, const Threat& threat) {
  if (!threat.active()) return options.attack + ", radius 0";
  const bool same = threat.radii.minCoeff() == threat.radii.maxCoeff();
  return fmt::format("{}, radius {}{:.8g} in the {} norm", options.attack, same ? "" : "up to ",
                     threat.radii.maxCoeff(), to_string(threat.norm));
}

int run(const AttackOptions& options) {
  check_attack_options(options);
  check_outputs({{"--output", options.output}}, {options.model, options.data.path, options.data.read.weights});
  const Model model = load_model(options.model);
  const Threat threat = network_settings(options, model).threat;
  LiveLine line(true);
  line.show("reading " + options.data.path);
  const Dataset data = read_attacked_data(options, model);

  line.show(fmt::format("attacking {} rows", data.samples()));
  const auto start = std::chrono::steady_clock::now();
  const AttackResult result = attack_model(options, model, data);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  line.erase();

  if (!options.output.empty()) {
    Dataset attacked = data;
    attacked.X = raw_points(model.preprocessing, data.X, result.points);
    if (!options.clip.text.empty()) clip_to(options.clip.range(), data.X, attacked.X);
    write_attacked(options.output, attacked);
  }
  const double clean = score(model, result.clean, model.preprocessing.apply(data.X), data);
  const double attacked = score(model, result.outputs, result.points, data);
  const bool regression = model.task == Task::regression;
  if (options.json) {
    const std::string prefix = regression ? "mse_" : "";
    nlohmann::ordered_json facts;
    facts["n"] = data.samples();
    facts["attack"] = options.attack;
    facts["eps"] = threat.active() ? threat.radii.maxCoeff() : 0.0;
    facts["norm"] = to_string(threat.norm);
    facts[prefix + "clean"] = clean;
    facts[prefix + options.attack] = attacked;
    facts["seconds"] = seconds;
    print_result(facts.dump(2) + "\n");
  } else {
    const std::string measure = regression ? "mse" : "accuracy";
    print_result(to_table({{"n", fmt::format("{}", data.samples())},
                           {"attack", describe_attack(options, threat)},
                           {"clean " + measure, fmt::format("{:.8g}", clean)},
                           {measure + " under attack", fmt::format("{:.8g}", attacked)},
                           {"seconds", fmt::format("{:.4g}", seconds)}}));
  }
  return done;
}

}  // namespace

Command add_attack(CLI::App& tool) {
  const auto options = std::make_shared<AttackOptions>();
  CLI::App& command = *tool.add_subcommand("attack", "Perturb data so that a trained network does worst on them");
  command.allow_extras();
  command.add_option("MODEL", options->model, "a file written by conelu train --model");
  add_data_options(command, options->data);
  add_reading_options(command, options->data.read);
  add_threat_options(command, options->threat);
  command.get_option("--eps")->default_str("none; has to be given");

  const std::string group = "Attack";
  add_choice(command, "--attack", options->attack, attack_names(),
             "fgsm, one step along the gradient; pgd, the paper's projected gradient steps; strong, those and random "
             "restarts, decaying steps and moves of single features")
      ->option_text("ATTACK")
      ->capture_default_str()
      ->group(group);
  AttackSettings& settings = options->settings;
  constexpr int kMany = std::numeric_limits<int>::max();
  add_number(command, "--steps", settings.steps, 1, kMany, "of pgd, and of every restart of strong")->group(group);
  add_number(command, "--step-size", settings.step_size, 0.0, std::numeric_limits<double>::max(),
             "length of a step of pgd, as a share of the radius", true)
      ->default_str("1/30")
      ->group(group);
  add_number(command, "--restarts", settings.restarts, 0, kMany, "of strong, from random points of the ball")
      ->group(group);
  add_number<std::uint64_t>(command, "--seed", settings.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "of everything random")
      ->group(group);
  add_clip_option(command, options->clip)->group(group);

  command
      .add_option("--output", options->output,
                  "write the perturbed rows, in the units of DATA: .csv with the target, .npz with X and y, or .npy")
      ->option_text("FILE")
      ->group("Output");
  command.add_flag("--json", options->json, "print one JSON object instead of a table")->group("Output");
  command.footer(
      "A row counts as wrong under attack if any point that the attack went through\n"
      "is, the row itself included; of several classes each rival of the right one is\n"
      "attacked with. An attack shows what can go wrong, never that nothing can.\n\n"
      "Example:\n"
      "  conelu attack tumours.json tumours.csv --eps 0.12 --attack strong \\\n"
      "      --output attacked.csv");
  return {&command, [options] { return run(*options); }};
}

}  // namespace conelu::tool
