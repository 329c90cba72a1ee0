#include "conelu/cross_validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace conelu {
namespace {

/// The threat of a trained model's settings, as evaluate() takes it: without the bias.
Threat threat_on(const Model& model, TrainSettings settings) {
  settings.bias = false;
  return make_threat(settings, static_cast<Index>(model.features.size()), model.preprocessing);
}

double mean_absolute_error(const Model& model, const Dataset& data) {
  const Vector errors = (model.scores(data.X).col(0) - data.y).cwiseAbs();
  return data.weights.size() == 0 ? errors.mean() : errors.dot(data.weights) / data.weights.sum();
}

class CrossValidator {
 public:
  CrossValidator(const Dataset& data, const CrossValidationSettings& settings, const CrossValidationCallback& callback)
      : data_(drop_zero_weights(data)), settings_(settings), callback_(callback) {
    if (settings.betas.empty()) throw std::invalid_argument("betas: none given");
    if (settings.training.patterns.ends_with(".npy")) {
      throw std::invalid_argument("patterns: a file has a column for each row and cannot be used on folds of them");
    }
    check_class_sizes();
    folds_ = make_folds(data_, settings.folds, settings.seed);
    list_grid();
    news_.folds = settings.folds;
    news_.networks = folds_.size() * result_.grid.size();
  }

  CrossValidation run() {
    for (const std::vector<Index>& rows : folds_) {
      ++news_.fold;
      const auto [train, test] = split_off(data_, rows);
      for (std::size_t i = 0; i < radii_.size() && result_.finished; ++i) score_path(i, train, test);
    }
    if (result_.finished) mark_best();
    return std::move(result_);
  }

 private:
  void check_class_sizes() const {
    std::vector<Index> sizes(data_.classes.size(), 0);
    for (Index k = 0; k < data_.samples() && !sizes.empty(); ++k) ++sizes[static_cast<std::size_t>(data_.class_of(k))];
    const auto rare = std::find_if(sizes.begin(), sizes.end(), [](Index size) { return size < 2; });
    if (rare == sizes.end()) return;
    throw std::invalid_argument(fmt::format("class {} has {} row; expected 2 at least, to train on and to test on",
                                            data_.classes[static_cast<std::size_t>(rare - sizes.begin())], *rare));
  }

  void list_grid() {
    radii_ = settings_.eps;
    if (radii_.empty()) radii_.push_back(settings_.training.eps);
    for (const std::vector<double>& eps : radii_) {
      for (const double beta : settings_.betas) result_.grid.push_back({beta, eps, {}, false});
    }
    const LossPointer loss = make_loss(settings_.training.loss, settings_.training.loss_settings);
    const bool classifies = loss->is_margin_loss() || !data_.classes.empty();
    result_.task = classifies ? Task::classification : Task::regression;
    result_.n = data_.samples();
    result_.folds = settings_.folds;
    result_.seed = settings_.seed;
    result_.norm = to_string(settings_.training.norm);
  }

  bool go_on(const std::string& step) {
    news_.step = step;
    if (callback_ && !callback_(news_)) result_.finished = false;
    return result_.finished;
  }

  void score_path(std::size_t i, const Dataset& train, const Dataset& test) {
    TrainSettings training = settings_.training;
    training.eps = radii_[i];
    if (!go_on("finding patterns")) return;
    const auto results = train_path(train, training, settings_.betas, {}, [this](const Progress& progress) {
      return go_on(fmt::format("training, iteration {}, gap {:.1e}", progress.iteration, progress.relative_gap));
    });
    for (std::size_t k = 0; k < results.size() && result_.finished; ++k) {
      const std::optional<FoldScore> score = score_on(results[k].model, training, test);
      if (!score) return;
      result_.grid[i * settings_.betas.size() + k].folds.push_back(*score);
      ++news_.finished;
    }
  }

  /// Nothing if the callback stopped it.
  std::optional<FoldScore> score_on(const Model& model, const TrainSettings& training, const Dataset& test) {
    const bool classifies = model.task == Task::classification;
    FoldScore score;
    score.objective = model.training.objective;
    score.relative_gap = model.training.relative_gap;
    score.seconds = model.training.seconds;
    score.clean = classifies ? accuracy(model, test) : mean_squared_error(model, test);
    score.pgd = score.certified = score.clean;
    if (!classifies) score.absolute_error = mean_absolute_error(model, test);

    EvaluationSettings evaluation;
    evaluation.threat = threat_on(model, training);
    if (!evaluation.threat.active()) return score;
    evaluation.restarts = settings_.restarts;
    evaluation.seed = settings_.seed;
    evaluation.time_limit = settings_.row_limit;
    evaluation.objective = evaluation.radius = false;
    evaluation.threads = settings_.training.solver.threads;
    const Evaluation found = evaluate(model, test, evaluation, [this](const EvaluationProgress& progress) {
      return go_on(fmt::format("{}, row {} of {}", progress.step, progress.finished, progress.all));
    });
    if (!found.finished) return std::nullopt;
    score.pgd = found.pgd.value();
    score.certified = (classifies ? found.verified_lower : found.verified_upper).value();
    score.uncertain = found.unknown.value_or(0);
    return score;
  }

  void mark_best() {
    const bool high = result_.task == Task::classification;
    const auto better = [&](const GridPoint& a, const GridPoint& b) {
      const auto field = a.robust() ? &FoldScore::certified : &FoldScore::clean;
      const double value = a.spread(field).mean;
      const double difference = (value - b.spread(field).mean) * (high ? 1 : -1);
      // The same scores in another order of the folds add up to another last digit.
      return std::abs(difference) > 1e-12 * std::abs(value) ? difference > 0 : a.beta > b.beta;
    };
    const std::size_t betas = settings_.betas.size();
    for (std::size_t i = 0; i < radii_.size(); ++i) {
      const auto first = result_.grid.begin() + static_cast<std::ptrdiff_t>(i * betas);
      // The smallest in an order in which the better one comes first.
      std::min_element(first, first + static_cast<std::ptrdiff_t>(betas), better)->best = true;
    }
  }

  const Dataset data_;
  const CrossValidationSettings& settings_;
  const CrossValidationCallback& callback_;
  std::vector<std::vector<Index>> folds_;
  std::vector<std::vector<double>> radii_;
  CrossValidation result_;
  CrossValidationProgress news_;
};

}  // namespace

bool GridPoint::robust() const {
  return std::any_of(eps.begin(), eps.end(), [](double radius) { return radius > 0; });
}

Spread GridPoint::spread(const std::function<double(const FoldScore&)>& field) const {
  const auto count = static_cast<double>(folds.size());
  Spread spread;
  for (const FoldScore& score : folds) spread.mean += field(score) / count;
  for (const FoldScore& score : folds) spread.deviation += std::pow(field(score) - spread.mean, 2);
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  if (folds.empty()) spread.mean = kUnknown;
  spread.deviation = folds.size() < 2 ? kUnknown : std::sqrt(spread.deviation / (count - 1));
  return spread;
}

CrossValidation cross_validate(const Dataset& data, const CrossValidationSettings& settings,
                               const CrossValidationCallback& progress) {
  return CrossValidator(data, settings, progress).run();
}

}  // namespace conelu
