#include "conelu/train.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "linalg/random.hpp"
#include "problems/problems.hpp"
#include "properties/black_box.hpp"
#include "properties/checks.hpp"

namespace conelu::properties {
namespace {

constexpr int kTrainPatience = 240;  // seconds for all runs on one problem

/// What the user of the library says: data and settings. What the recipe leaves open comes from its seed.
struct Job {
  explicit Job(const Recipe& recipe)
      : loss(recipe), random(static_cast<std::uint64_t>(recipe.seed), 40), instance(recipe) {
    data.X = instance.X.leftCols(recipe.d);
    data.y = instance.y;
    data.weights = instance.weights;
    for (Index a = 0; a < data.X.cols(); ++a) data.features.push_back(fmt::format("x{}", a));

    settings.loss = recipe.loss;
    settings.loss_settings.huber_delta = std::pow(10.0, recipe.huber_delta);
    settings.beta = instance.beta;
    settings.norm = instance.threat.norm;
    if (instance.threat.radii.size() > 0) {
      const Vector radii = instance.threat.radii.head(recipe.d);
      settings.eps.assign(radii.data(), radii.data() + radii.size());
    }
    settings.eps_units = random.below(2) == 0 ? EpsUnits::network : EpsUnits::raw;
    settings.bias = instance.bias;
    settings.method = one_of(training_methods());
    settings.patterns = random.below(2) == 0 ? "" : source(recipe);
    settings.request.count = recipe.count;
    settings.request.seed = static_cast<std::uint64_t>(recipe.seed);
    const auto scaling = random.below(3);
    settings.standardize = scaling == 1;
    settings.min_max = scaling == 2;
    settings.reduce = random.below(4) == 0;
    settings.prune = random.below(4) == 0 ? 1e-3 : 0;
    // Others have one program, and say so.
    const bool attacked = std::any_of(settings.eps.begin(), settings.eps.end(), [](double eps) { return eps > 0; });
    if (has_gates() || (attacked && settings.patterns.empty())) {
      settings.rounds = static_cast<int>(1 + random.below(3));
    }
    settings.solver.time_limit = 20;
  }

  std::string one_of(const std::vector<std::string>& names) {
    return names[static_cast<std::size_t>(random.below(static_cast<Index>(names.size())))];
  }
  /// One that train() knows, and not so many patterns that a problem takes minutes.
  std::string source(const Recipe& recipe) const {
    for (const PatternSource& known : pattern_sources()) {
      if (known.name == recipe.patterns && known.name != "all") return known.name;
    }
    return pattern_count_bound(instance.X) <= 60 ? "all" : "gaussian";
  }
  bool has_gates() const { return settings.method != "cones" && settings.method != "reduced"; }

