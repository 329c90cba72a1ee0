#pragma once

#include "conelu/evaluation.hpp"
#include "evaluate/attack_problems.hpp"
#include "evaluate/brute_force.hpp"

namespace conelu::test {

/// Random networks as a model that says it was trained with this loss, random rows, and an attacker.
struct EvaluationProblem {
  Model model;
  Dataset data;
  EvaluationSettings settings;

  /// One network, or one for each of more than two classes; rows are in the plane, so that BruteForce can judge.
  EvaluationProblem(Norm norm, const std::string& loss, Index classes, std::uint64_t seed) {
    Random random(seed, 90);
    constexpr Index kRows = 8;
    const bool regression = classes == 0;
    model.task = regression ? Task::regression : Task::classification;
    for (Index c = 0; c < classes; ++c) model.classes.push_back(std::string(1, static_cast<char>('a' + c)));
    model.features = {"u", "v"};
    for (Index c = 0; c < (classes > 2 ? classes : 1); ++c) {
      model.networks.push_back(random_network(static_cast<Index>(1 + seed % 6), 2, random));
    }
    model.training.loss = loss;
    model.training.beta = 0.01;
    data.X = Matrix::NullaryExpr(kRows, 2, [&] { return random.normal(); });
    data.classes = model.classes;
    data.features = model.features;
    data.y = Vector::NullaryExpr(kRows, [&] { return random.normal(); });
    if (classes == 2) data.y = (data.y.array() >= 0).select(Vector::Ones(kRows), -1.0);
    if (classes > 2) data.y = Vector::NullaryExpr(kRows, [&] { return static_cast<double>(random.below(classes)); });
    if (seed % 3 == 1) data.weights = Vector::NullaryExpr(kRows, [&] { return static_cast<double>(random.below(3)); });
    if (seed % 3 == 1) data.weights(0) = 2;
    settings.threat = {norm, Vector::NullaryExpr(2, [&] { return 0.05 + 0.6 * random.uniform(); })};
    if (seed % 4 == 2) settings.threat.radii(1) = 0;
    if (seed % 5 == 3) {
      settings.lower = Vector::Constant(2, -0.8);
      settings.upper = Vector::Constant(2, 1.1);
    }
    settings.seed = seed;
    settings.restarts = 2;
    settings.radius = false;
    settings.threads = 1;  // small as they are, sharing them out costs more than it saves
  }

  double weight(Index k) const { return data.weights.size() > 0 ? data.weights(k) : 1.0; }
  double total_weight() const {
    return data.weights.size() > 0 ? data.weights.sum() : static_cast<double>(data.y.size());
  }

  VerifySettings verify_settings() const {
    VerifySettings result;
    result.threat = settings.threat;
    result.lower = settings.lower;
    result.upper = settings.upper;
    return result;
  }

  /// The exact minimum of side * f around row k.
  double lowest(const Network& network, Index k, double side) const {
    return BruteForce(network, data.X.row(k).transpose(), verify_settings()).lowest(side);
  }

  /// The exact minimum around row k of the margin by which it is classified right.
  double smallest_margin(Index k) const {
    if (model.networks.size() == 1) return lowest(model.networks[0], k, data.y(k));
    const auto label = static_cast<std::size_t>(data.y(k));
    double smallest = INFINITY;
    for (std::size_t c = 0; c < model.networks.size(); ++c) {
      if (c != label) smallest = std::min(smallest, lowest(minus(model.networks[label], model.networks[c]), k, 1));
    }
    return smallest;
  }

  double largest_error(const Network& network, Index k, double y) const {
    return std::max(std::abs(lowest(network, k, 1) - y), std::abs(-lowest(network, k, -1) - y));
  }

  static Network minus(const Network& f, const Network& g) {
    Network result;
    result.hidden.resize(f.neurons() + g.neurons(), f.inputs());
    result.hidden << f.hidden, g.hidden;
    result.hidden_bias.resize(result.hidden.rows());
    result.hidden_bias << f.hidden_bias, g.hidden_bias;
    result.output.resize(result.hidden.rows());
    result.output << f.output, -g.output;
    result.output_bias = f.output_bias - g.output_bias;
    return result;
  }
};

/// The order of the columns, whatever the task.
inline void expect_order(const Evaluation& e, const std::string& what) {
  const auto worse = [&](const std::optional<double>& a, const std::optional<double>& b, const char* names) {
    ASSERT_TRUE(a && b) << what << ": " << names;
    const bool holds = e.task == Task::classification ? *a <= *b : *a >= *b;
    EXPECT_TRUE(holds) << what << ": " << names << ", " << *a << " and " << *b;
  };
  worse(e.fgsm, e.clean, "fgsm, clean");
  worse(e.pgd, e.clean, "pgd, clean");
  worse(e.strong, e.fgsm, "strong, fgsm");
  worse(e.strong, e.pgd, "strong, pgd");
  const bool classifies = e.task == Task::classification;
  worse(classifies ? e.verified_upper : e.verified_lower, e.strong, "verified, strong");
  worse(e.certified_bound, classifies ? e.verified_lower : e.verified_upper, "certified_bound, verified");
  EXPECT_LE(*e.verified_lower, *e.verified_upper) << what;
  if (e.objective) {
    EXPECT_LE(*e.objective_lower, *e.objective) << what;
  }
}

}  // namespace conelu::test
