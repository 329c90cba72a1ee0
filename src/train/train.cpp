#include "conelu/train.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <stdexcept>

#include "conelu/version.hpp"
#include "linalg/thread_count.hpp"
#include "report/resources.hpp"
#include "train/notes.hpp"

namespace conelu {
namespace {

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

/// `data` may hold rows of weight 0; `used`, X and the labels do not.
ChosenPatterns choose_patterns(const Dataset& data, const Dataset& used, const Matrix& X, const Threat& threat,
                               const Preprocessing& preprocessing, const TrainSettings& settings, Notes& notes) {
  const std::string source = settings.patterns.empty() ? choose_pattern_source(X, threat) : settings.patterns;
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

/// Exact without a threat. With one it is a bound for any network, which the program's own value may beat.
double certified_objective(const Program& program, const Network& network, bool bias, double program_value) {
  const double value = network_objective(program, network, bias);
  return program.robust() ? std::min(program_value, value) : value;
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
  const Network& network = result.model.network;
  const Certificate& certificate = result.solution.certificate;
  RunRecord record;
  record.objective = certificate.objective;
  record.network_objective = certified_objective(program, network, settings.bias, certificate.objective);
  record.lower_bound = certificate.lower_bound;
  record.relative_gap = certificate.relative_gap();
  record.violation = certificate.violation;
  record.status = to_string(certificate.status(settings.solver.tolerance));
  record.stop = to_string(result.solution.stop);
  record.scope = to_string(certificate.scope);
  record.method = to_string(program.method());
  record.loss = program.loss().name();
  record.beta = settings.beta;
  describe_threat(program.threat(), network.inputs(), record);
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
  const Threat threat = make_threat(settings, used.X.cols(), model.preprocessing);
  note_units(settings, threat, model.preprocessing, result.notes);
  const ChosenPatterns chosen = choose_patterns(data, used, X, threat, model.preprocessing, settings, result.notes);
  const Method method = settle_method(settings, X, chosen.sampled.patterns.count(), threat, result.notes);
  const Program program(X, used.y, used.weights, loss, settings.beta, chosen.sampled.patterns, threat, method);
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