  PlainLoss loss;
  Random random;
  Instance instance;
  Dataset data;
  TrainSettings settings;
};

/// The samples as the network sees them: a program without patterns, for what it knows of them.
Program seen_by_network(const Dataset& data, const TrainSettings& settings, const Preprocessing& preprocessing) {
  const Matrix X = preprocessing.apply(data.X);
  const Threat threat = make_threat(settings, data.X.cols(), preprocessing);
  return Program(settings.bias ? with_bias(X) : X, data.y, data.weights,
                 make_loss(settings.loss, settings.loss_settings), settings.beta.value(), PatternSet(data.X.rows()),
                 threat, Method::cones);
}

/// What is said of the run fits together, and no attack that is tried makes the network worse than was promised.
void check_run(const Job& job, const TrainSettings& settings, const Dataset& data, const Model& model,
               const std::string& name) {
  const RunRecord& record = model.training;
  const auto say = [&](const std::string& text) { return name + ": " + text; };
  require(std::isfinite(record.objective) && std::isfinite(record.network_objective) &&
              std::isfinite(record.lower_bound) && std::isfinite(record.relative_gap),
          say("a number of the record is not finite"));
  require(record.lower_bound <= record.objective,
          say(fmt::format("bound {:.17g} above objective {:.17g}", record.lower_bound, record.objective)));
  require((record.status == "optimal") == (record.relative_gap <= record.tolerance),
          say(fmt::format("gap {} with status {}", record.relative_gap, record.status)));
  // Whoever is stopped between rounds has what was proven of the last one.
  const bool stopped = record.stop == "cancelled" || record.stop == "time_limit";
  // With a bound for every network the status speaks of that one, the stop of the program.
  const double program_gap = (record.objective - record.program_bound.value_or(record.lower_bound)) /
                             std::max(std::abs(record.objective), 1e-12);
  const bool solved = program_gap <= record.tolerance || record.status == "optimal";
  require((record.stop == "converged") == solved || (stopped && solved),
          say(fmt::format("stop {} with status {}", record.stop, record.status)));
  require(model.networks.size() == 1 && record.neurons == model.network().neurons(), say("neurons are miscounted"));

  const Network& network = model.network();
  const Program program = seen_by_network(data, settings, model.preprocessing);
  const double promised = std::min(record.objective, record.network_objective);
  Random random(static_cast<std::uint64_t>(settings.request.seed), 41);
  for (int i = 0; i < 6; ++i) {
    const Matrix deltas = i == 0 ? Matrix() : random_attack(program, random);
    const Rounded found = network_objective(program, job.loss, network, settings.bias, deltas);
    require(found.below() <= promised,
            say(fmt::format("{} gives {:.17g}, promised was {:.17g}", i == 0 ? "no attack" : "an attack",
                            static_cast<double>(found.value), promised)));
  }

  // A bound for networks is one for those that nobody trained, too.
  if (record.scope == "network" && !program.robust()) {
    for (const double noise : {0.0, 1e-3, 0.1, 1.0}) {
      Network other = network;
      const auto shake = [&](double weight) { return weight * (1 + noise * random.normal()); };
      other.hidden = other.hidden.unaryExpr(shake);
      other.hidden_bias = other.hidden_bias.unaryExpr(shake);
      other.output = other.output.unaryExpr(shake);
      const Rounded value = network_objective(program, job.loss, other, settings.bias);
      require(record.lower_bound <= value.above(),
              say(fmt::format("a network has {:.17g}, the bound is {:.17g}", static_cast<double>(value.value),
                              record.lower_bound)));
    }
  }
  const Model again = model_from_json(to_json(model));
  require(again.scores(data.X) == model.scores(data.X), say("a model that was written and read predicts otherwise"));
}

/// The optimum of `easier` is at most that of `harder`.
void require_order(const RunRecord& easier, const RunRecord& harder, const std::string& names) {
  require(easier.lower_bound <= harder.objective, fmt::format("{}: the bound {:.17g} is above the objective {:.17g}",
                                                              names, easier.lower_bound, harder.objective));
}

ProgressCallback stop_after(int calls) {
  return [calls](const Progress&) mutable { return calls-- > 0; };
}

void check_rounds(const Job& job, const RunRecord& record) {
  if (!job.settings.rounds) return;
  TrainSettings once = job.settings;
  once.rounds = 1;
  const Model model = train(job.data, once).model;
  check_run(job, once, job.data, model, "one round");
  if (record.status != "optimal" || model.training.status != "optimal") return;
  require(record.objective <= model.training.objective * (1 + 2 * record.tolerance) + 1e-12,
          fmt::format("{} rounds have {:.17g}, one has {:.17g}", *job.settings.rounds, record.objective,
                      model.training.objective));
}

void check_interruption(Job& job) {
  const int calls = static_cast<int>(job.random.below(12));
  const Model model = train(job.data, job.settings, stop_after(calls)).model;
  check_run(job, job.settings, job.data, model, fmt::format("stopped after {} calls", calls));
  TrainSettings hurried = job.settings;
  hurried.solver.time_limit = std::pow(10.0, -4 + 2 * job.random.uniform());
  check_run(job, hurried, job.data, train(job.data, hurried).model,
            fmt::format("stopped after {} s", hurried.solver.time_limit));
}

void check_path(Job& job) {
  const double beta = job.settings.beta.value();
  const std::vector<double> betas = {beta, beta * std::pow(10.0, job.random.uniform()), beta};
  std::vector<std::vector<double>> eps = {job.settings.eps};
  if (!job.settings.eps.empty()) {
    eps.push_back(job.settings.eps);
    for (double& radius : eps.back()) radius *= 0.7 + 0.3 * job.random.uniform();
    eps.push_back(job.settings.eps);
    const double factor = 0.5 + 0.5 * job.random.uniform();
    for (double& radius : eps.back()) radius *= factor;
  }
  const int calls = job.random.below(3) == 0 ? static_cast<int>(job.random.below(60)) : 100000;
  TrainSettings shared = job.settings;
  if (!job.has_gates()) shared.rounds.reset();  // a path keeps its patterns
  const std::vector<TrainResult> results = train_path(job.data, shared, betas, eps, stop_after(calls));
  require(results.size() == betas.size() * eps.size(), "the path has a result too many or too few");
  for (std::size_t i = 0; i < results.size(); ++i) {
    TrainSettings settings = shared;
    settings.eps = eps[i / betas.size()];
    settings.beta = betas[i % betas.size()];
    if (results[i].model.networks.empty()) {
      require(calls < 100000, "a result of the path is missing");
      continue;
    }
    const RunRecord& record = results[i].model.training;
    check_run(job, settings, job.data, results[i].model, fmt::format("result {} of a path", i));
    if (job.has_gates()) continue;  // chosen anew at every point
    for (std::size_t k = 0; k < results.size(); ++k) {
      if (results[k].model.networks.empty()) continue;
      const std::vector<double>&here = eps[i / betas.size()], &there = eps[k / betas.size()];
      bool easier = settings.beta <= betas[k % betas.size()];
      for (std::size_t a = 0; a < here.size(); ++a) easier = easier && here[a] <= there[a];
      if (easier) require_order(record, results[k].model.training, fmt::format("results {} and {} of a path", i, k));
    }
  }
}

void check_classes(Job& job) {
  Dataset data = job.data;
  if (data.samples() < 3) return;
  data.classes = {"a", "b", "c"};
  for (Index k = 0; k < data.samples(); ++k) data.y(k) = static_cast<double>(k < 3 ? k : job.random.below(3));
  const Model model = train(data, job.settings).model;
  require(model.networks.size() == 3 && model.class_trainings.size() == 3, "three classes have three networks");
  for (Index c = 0; c < 3; ++c) {
    const Dataset binary = one_against_rest(data, c);
    const Model alone = train(binary, job.settings).model;
    check_run(job, job.settings, binary, alone, fmt::format("class {} against the rest", c));
    const auto index = static_cast<std::size_t>(c);
    require(model.networks[index].hidden == alone.network().hidden &&
                model.networks[index].output == alone.network().output,
            fmt::format("the network of class {} is not that of the class against the rest", c));
    require(model.class_trainings[index].objective == alone.training.objective,
            fmt::format("the objective of class {} is not that of the class against the rest", c));
  }
}

void check_train(const Recipe& recipe) {
  const BlackBox black_box(recipe.text(), kTrainPatience);
  Job job(recipe);
  const Model model = train(job.data, job.settings).model;
  check_run(job, job.settings, job.data, model, "train");
  check_rounds(job, model.training);
  check_interruption(job);
  check_path(job);
  if (job.instance.weights.size() == 0) check_classes(job);
}

TEST(RandomProblems, AreTrainedOnHonestly) {
  if (const char* problem = std::getenv("CONELU_PROBLEM")) return check_train(Recipe::from_text(problem));
  const std::string parameters = "seed=1 max_success=" + std::to_string(problems::repetitions(40, 1000));
  setenv("RC_PARAMS", parameters.c_str(), /*overwrite=*/0);
  rc::detail::checkGTest([&](Recipe recipe) {
    recipe.flaw = "none";
    check_train(recipe);
  });
}

}  // namespace
}  // namespace conelu::properties
