#include "baselines/optimizer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <stdexcept>

#include "conelu/baseline.hpp"

namespace conelu {
namespace baselines {
namespace {

using Weights = Eigen::Map<Eigen::ArrayXd>;
using ConstWeights = Eigen::Map<const Eigen::ArrayXd>;

/// hidden, hidden_bias and output one after the other, as flat arrays.
template <class Action>
void for_each_layer(const Network& gradient, Network& network, Action&& action) {
  const auto pair = [&](const auto& g, auto& w) {
    action(ConstWeights(g.data(), g.size()), Weights(w.data(), w.size()));
  };
  pair(gradient.hidden, network.hidden);
  pair(gradient.hidden_bias, network.hidden_bias);
  pair(gradient.output, network.output);
}

Index weight_count(const Network& network) { return network.hidden.size() + 2 * network.neurons(); }

class Adam final : public Optimizer {
 public:
  explicit Adam(const Network& network)
      : mean_(Eigen::ArrayXd::Zero(weight_count(network))), square_(Eigen::ArrayXd::Zero(weight_count(network))) {}

  void step(double rate, const Network& gradient, Network& network) override {
    constexpr double kMean = 0.9;
    constexpr double kSquare = 0.999;
    constexpr double kTiny = 1e-12;  // keeps 0 / 0 away; gradients of a small beta are small, too
    ++steps_;
    const double mean_share = 1 - std::pow(kMean, steps_);
    const double square_share = 1 - std::pow(kSquare, steps_);
    Index first = 0;
    for_each_layer(gradient, network, [&](const ConstWeights& g, Weights w) {
      auto mean = mean_.segment(first, g.size());
      auto square = square_.segment(first, g.size());
      first += g.size();
      mean = kMean * mean + (1 - kMean) * g;
      square = kSquare * square + (1 - kSquare) * g.square();
      w -= rate / mean_share * mean / ((square / square_share).sqrt() + kTiny);
    });
  }

 private:
  Eigen::ArrayXd mean_, square_;
  int steps_ = 0;
};

class Sgd final : public Optimizer {
 public:
  Sgd(const Network& network, double scale) : velocity_(Eigen::ArrayXd::Zero(weight_count(network))), scale_(scale) {}

  void step(double rate, const Network& gradient, Network& network) override {
    constexpr double kMomentum = 0.9;
    Index first = 0;
    for_each_layer(gradient, network, [&](const ConstWeights& g, Weights w) {
      auto velocity = velocity_.segment(first, g.size());
      first += g.size();
      velocity = kMomentum * velocity + g / scale_;
      w -= rate * (g / scale_ + kMomentum * velocity);
    });
  }

 private:
  Eigen::ArrayXd velocity_;
  double scale_;
};

struct NamedOptimizer {
  const char* name;
  double rate;
  std::unique_ptr<Optimizer> (*make)(const Network&, double scale);
};

constexpr NamedOptimizer kOptimizers[] = {
    {"adam", 0.008, [](const Network& w, double) -> std::unique_ptr<Optimizer> { return std::make_unique<Adam>(w); }},
    {"sgd", 0.05, [](const Network& w, double c) -> std::unique_ptr<Optimizer> { return std::make_unique<Sgd>(w, c); }},
};

const NamedOptimizer& find_optimizer(const std::string& name) {
  for (const NamedOptimizer& optimizer : kOptimizers) {
    if (name == optimizer.name) return optimizer;
  }
  throw std::invalid_argument(
      fmt::format("optimizer: unknown name '{}', expected one of {}", name, fmt::join(optimizer_names(), ", ")));
}

}  // namespace

std::unique_ptr<Optimizer> make_optimizer(const std::string& name, const Network& network, double scale) {
  return find_optimizer(name).make(network, scale);
}

double usual_rate(const std::string& name, Index inputs) {
  return find_optimizer(name).rate / std::sqrt(static_cast<double>(inputs + 1));
}

}  // namespace baselines

const std::vector<std::string>& optimizer_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& optimizer : baselines::kOptimizers) list.emplace_back(optimizer.name);
    return list;
  }();
  return names;
}

}  // namespace conelu
