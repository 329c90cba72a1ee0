#include "baselines/descent.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "baselines/balance.hpp"
#include "baselines/schedule.hpp"
#include "baselines/start.hpp"

namespace conelu::baselines {
namespace {

/// How often a run is looked at. Under a threat a look costs as much as a few epochs.
constexpr int kLooks = 100;

int attack_steps(const BaselineSettings& settings) {
  return settings.method == "gd-std" ? 0 : settings.method == "gd-fgsm" ? 1 : settings.attack_steps;
}

}  // namespace

Descent::Descent(const Samples& samples, const Loss& loss, const Judge& judge, const BaselineSettings& settings,
                 Random random)
    : samples_(samples),
      judge_(judge),
      settings_(settings),
      random_(random),
      coordinates_(samples, settings.bias),
      adversary_(settings.threat, target_of(loss), attack_steps(settings)),
      gradient_(loss, adversary_, settings.beta, settings.bias),
      network_(random_start(samples, coordinates_, settings.neurons, settings.bias, random_)),
      optimizer_(make_optimizer(settings.optimizer, network_, samples.loss_weights.sum())),
      rate_(settings.learning_rate * std::sqrt(target_size(samples.y))),
      order_(static_cast<std::size_t>(samples.size())) {
  std::iota(order_.begin(), order_.end(), Index{0});
  if (settings.batch >= samples.size()) everything_ = samples.slices(order_, 1.0);
}

int Descent::run(Best& best, const Watch& go_on) {
  const int interval = std::max(1, settings_.epochs / kLooks);
  for (int epoch = 1; epoch <= settings_.epochs; ++epoch) {
    run_epoch(epoch);
    const bool last = epoch == settings_.epochs || !go_on(epoch);
    if (last || epoch % interval == 0) look(best);
    flat_ = !last && epoch % interval == 0 && is_flat();
    if (last || flat_) return epoch;
  }
  return settings_.epochs;
}

void Descent::run_epoch(int epoch) {
  const auto progress = [&](double share) { return (epoch - 1 + share) / settings_.epochs; };
  if (!everything_.empty()) return step(everything_, progress(0));
  shuffle();
  const Index n = samples_.size();
  const Index batches = (n + settings_.batch - 1) / settings_.batch;
  for (Index b = 0; b < batches; ++b) {
    const std::vector<Index> rows(order_.begin() + b * n / batches, order_.begin() + (b + 1) * n / batches);
    // A batch stands for all rows.
    const double share = static_cast<double>(n) / static_cast<double>(rows.size());
    step(samples_.slices(rows, share), progress(static_cast<double>(b) / static_cast<double>(batches)));
  }
}

void Descent::shuffle() {
  for (Index k = samples_.size() - 1; k > 0; --k) {
    std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(random_.below(k + 1))]);
  }
}

void Descent::step(const std::vector<Slice>& slices, double progress) {
  gradient_.compute(network_, slices);
  Network direction = gradient_.weights();
  coordinates_.enter_gradient(direction);
  coordinates_.enter(network_);
  optimizer_->step(rate_ * schedule_factor(settings_.schedule, progress), direction, network_);
  coordinates_.leave(network_);
}

void Descent::look(Best& best) {
  balance(network_);
  const double objective = best.offer(network_, judge_);
  smallest_.push_back(smallest_.empty() ? objective : std::min(objective, smallest_.back()));
  if (std::isfinite(objective)) return;
  // Diverged: from the start once more, with smaller steps.
  rate_ /= 4;
  network_ = random_start(samples_, coordinates_, settings_.neurons, settings_.bias, random_);
  optimizer_ = make_optimizer(settings_.optimizer, network_, samples_.loss_weights.sum());
}

bool Descent::is_flat() const {
  constexpr std::size_t kWindow = kLooks / 10;
  if (settings_.flat == 0 || smallest_.size() <= kWindow) return false;
  const double before = smallest_[smallest_.size() - 1 - kWindow];
  return before - smallest_.back() < settings_.flat * before;
}

}  // namespace conelu::baselines
