#include "conelu/train.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "conelu/prices.hpp"
#include "conelu/version.hpp"
#include "conelu/worst_case.hpp"
#include "linalg/stopwatch.hpp"
#include "linalg/thread_count.hpp"
#include "report/resources.hpp"
#include "require.hpp"
#include "train/constrained.hpp"
#include "train/global_bound.hpp"
#include "train/notes.hpp"
#include "train/one_against_rest.hpp"
#include "train/priced.hpp"
#include "train/rounds.hpp"

namespace conelu {
namespace {

constexpr int kPathRounds = 5;  // of a search for prices that begins with the patterns of another beta

bool is_pattern_file(const std::string& source) { return source.ends_with(".npy"); }

std::vector<Index> rows_with_weight(const Dataset& data) {
  std::vector<Index> rows;
  for (Index k = 0; k < data.samples(); ++k) {
    if (data.weights.size() == 0 || data.weights(k) != 0) rows.push_back(k);
  }
  return rows;
}

void check(const Dataset& data, const Loss& loss) {
  const Index n = data.samples();
  require(n > 0, "data: no samples");
  require(data.y.size() == n, fmt::format("data: {} samples with {} targets", n, data.y.size()));
  require(data.weights.size() == 0 || data.weights.size() == n,
          fmt::format("data: {} samples with {} weights", n, data.weights.size()));
  require(!rows_with_weight(data).empty(), "data: every sample has weight 0");
  const bool labels = loss.is_margin_loss() || !data.classes.empty();
  for (Index k = 0; labels && k < n; ++k) {
    require(data.y(k) == 1 || data.y(k) == -1,
            fmt::format("data: the label of sample {} is {}, expected -1 or +1 for {}", k, data.y(k),
                        loss.is_margin_loss() ? "the " + loss.name() + " loss" : "two classes"));
  }
}

Model untrained_model(const Dataset& data, const TrainSettings& settings, const Loss& loss) {
  Model model;
  model.task = loss.is_margin_loss() || !data.classes.empty() ? Task::classification : Task::regression;
  model.classes = data.classes;
  if (model.task == Task::classification && model.classes.empty()) model.classes = {"-1", "1"};
  model.features = data.features;
  model.target = {data.target, data.target_position};
  // Data made by hand may come without names.
  for (Index a = static_cast<Index>(model.features.size()); a < data.X.cols(); ++a) {
    model.features.push_back(fmt::format("x{}", a));
  }
  model.preprocessing = preprocessing_for(data, settings);
  return model;
}

/// What the convex program sees as X.
Matrix program_inputs(const Dataset& data, const Preprocessing& preprocessing, bool bias) {
  const Matrix X = preprocessing.apply(data.X);
  return bias ? with_bias(X) : X;
}

struct ChosenPatterns {
  std::string source;
  SampledPatterns sampled;
};

/// `data` may hold rows of weight 0; `used`, X and the labels do not.
ChosenPatterns choose_patterns(const Dataset& data, const Dataset& used, const Matrix& X, const Threat& threat,
                               const Preprocessing& preprocessing, const TrainSettings& settings, Notes& notes) {
  std::string source = settings.patterns.empty() ? choose_pattern_source(X, threat) : settings.patterns;
  // All of them are for the cones, whose optimum is then that of training itself; blocks with gates are wanted few.
  const bool gates = !settings.method.empty() && settings.method != "auto" && has_gates(make_method(settings.method));
  const bool cones = settings.method.empty() || settings.method == "auto" || settings.method == "cones";
  if (settings.patterns.empty() && ((gates && source == "all") || (!cones && source == "priced"))) source = "gaussian";
  if (source == "priced") {
    require(!threat.active(), "patterns: priced is for training without an attacker; with eps there is gaps");
    require(cones, fmt::format("patterns: priced is for the method cones, not for {}", settings.method));
    return {source, {PatternSet(X.rows())}};
  }
  const PatternRequest request = pattern_request(settings, threat, used.y);
  if (is_pattern_file(source)) {
    if (settings.all_active.value_or(false)) notes.push_back("patterns: nothing is added to those of a file");
    const Matrix every_row = program_inputs(data, preprocessing, settings.bias);
    SampledPatterns sampled = make_patterns(source, every_row, request);
    if (X.rows() != every_row.rows()) sampled.patterns = sampled.patterns.select_samples(rows_with_weight(data));
    return {source, std::move(sampled)};
  }
  SampledPatterns sampled = make_patterns(source, X, request);
  note_sampled_patterns(settings, X, source, request, sampled, notes);
  return {source, std::move(sampled)};
}

/// Patterns given by name or file ask for exactly their program, which is the paper's.
Method settle_method(const TrainSettings& settings, const Matrix& X, Index patterns, const Threat& threat,
                     Notes& notes) {
  if (settings.method == "auto") {
    return threat.active() ? choose_gated_method(X.cols(), settings.request.count) : Method::cones;
  }
  if (!settings.method.empty()) return make_method(settings.method);
  if (!settings.patterns.empty() || !threat.active()) return Method::cones;
  const Method method = choose_method(X.rows(), X.cols(), patterns);
  notes.push_back(fmt::format("method: {}", to_string(method)));
  return method;
}

/// Fewer neurons where they were asked for, never at the price of a certificate that held before.
Solution simplify(const Program& program, Solution solution, const TrainSettings& settings, Notes& notes) {
  const auto keep_if_proven = [&](const char* step, Solution candidate) {
    // Rounding alone may widen a gap that is not closed by a hair.
    // The gap as it is, not relative: of a trivial bound every objective is at 1.
    const Certificate& now = solution.certificate;
    const double gap = candidate.certificate.relative_gap();
    const double wider = candidate.certificate.objective - candidate.certificate.lower_bound;
    const double allowed = (now.objective - now.lower_bound) * (1 + 1e-6) + 1e-9 * now.objective;
    if (gap <= settings.solver.tolerance || wider <= allowed) {
      solution = std::move(candidate);
    } else {
      notes.push_back(fmt::format("{} not applied: it would widen the certified gap to {:.2g}", step, gap));
    }
  };
  if (settings.prune > 0) keep_if_proven("pruning", prune(program, solution, settings.prune));
  if (settings.reduce) keep_if_proven("reduction", reduce(program, solution));
  return solution;
}

/// Exact but for rounding without a threat. With one it is a bound for any network. The program's own value may beat
/// it.
double certified_objective(const Program& program, const Network& network, bool bias, double program_value) {
  return std::min(program_value, network_objective(program, network, bias));
}

void describe_threat(const Threat& threat, Index features, RunRecord& record) {
  record.norm = to_string(threat.norm);
  if (!threat.active()) return;
  const Vector radii = threat.radii.head(features);  // without the bias
  record.eps = radii.maxCoeff();
  if (radii.minCoeff() != record.eps) record.eps_per_feature.emplace(radii.begin(), radii.end());
}

RunRecord describe(const Program& program, const ChosenPatterns& chosen, const TrainSettings& settings,
                   const TrainResult& result, const std::string& solver, const Resources& start) {
  const Resources end = Resources::now();
  const Network& network = result.model.network();
  const Solution& solution = result.solution();
  const Certificate& certificate = solution.certificate;
  RunRecord record;
  record.objective = certificate.objective;
  record.network_objective = certified_objective(program, network, settings.bias, certificate.objective);
  record.lower_bound = certificate.lower_bound;
  record.relative_gap = certificate.relative_gap();
  record.violation = certificate.violation;
  record.status = to_string(certificate.status(settings.solver.tolerance));
  record.stop = to_string(solution.stop);
  record.scope = to_string(certificate.scope);
  record.method = to_string(program.method());
  record.loss = program.loss().name();
  if (record.loss == "huber") record.huber_delta = settings.loss_settings.huber_delta;
  record.beta = program.beta();
  describe_threat(program.threat(), network.inputs(), record);
  record.pattern_source = chosen.source;
  record.seed = settings.request.seed;
  record.d = network.inputs();
  record.patterns = program.given_patterns();
  record.live_patterns = program.blocks() / 2;
  record.thin_patterns = program.thin_patterns();
  record.neurons = network.neurons();
  record.iterations = solution.iterations;
  record.tolerance = settings.solver.tolerance;
  record.seconds = end.seconds - start.seconds;
  record.cpu_seconds = end.cpu_seconds - start.cpu_seconds;
  record.phases = solution.phases;
  record.peak_mb = end.peak_mb;
  record.threads = omp_get_max_threads();
  record.version = version();
  record.solver = solver;
  return record;
}

void describe_pricing(const Pricing& pricing, double beta, RunRecord& record) {
  if (!pricing.prices.empty()) {
    record.round_objectives = pricing.objectives;
    record.round_bounds = pricing.bounds;
    record.round_estimates = pricing.estimates;
    record.round_prices = pricing.prices;
  }
  record.largest_price = pricing.largest_price / beta;
  if (!pricing.proven) return;
  record.price_bound = pricing.proven->price_bound / beta;
  record.nodes = pricing.proven->nodes;
  record.bound_seconds = pricing.proven->seconds;
}

/// What all programs on the same data and patterns share.
struct Prepared {
  Dataset used;    // without rows of weight 0, and equal ones once
  Index rows = 0;  // of a weight above 0
  LossPointer loss;
  Model model;  // all but its networks and its record
  Matrix X;
  ChosenPatterns chosen;
  double choosing = 0;  // seconds
  double beta_max = 0;
  Method method = Method::cones;
  Notes notes;
};

/// Weights of the losses as Program has them.
Vector loss_weights_of(const Dataset& used, const Loss& loss) {
  Vector weights = used.weights.size() > 0 ? used.weights : Vector(Vector::Ones(used.samples()));
  return loss.is_averaged() ? Vector(weights / weights.sum()) : weights;
}

Prepared prepare(const Dataset& data, const TrainSettings& settings) {
  Prepared prepared;
  prepared.loss = make_loss(settings.loss, settings.loss_settings);
  if (settings.global_bound) {
    const double seconds = *settings.global_bound;
    require(std::isfinite(seconds) && seconds >= 0,
            fmt::format("global_bound: is {}, expected a number of seconds >= 0", seconds));
  }
  require(!settings.rounds || *settings.rounds >= 1,
          fmt::format("rounds: is {}, expected a number >= 1", settings.rounds.value_or(0)));
  check(data, *prepared.loss);
  prepared.rows = static_cast<Index>(rows_with_weight(data).size());
  // Equal samples are one of their weight together: fewer unknowns, and the same result however they are given. A
  // pattern file says something about each row.
  prepared.used = is_pattern_file(settings.patterns) ? drop_zero_weights(data) : distinct_samples(data);
  prepared.model = untrained_model(prepared.used, settings, *prepared.loss);
  const Preprocessing& preprocessing = prepared.model.preprocessing;
  prepared.X = program_inputs(prepared.used, preprocessing, settings.bias);
  const Threat threat = make_threat(settings, prepared.used.X.cols(), preprocessing);
  note_units(settings, threat, preprocessing, prepared.notes);
  {
    const Stopwatch watch(prepared.choosing);
    prepared.beta_max = beta_max(prepared.X, prepared.used.y, loss_weights_of(prepared.used, *prepared.loss),
                                 *prepared.loss, settings.request.seed);
  }
  {
    const Stopwatch watch(prepared.choosing);
    prepared.chosen = choose_patterns(data, prepared.used, prepared.X, threat, preprocessing, settings, prepared.notes);
  }
  prepared.method =
      settle_method(settings, prepared.X, prepared.chosen.sampled.patterns.count(), threat, prepared.notes);
  require(settings.global_bound.value_or(0) == 0 || (!threat.active() && prepared.method == Method::cones),
          "global_bound: is for training without an attacker by the method cones");
  return prepared;
}

/// Of the network on the validation data, row by row in the worst case.
Judge make_judge(const Prepared& prepared, const TrainSettings& settings, const Threat& threat) {
  if (!settings.validation) return {};
  const Dataset data = drop_zero_weights(*settings.validation);
  const Model& model = prepared.model;
  require(data.samples() > 0 && data.X.cols() == prepared.used.X.cols(),
          fmt::format("validation: has {} rows and {} features, expected rows with the {} features of the data",
                      data.samples(), data.X.cols(), prepared.used.X.cols()));
  require(data.classes == prepared.used.classes, "validation: has other classes than the data");
  const Matrix X = model.preprocessing.apply(data.X);
  const Vector weights = data.weights.size() > 0 ? data.weights : Vector(Vector::Ones(data.samples()));
  return [X, weights, y = data.y, loss = prepared.loss, task = model.task, threat,
          bias = settings.bias](const MatrixView& U) {
    const Matrix bounds = output_bounds(recover_network(U, bias), X, threat);
    double right = 0;
    double lost = 0;
    for (Index k = 0; k < X.rows(); ++k) {
      right += weights(k) * (y(k) > 0 ? bounds(k, 0) >= 0 : bounds(k, 1) < 0);
      lost += weights(k) * std::max(loss->value(bounds(k, 0), y(k)), loss->value(bounds(k, 1), y(k)));
    }
    const double mean_loss = lost / weights.sum();
    return Judgement{task == Task::classification ? right / weights.sum() : -mean_loss, mean_loss};
  };
}

/// In rounds, with gates of their own for every block.
SolvedProgram solve_gated(const Prepared& prepared, const TrainTask& task, const TrainSettings& settings,
                          const Judge& judge, const Clock& clock, const ProgressCallback& progress, Notes& notes) {
  const PatternSet& patterns = prepared.chosen.sampled.patterns;
  GatedStart start;
  if (settings.patterns.empty()) {
    start = find_start(task, patterns, settings, clock, progress, notes);
  } else {
    const Program given = task.program(patterns);
    start = {Matrix::Zero(given.dimension(), given.blocks()), given.activations(), "interior-point"};
  }
  return train_in_rounds(task, std::move(start), settings, judge, clock, progress, notes);
}

/// Cones or reduced.
SolvedProgram solve_constrained(const Prepared& prepared, const TrainTask& task, const TrainSettings& settings,
                                Trail* trail, const Clock& clock, const ProgressCallback& progress, Notes& notes) {
  const PatternSet& patterns = prepared.chosen.sampled.patterns;
  // Patterns that were given ask for exactly their program.
  const bool may_exchange = settings.patterns.empty() && task.threat.active();
  if (settings.method == "auto") {
    if (settings.rounds || settings.validation) {
      notes.push_back(fmt::format("method: cones, since there is no attack{}",
                                  settings.validation ? "; the validation rows are neither trained on nor asked" : ""));
    }
  } else {
    require(!settings.validation,
            fmt::format("validation: is for the methods gated, hybrid, separate and auto, not for {}",
                        to_string(task.method)));
    require(settings.rounds.value_or(1) == 1 || settings.patterns.empty() || prepared.chosen.source == "priced",
            fmt::format("rounds: is for priced patterns, for the methods gated, hybrid, separate and auto, and for {} "
                        "with eps and without patterns",
                        to_string(task.method)));
  }
  if (prepared.chosen.source == "priced") return solve_priced(task, patterns, settings, clock, progress, notes);
  const int rounds = may_exchange ? settings.rounds.value_or(kUsualExchanges) : 1;
  SolvedProgram solved = solve_in_exchange(task, patterns, settings, rounds, trail, clock, progress, notes);
  if (settings.global_bound.value_or(0) > 0 && !solved.program.exact()) {
    prove_solution(solved, settings, clock, progress, notes);
  }
  note_dropped_patterns(solved.program, patterns, notes);
  if (solved.program.exact()) notes.push_back("patterns: complete, so the bound holds for networks of any width");
  return solved;
}

SolvedProgram solve(const Prepared& prepared, const TrainSettings& settings, const Threat& threat, Trail* trail,
                    const ProgressCallback& progress, Notes& notes) {
  const double beta = settled_beta(settings, prepared.beta_max);
  const TrainTask task{prepared.X, prepared.used, prepared.loss, beta, threat, prepared.method};
  const Clock clock;
  return has_gates(prepared.method)
             ? solve_gated(prepared, task, settings, make_judge(prepared, settings, threat), clock, progress, notes)
             : solve_constrained(prepared, task, settings, trail, clock, progress, notes);
}

/// The bound of the program is not one for every network.
void hold_for_all_networks(const GlobalBound& bound, Certificate& certificate) {
  if (certificate.scope == Scope::network && certificate.lower_bound >= bound.lower_bound) return;
  certificate.lower_bound = bound.lower_bound;
  certificate.scope = Scope::network;
}

/// `settings` may differ from those that the data were prepared with in beta and eps.
TrainResult train_prepared(Prepared& prepared, const TrainSettings& settings, Trail* trail,
                           const ProgressCallback& progress, const Resources& start) {
  const Dataset& used = prepared.used;
  TrainResult result{prepared.model, {}, prepared.notes};
  Model& model = result.model;
  const Threat threat = make_threat(settings, used.X.cols(), model.preprocessing);
  SolvedProgram solved = solve(prepared, settings, threat, trail, progress, result.notes);
  // Patterns found by prices are where the search for another beta begins.
  if (prepared.chosen.source == "priced") prepared.chosen.sampled.patterns = patterns_in_use(solved);
  auto& [program, solution, rounds, solver, source, pricing] = solved;
  solution.phases.patterns += prepared.choosing;
  if (solution.stop != Stop::cancelled) {
    solution = simplify(program, std::move(solution), settings, result.notes);
  } else if (settings.prune > 0 || settings.reduce) {
    result.notes.push_back("stopped early: pruning and reduction were not applied");
  }
  const double program_bound = solution.certificate.lower_bound;
  if (pricing && pricing->proven) hold_for_all_networks(*pricing->proven, solution.certificate);
  model.networks = {recover_network(solution.blocks, settings.bias)};
  result.solutions.push_back(std::move(solution));

  model.training = describe(program, prepared.chosen, settings, result, solver, start);
  model.training.rounds = rounds;
  model.training.beta_max = prepared.beta_max;
  if (pricing) {
    describe_pricing(*pricing, program.beta(), model.training);
    // Points of the program are networks, so what bounds all of these bounds them.
    if (pricing->proven) {
      model.training.program_bound = std::max(program_bound, result.solution().certificate.lower_bound);
    }
  }
  if (!source.empty()) model.training.pattern_source = source;
  model.training.n = prepared.rows;
  if (model.task == Task::classification) {
    model.training.train_accuracy = accuracy(model, used);
  } else {
    model.training.train_mse = mean_squared_error(model, used);
  }
  return result;
}

TrainResult train_along(const Dataset& data, const TrainSettings& settings, Trail* trail,
                        const ProgressCallback& progress) {
  if (settings.scale_target) {
    const TargetScaling scaling = TargetScaling::standardize(data);
    TrainSettings scaled = settings;
    scaled.scale_target = false;
    if (scaled.validation) scaled.validation = std::make_shared<Dataset>(scaling.apply(*scaled.validation));
    TrainResult result = train_along(scaling.apply(data), scaled, trail, progress);
    restore_target_units(result.model, scaling, data);
    return result;
  }
  if (data.classes.size() > 2) return train_one_against_rest(data, settings, progress);
  const Resources start = Resources::now();
  const ThreadCount guard(settings.solver.threads);
  const InteriorPoint checked(settings.solver);  // before patterns are looked for
  Prepared prepared = prepare(data, settings);
  return train_prepared(prepared, settings, trail, progress, start);
}

/// Indices, those of large values first.
template <class Value>
std::vector<std::size_t> falling(std::size_t count, const Value& value) {
  std::vector<double> values(count);
  // What is no number is refused later on, and must not confuse the order until then.
  for (std::size_t k = 0; k < count; ++k) values[k] = std::isnan(value(k)) ? 0.0 : value(k);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  return order;
}

double largest_of(const std::vector<double>& radii) {
  return radii.empty() ? 0.0 : *std::max_element(radii.begin(), radii.end());
}

/// The largest radius of each feature among all of the path.
std::vector<double> largest_radii(const std::vector<std::vector<double>>& eps, Index features) {
  std::vector<double> largest;
  for (const std::vector<double>& radii : eps) {
    const std::size_t size = std::max({radii.size(), largest.size(), std::size_t{1}});
    if (size > 1 && largest.size() <= 1) largest.resize(size, largest.empty() ? 0.0 : largest[0]);
    if (largest.empty()) largest.push_back(0.0);
    if (radii.size() > 1 && radii.size() != static_cast<std::size_t>(features))
      return radii;  // make_threat says why not
    for (std::size_t a = 0; a < largest.size() && !radii.empty(); ++a) {
      largest[a] = std::max(largest[a], radii[radii.size() == 1 ? 0 : a]);
    }
  }
  return largest;
}

}  // namespace

const Solution& TrainResult::solution() const {
  static_cast<void>(model.network());  // says so if there are several
  return solutions.at(0);
}

double beta_max(const Dataset& data, const TrainSettings& settings) {
  if (settings.scale_target) {
    TrainSettings scaled = settings;
    scaled.scale_target = false;
    return beta_max(TargetScaling::standardize(data).apply(data), scaled);
  }
  if (data.classes.size() > 2) {
    double largest = 0;
    for (Index k = 0; k < static_cast<Index>(data.classes.size()); ++k) {
      largest = std::max(largest, beta_max(one_against_rest(data, k), settings));
    }
    return largest;
  }
  const LossPointer loss = make_loss(settings.loss, settings.loss_settings);
  check(data, *loss);
  const ThreadCount guard(settings.solver.threads);
  const Dataset used = distinct_samples(data);
  const Matrix X = program_inputs(used, preprocessing_for(used, settings), settings.bias);
  return beta_max(X, used.y, loss_weights_of(used, *loss), *loss, settings.request.seed);
}

Preprocessing preprocessing_for(const Dataset& data, const TrainSettings& settings) {
  if (settings.standardize && settings.min_max) {
    throw std::invalid_argument("standardize and min_max: expected one of them at most");
  }
  return settings.standardize ? Preprocessing::standardize(data)
         : settings.min_max   ? Preprocessing::min_max(data)
                              : Preprocessing::of(data);
}

TrainResult train(const Dataset& data, const TrainSettings& settings, const ProgressCallback& progress) {
  return train_along(data, settings, nullptr, progress);
}

TrainResult train(const Dataset& data, const TrainSettings& settings, Trail& trail, const ProgressCallback& progress) {
  return train_along(data, settings, &trail, progress);
}

std::vector<TrainResult> train_path(const Dataset& data, const TrainSettings& settings,
                                    const std::vector<double>& betas, const std::vector<std::vector<double>>& eps,
                                    const ProgressCallback& progress) {
  if (betas.empty()) throw std::invalid_argument("betas: none given");
  const bool gates = settings.method == "auto" || (!settings.method.empty() && has_gates(make_method(settings.method)));
  if (settings.scale_target) {
    const TargetScaling scaling = TargetScaling::standardize(data);
    TrainSettings scaled = settings;
    scaled.scale_target = false;
    if (scaled.validation) scaled.validation = std::make_shared<Dataset>(scaling.apply(*scaled.validation));
    std::vector<TrainResult> results = train_path(scaling.apply(data), scaled, betas, eps, progress);
    for (TrainResult& result : results) {
      if (!result.solutions.empty()) restore_target_units(result.model, scaling, data);  // or it was not reached
    }
    return results;
  }
  const ThreadCount guard(settings.solver.threads);
  std::vector<std::vector<double>> radii = eps;
  if (radii.empty()) radii.push_back(settings.eps);
  const std::vector<std::size_t> falling_betas = falling(betas.size(), [&](std::size_t k) { return betas[k]; });
  const std::vector<std::size_t> falling_radii =
      falling(radii.size(), [&](std::size_t i) { return largest_of(radii[i]); });

  bool wanted = true;
  const ProgressCallback watch = [&](const Progress& news) { return wanted = !progress || progress(news); };
  const bool several = data.classes.size() > 2;
  Resources start = Resources::now();
  Prepared prepared;
  TrainSettings point = settings;
  const bool attacked = falling_radii.empty() ? false : largest_of(radii[falling_radii[0]]) > 0;
  const bool priced = !attacked && (settings.patterns.empty() || settings.patterns == "priced");
  require(
      gates || priced || settings.rounds.value_or(1) == 1,
      "rounds: is for one value of beta and eps, or for priced patterns; along a path cones and reduced keep theirs");
  // Patterns that are exchanged at each point would not let results compare.
  if (priced || !gates) point.rounds = priced ? settings.rounds.value_or(kPathRounds) : 1;
  if (priced && !settings.global_bound) point.global_bound = 0;  // of a few, if asked, not of every point
  if (!several) {
    point.eps = largest_radii(radii, data.X.cols());
    const InteriorPoint checked(settings.solver);
    prepared = prepare(data, point);
  }
  std::vector<TrainResult> results(radii.size() * betas.size());
  Trail trail;
  for (const std::size_t i : falling_radii) {
    for (const std::size_t k : falling_betas) {
      if (!wanted) return results;
      point.eps = radii[i];
      point.beta = betas[k];
      results[i * betas.size() + k] =
          several ? train_one_against_rest(data, point, watch) : train_prepared(prepared, point, &trail, watch, start);
      start = Resources::now();
      prepared.choosing = 0;
    }
  }
  return results;
}

}  // namespace conelu
