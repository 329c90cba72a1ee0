#include "conelu/train.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <stdexcept>

#include "conelu/version.hpp"
#include "linalg/thread_count.hpp"
#include "report/resources.hpp"

namespace conelu {
namespace {

/// Exact training is the better answer wherever it costs no more than a moment.
constexpr double kAffordablePatterns = 2000;

bool is_pattern_file(const std::string& source) { return source.ends_with(".npy"); }

std::vector<Index> rows_with_weight(const Dataset& data) {
  std::vector<Index> rows;
  for (Index k = 0; k < data.samples(); ++k) {
    if (data.weights.size() == 0 || data.weights(k) != 0) rows.push_back(k);
  }
  return rows;
}

void check(const Dataset& data, const Loss& loss) {
  const auto require = [](bool condition, const std::string& message) {
    if (!condition) throw std::invalid_argument(message);
  };
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
  // Data made by hand may come without names.
  for (Index a = static_cast<Index>(model.features.size()); a < data.X.cols(); ++a) {
    model.features.push_back(fmt::format("x{}", a));
  }
  if (settings.standardize) model.preprocessing = Preprocessing::standardize(data);
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

ChosenPatterns choose_patterns(const Dataset& data, const Matrix& X, const Preprocessing& preprocessing,
                               const TrainSettings& settings, std::vector<std::string>& notes) {
  const bool chosen_here = settings.patterns.empty();
  const std::string source = chosen_here ? choose_pattern_source(X) : settings.patterns;
  if (is_pattern_file(source)) {
    const Matrix every_row = program_inputs(data, preprocessing, settings.bias);
    SampledPatterns sampled = make_patterns(source, every_row, settings.request);
    if (X.rows() != every_row.rows()) sampled.patterns = sampled.patterns.select_samples(rows_with_weight(data));
    return {source, std::move(sampled)};
  }

  PatternRequest request = settings.request;
  request.all_active = settings.all_active.value_or(chosen_here ? settings.bias : request.all_active);
  SampledPatterns sampled = make_patterns(source, X, request);
  const Index found = sampled.patterns.count();
  if (chosen_here) {
    notes.push_back(source == "all" ? fmt::format("patterns: all {} that the data have", found)
                                    : fmt::format("patterns: {} from random directions{}; the data have up to {:.3g}",
                                                  found, request.all_active ? ", the all-active one among them" : "",
                                                  pattern_count_bound(X)));
  }
  if (sampled.exhausted && found < request.count) {
    notes.push_back(fmt::format("patterns: asked for {}, found {}; {} draws turned up no more", request.count, found,
                                sampled.draws));
  }
  return {source, std::move(sampled)};
}

bool holds_all_inactive(const PatternSet& patterns) {
  for (Index i = 0; i < patterns.count(); ++i) {
    const auto words = patterns.words(i);
    if (std::all_of(words.begin(), words.end(), [](PatternSet::Word word) { return word == 0; })) return true;
  }
  return false;
}

void note_dropped_patterns(const Program& program, const PatternSet& patterns, std::vector<std::string>& notes) {
  const Index given = program.given_patterns();
  const Index thin = program.thin_patterns();
  // A neuron that is active nowhere is no loss, and most sources find its pattern.
  const Index narrow = program.narrow_patterns();
  const Index zero = given - program.patterns() - thin - narrow - (holds_all_inactive(patterns) ? 1 : 0);
  if (program.patterns() == 0) notes.push_back("no pattern has a cone with an interior: the network is zero");
  if (thin > 0) {
    notes.push_back(fmt::format(
        "patterns: {} of {} dropped, their cones have no interior; the bound is for the program without them", thin,
        given));
  }
  if (narrow > 0) {
    notes.push_back(
        fmt::format("patterns: {} of {} dropped, their cones are too narrow to be told from rounding errors; the bound "
                    "is for the program without them (standardised features help)",
                    narrow, given));
  }
  if (zero > 0) notes.push_back(fmt::format("patterns: {} of {} dropped, their cones hold nothing but 0", zero, given));
}

/// Fewer neurons where they were asked for, never at the price of a certificate that held before.
Solution simplify(const Program& program, Solution solution, const TrainSettings& settings,
                  std::vector<std::string>& notes) {
  const auto keep_if_proven = [&](const char* step, Solution candidate) {
    // Rounding alone may widen a gap that is not closed by a hair.
    const double allowed = std::max(settings.solver.tolerance, solution.certificate.relative_gap() * (1 + 1e-6) + 1e-9);
    const double gap = candidate.certificate.relative_gap();
    if (gap <= allowed) {
      solution = std::move(candidate);
    } else {
      notes.push_back(fmt::format("{} not applied: it would widen the certified gap to {:.2g}", step, gap));
    }
  };
  if (settings.prune > 0) keep_if_proven("pruning", prune(program, solution, settings.prune));
  if (settings.reduce) keep_if_proven("reduction", reduce(program, solution));
  return solution;
}

RunRecord describe(const Program& program, const ChosenPatterns& chosen, const TrainSettings& settings,
                   const TrainResult& result, const std::string& solver, const Resources& start) {
  const Resources end = Resources::now();
  const Network& network = result.model.network;
  const Certificate& certificate = result.solution.certificate;
  RunRecord record;
  record.objective = certificate.objective;
  record.network_objective = network_objective(program, network, settings.bias);
  record.lower_bound = certificate.lower_bound;
  record.relative_gap = certificate.relative_gap();
  record.violation = certificate.violation;
  record.status = to_string(certificate.status(settings.solver.tolerance));
  record.stop = to_string(result.solution.stop);
  record.scope = to_string(certificate.scope);
  record.method = "cones";
  record.loss = program.loss().name();
  record.beta = settings.beta;
  record.norm = "inf";
  record.pattern_source = chosen.source;
  record.seed = settings.request.seed;
  record.n = program.samples();
  record.d = network.inputs();
  record.patterns = program.given_patterns();
  record.live_patterns = program.patterns();
  record.thin_patterns = program.thin_patterns();
  record.neurons = network.neurons();
  record.iterations = result.solution.iterations;
  record.tolerance = settings.solver.tolerance;
  record.seconds = end.seconds - start.seconds;
  record.cpu_seconds = end.cpu_seconds - start.cpu_seconds;
  record.peak_mb = end.peak_mb;
  record.threads = omp_get_max_threads();
  record.version = version();
  record.solver = solver;
  return record;
}

}  // namespace

std::string choose_pattern_source(const MatrixView& X) {
  return pattern_count_bound(X) <= kAffordablePatterns ? "all" : "gaussian";
}

TrainResult train(const Dataset& data, const TrainSettings& settings, const ProgressCallback& progress) {
  const Resources start = Resources::now();
  const ThreadCount guard(settings.solver.threads);
  const LossPointer loss = make_loss(settings.loss);
  const InteriorPoint solver(settings.solver);
  check(data, *loss);

  TrainResult result;
  const Dataset used = drop_zero_weights(data);
  Model& model = result.model = untrained_model(used, settings, *loss);
  const Matrix X = program_inputs(used, model.preprocessing, settings.bias);
  const ChosenPatterns chosen = choose_patterns(data, X, model.preprocessing, settings, result.notes);
  const Program program(X, used.y, used.weights, loss, settings.beta, chosen.sampled.patterns);
  note_dropped_patterns(program, chosen.sampled.patterns, result.notes);
  if (program.exact()) result.notes.push_back("patterns: complete, so the bound holds for networks of any width");

  result.solution = solver.solve(program, progress);
  if (result.solution.stop != Stop::cancelled) {
    result.solution = simplify(program, std::move(result.solution), settings, result.notes);
  } else if (settings.prune > 0 || settings.reduce) {
    result.notes.push_back("stopped early: pruning and reduction were not applied");
  }
  model.network = recover_network(result.solution.blocks, settings.bias);

  model.training = describe(program, chosen, settings, result, solver.name(), start);
  if (model.task == Task::classification) {
    model.training.train_accuracy = accuracy(model, used);
  } else {
    model.training.train_mse = mean_squared_error(model, used);
  }
  return result;
}

}  // namespace conelu
