#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "conelu/baseline.hpp"
#include "conelu/version.hpp"
#include "linalg/thread_count.hpp"
#include "report/resources.hpp"

namespace conelu {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

Model untrained_model(const Dataset& data, const TrainSettings& problem, const Loss& loss) {
  Model model;
  model.task = loss.is_margin_loss() || !data.classes.empty() ? Task::classification : Task::regression;
  model.classes = data.classes;
  if (model.task == Task::classification && model.classes.empty()) model.classes = {"-1", "1"};
  model.features = data.features;
  model.target = {data.target, data.target_position};
  for (Index a = static_cast<Index>(model.features.size()); a < data.X.cols(); ++a) {
    model.features.push_back(fmt::format("x{}", a));
  }
  model.preprocessing = preprocessing_for(data, problem);
  return model;
}

void describe_threat(const Threat& threat, RunRecord& record) {
  record.norm = to_string(threat.norm);
  if (!threat.active()) return;
  record.eps = threat.radii.maxCoeff();
  if (threat.radii.minCoeff() != record.eps) record.eps_per_feature.emplace(threat.radii.begin(), threat.radii.end());
}

/// Nothing is proven of a program: there is none.
RunRecord describe(const BaselineResult& result, const BaselineSettings& settings, const Dataset& used,
                   const Resources& start) {
  const Resources end = Resources::now();
  RunRecord record;
  record.objective = record.lower_bound = record.relative_gap = record.violation = record.tolerance = kNothing;
  record.network_objective = result.certified_objective;
  record.stop = to_string(result.stop);
  record.method = settings.method;
  record.loss = settings.loss;
  if (record.loss == "huber") record.huber_delta = settings.loss_settings.huber_delta;
  record.beta = settings.beta;
  describe_threat(settings.threat, record);
  record.seed = settings.seed;
  record.n = used.samples();
  record.d = used.X.cols();
  record.neurons = result.network.neurons();
  record.iterations = result.epochs;
  record.rounds = settings.restarts;
  record.seconds = end.seconds - start.seconds;
  record.cpu_seconds = end.cpu_seconds - start.cpu_seconds;
  record.peak_mb = end.peak_mb;
  record.threads = omp_get_max_threads();
  record.version = version();
  record.solver = settings.optimizer;
  return record;
}

BaselineModel train_one(const Dataset& data, const TrainSettings& problem, BaselineSettings settings,
                        const BaselineCallback& progress) {
  const Resources start = Resources::now();
  const ThreadCount threads(settings.threads);
  const LossPointer loss = make_loss(problem.loss, problem.loss_settings);
  const Dataset used = drop_zero_weights(data);
  Model model = untrained_model(used, problem, *loss);
  settings.loss = problem.loss;
  settings.loss_settings = problem.loss_settings;
  settings.beta = problem.beta.value();
  settings.bias = problem.bias;
  settings.threat = {};
  if (settings.method != "gd-std") {
    TrainSettings features_only = problem;
    features_only.bias = false;  // nobody reaches it
    settings.threat = make_threat(features_only, used.X.cols(), model.preprocessing);
  }
  BaselineResult result = train_baseline(model.preprocessing.apply(used.X), used.y, used.weights, settings, progress);
  model.networks = {result.network};
  model.training = describe(result, settings, used, start);
  if (model.task == Task::classification) {
    model.training.train_accuracy = accuracy(model, used);
  } else {
    model.training.train_mse = mean_squared_error(model, used);
  }
  return {std::move(model), {std::move(result)}};
}

/// Each as if it were alone; the time limit is for all, shared out evenly among those still to come.
BaselineModel train_classes(const Dataset& data, const TrainSettings& problem, const BaselineSettings& settings,
                            const BaselineCallback& progress) {
  const auto count = static_cast<int>(data.classes.size());
  BaselineModel all;
  bool cancelled = false;
  double time_left = settings.time_limit;
  for (int k = 0; k < count; ++k) {
    const auto report = [&](BaselineProgress news) {
      news.network = k + 1;
      news.networks = count;
      cancelled = cancelled || (progress && !progress(news));
      return !cancelled;
    };
    BaselineSettings of_class = settings;
    of_class.time_limit = time_left / (count - k);
    BaselineModel part = train_one(one_against_rest(data, k), problem, of_class, report);
    time_left = std::max(0.0, time_left - part.model.training.seconds);
    if (k == 0) {
      all.model.features = part.model.features;
      all.model.target = part.model.target;
      all.model.preprocessing = part.model.preprocessing;  // does not depend on the labels
    }
    all.model.networks.push_back(std::move(part.model.networks.front()));
    all.model.class_trainings.push_back(std::move(part.model.training));
    all.results.push_back(std::move(part.results.front()));
  }
  all.model.classes = data.classes;
  RunRecord& sum = all.model.training = sum_of_classes(all.model.class_trainings);
  sum.lower_bound = sum.relative_gap = sum.violation = kNothing;
  sum.status.clear();
  sum.scope.clear();
  sum.train_accuracy = accuracy(all.model, drop_zero_weights(data));
  return all;
}

}  // namespace

double BaselineModel::objective() const {
  return std::transform_reduce(results.begin(), results.end(), 0.0, std::plus<>(),
                               [](const BaselineResult& result) { return result.objective; });
}

double BaselineModel::seconds_to_one_percent() const {
  return std::transform_reduce(results.begin(), results.end(), 0.0, std::plus<>(),
                               [](const BaselineResult& result) { return result.seconds_to_one_percent; });
}

BaselineModel train_baseline(const Dataset& data, const TrainSettings& problem, const BaselineSettings& settings,
                             const BaselineCallback& progress) {
  if (problem.scale_target) {
    const TargetScaling scaling = TargetScaling::standardize(data);
    TrainSettings scaled = problem;
    scaled.scale_target = false;
    BaselineModel trained = train_baseline(scaling.apply(data), scaled, settings, progress);
    restore_target_units(trained.model, scaling, data);
    return trained;
  }
  TrainSettings settled = problem;
  if (!settled.beta) settled.beta = settled_beta(problem, beta_max(data, problem));
  return data.classes.size() > 2 ? train_classes(data, settled, settings, progress)
                                 : train_one(data, settled, settings, progress);
}

}  // namespace conelu
