#pragma once

#include <chrono>
#include <limits>
#include <utility>
#include <vector>

#include "baselines/judge.hpp"

namespace conelu::baselines {

/// The best network that was seen, and how the objective fell until it was.
class Best {
 public:
  /// Keeps the network if it has a smaller objective than all before. Returns its objective.
  double offer(const Network& network, const Judge& judge) {
    const double before = seconds();
    const double objective = judge.objective(network);
    judging_ += seconds() - before;
    if (!(objective < objective_)) return objective;
    network_ = network;
    objective_ = objective;
    falls_.emplace_back(seconds() - judging_, objective);
    return objective;
  }

  /// The best one in another form.
  void replace(Network network, double objective) {
    network_ = std::move(network);
    objective_ = objective;
  }

  const Network& network() const { return network_; }
  double objective() const { return objective_; }

  /// Since it was made.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  /// Until the objective was first within that share of the smallest, not counting the time of the judge: descent does
  /// not need him.
  double seconds_to_within(double share) const {
    for (const auto& [when, objective] : falls_) {
      if (objective <= objective_ * (1 + share)) return when;
    }
    return seconds() - judging_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point start_ = Clock::now();
  double judging_ = 0;  // seconds
  Network network_;
  double objective_ = std::numeric_limits<double>::infinity();
  std::vector<std::pair<double, double>> falls_;
};

}  // namespace conelu::baselines
