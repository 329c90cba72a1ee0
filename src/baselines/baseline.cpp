#include "conelu/baseline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "baselines/balance.hpp"
#include "baselines/descent.hpp"
#include "baselines/schedule.hpp"
#include "linalg/thread_count.hpp"
#include "require.hpp"

namespace conelu {
namespace {

using namespace baselines;

void check_data(const MatrixView& X, const VectorView& y, const VectorView& weights, bool labels) {
  const Index n = X.rows();
  require(n > 0 && X.cols() > 0, fmt::format("X: is {} x {}, expected samples and features", n, X.cols()));
  require(y.size() == n, fmt::format("y: has {} targets, expected {}, one per row of X", y.size(), n));
  require(weights.size() == 0 || weights.size() == n,
          fmt::format("weights: has {} entries, expected {}, one per row of X, or none", weights.size(), n));
  for (Index k = 0; k < n; ++k) {
    require(X.row(k).allFinite(), fmt::format("X: row {} is not finite", k));
    require(labels ? std::abs(y(k)) == 1 : std::isfinite(y(k)),
            fmt::format("y: the target of row {} is {}, expected {}", k, y(k), labels ? "-1 or 1" : "a finite number"));
    require(weights.size() == 0 || (std::isfinite(weights(k)) && weights(k) >= 0),
            fmt::format("weights: the weight of row {} is {}, expected a finite number >= 0", k,
                        weights.size() == 0 ? 1.0 : weights(k)));
  }
  require(weights.size() == 0 || weights.sum() > 0, "weights: all are 0");
}

void check_settings(const BaselineSettings& settings, Index d) {
  const auto& names = baseline_names();
  require(std::find(names.begin(), names.end(), settings.method) != names.end(),
          fmt::format("method: unknown name '{}', expected one of {}", settings.method, fmt::join(names, ", ")));
  require(std::isfinite(settings.beta) && settings.beta > 0,
          fmt::format("beta: is {}, expected a finite number > 0", settings.beta));
  static_cast<void>(usual_rate(settings.optimizer, d));
  static_cast<void>(schedule_factor(settings.schedule, 0));
  BaselineSettings::visit(settings, [](const char* name, auto value, auto lowest, auto highest) {
    require(value >= lowest && value <= highest,
            fmt::format("{}: is {}, expected a number between {} and {}", name, value, lowest, highest));
  });
  const Vector& radii = settings.threat.radii;
  require(radii.size() == 0 || radii.size() == d,
          fmt::format("threat: has {} radii, expected {}, one per input, or none", radii.size(), d));
  require(radii.allFinite() && (radii.array() >= 0).all(), "threat: has a radius that is negative or not finite");
}

BaselineSettings completed(BaselineSettings settings, Index n, Index d) {
  constexpr Index kSteps = 30000;
  if (settings.method == "gd-std") settings.threat.radii.resize(0);
  if (settings.batch == 0) settings.batch = std::clamp<Index>(n / 10, 32, 256);
  const Index batches = std::max<Index>(1, (n + settings.batch - 1) / settings.batch);
  if (settings.epochs == 0) settings.epochs = static_cast<int>(std::max<Index>(1, kSteps / batches));
  if (settings.learning_rate == 0) settings.learning_rate = usual_rate(settings.optimizer, d);
  return settings;
}

/// Rows of weight 0 are not there; the others weigh as in Program.
Samples make_samples(const MatrixView& X, const VectorView& y, const VectorView& weights, const Loss& loss) {
  std::vector<Index> rows;
  for (Index k = 0; k < X.rows(); ++k) {
    if (weights.size() == 0 || weights(k) > 0) rows.push_back(k);
  }
  Samples samples{X(rows, Eigen::all).transpose(), y(rows), Vector::Ones(static_cast<Index>(rows.size()))};
  if (weights.size() > 0) samples.loss_weights = weights(rows);
  if (loss.is_averaged()) samples.loss_weights /= samples.loss_weights.sum();
  return samples;
}

/// Neurons that do next to nothing go if that does no harm.
void simplify(const Judge& judge, Best& best) {
  constexpr double kSmall = 1e-6;
  const Network exact = without_small_neurons(best.network(), 0);
  const Network smaller = without_small_neurons(best.network(), kSmall);
  const double objective = judge.objective(smaller);
  if (smaller.neurons() < exact.neurons() && objective <= best.objective()) return best.replace(smaller, objective);
  best.replace(exact, judge.objective(exact));
}

}  // namespace

const std::vector<std::string>& baseline_names() {
  static const std::vector<std::string> names = {"gd-std", "gd-fgsm", "gd-pgd"};
  return names;
}

BaselineResult train_baseline(const MatrixView& X, const VectorView& y, const VectorView& weights,
                              const BaselineSettings& given, const BaselineCallback& progress) {
  const LossPointer loss = make_loss(given.loss, given.loss_settings);
  check_data(X, y, weights, loss->is_margin_loss());
  check_settings(given, X.cols());
  const ThreadCount threads(given.threads);
  const Samples samples = make_samples(X, y, weights, *loss);
  const BaselineSettings settings = completed(given, samples.size(), X.cols());
  const Matrix rows = samples.points.transpose();
  const Judge judge(rows, samples.y, samples.loss_weights, *loss, settings.beta, settings.threat);

  Best best;
  BaselineResult result;
  const Network zero{Matrix(0, X.cols()), Vector(0), Vector(0)};
  best.offer(zero, judge);
  bool all_flat = true;
  for (int restart = 1; restart <= settings.restarts; ++restart) {
    const auto go_on = [&](int epoch) {
      const BaselineProgress news{restart, settings.restarts, epoch, settings.epochs, best.objective(), best.seconds()};
      if (progress && !progress(news)) result.stop = Stop::cancelled;
      if (result.stop != Stop::cancelled && best.seconds() > settings.time_limit) result.stop = Stop::time_limit;
      return result.stop == Stop::iteration_limit;
    };
    Descent descent(samples, *loss, judge, settings, Random(settings.seed, static_cast<std::uint64_t>(restart)));
    result.epochs += descent.run(best, go_on);
    all_flat = all_flat && descent.flat();
    if (result.stop != Stop::iteration_limit) break;
  }
  if (result.stop == Stop::iteration_limit && all_flat) result.stop = Stop::converged;
  simplify(judge, best);
  result.network = best.network();
  result.objective = best.objective();
  result.certified_objective = std::max(result.objective, judge.certified(result.network));
  result.seconds = best.seconds();
  result.seconds_to_one_percent = best.seconds_to_within(0.01);
  result.settings = settings;
  return result;
}

}  // namespace conelu
