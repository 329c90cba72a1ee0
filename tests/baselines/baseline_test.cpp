#include "conelu/baseline.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "conelu/attack.hpp"
#include "conelu/synthetic.hpp"
#include "problems/problems.hpp"

namespace conelu {
namespace {

BaselineSettings quick(const std::string& method = "gd-std") {
  BaselineSettings settings;
  settings.method = method;
  settings.beta = 1e-2;
  settings.neurons = 40;
  settings.epochs = 200;
  settings.threat = Threat::uniform(Norm::infinity, 0.2, 2, false);
  return settings;
}

BaselineResult descend(const Dataset& data, const BaselineSettings& settings, const BaselineCallback& progress = {}) {
  return train_baseline(data.X, data.y, data.weights, settings, progress);
}

bool same(const Network& a, const Network& b) {
  return a.hidden == b.hidden && a.hidden_bias == b.hidden_bias && a.output == b.output;
}

// With all patterns convex training proves a bound for networks of any width. Descent must not get below, and should
// get near.
class EveryBaselineLoss : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryBaselineLoss, testing::ValuesIn(loss_names()),
                         [](const auto& test) { return problems::test_name(test.param); });

TEST_P(EveryBaselineLoss, ComesNearTheProvenBoundAndNeverBelow) {
  for (const bool bias : {true, false}) {
    const Dataset data = plane_dataset(24, 3);
    TrainSettings convex;
    convex.loss = GetParam();
    convex.beta = make_loss(GetParam())->is_averaged() ? 1e-2 : 0.2;
    convex.bias = bias;
    convex.patterns = "all";
    const RunRecord proof = train(data, convex).model.training;
    ASSERT_EQ(proof.scope, "network");
    ASSERT_EQ(proof.status, "optimal");
    BaselineSettings settings;
    settings.method = "gd-std";
    settings.neurons = 60;
    settings.epochs = 12000;
    const BaselineModel trained = train_baseline(data, convex, settings);
    EXPECT_GE(trained.objective(), proof.lower_bound);
    EXPECT_LE(trained.objective(), proof.objective * 1.02);
    EXPECT_EQ(trained.model.training.network_objective, trained.objective());
  }
}

// The objective is that of the network that is returned, by the attack that it is named after.
TEST(Baseline, ReportsTheObjectiveOfItsNetworkUnderAttack) {
  const Dataset data = plane_dataset(90, 2);
  for (const std::string& method : baseline_names()) {
    const BaselineSettings settings = quick(method);
    const BaselineResult result = descend(data, settings);
    AttackSettings attacker;
    if (method != "gd-std") attacker.threat = settings.threat;
    const auto objective = [&](const std::string& name) {
      const Vector f = attack(name, result.network, data.X, data.y, attacker).outputs;
      return (1 - data.y.array() * f.array()).max(0).mean() + result.network.penalty(settings.beta);
    };
    EXPECT_NEAR(result.objective, objective("pgd"), 1e-12) << method;
    EXPECT_GE(result.certified_objective, objective("strong") - 1e-12) << method;
    EXPECT_LT(result.objective, 0.9) << method;
    EXPECT_LE(result.seconds_to_one_percent, result.seconds) << method;
    EXPECT_EQ(result.epochs, 200) << method;
    EXPECT_EQ(result.stop, Stop::iteration_limit) << method;
  }
}

TEST(Baseline, IsMoreRobustIfTrainedAgainstAttacks) {
  const Dataset data = plane_dataset(120, 4);
  AttackSettings attacker;
  attacker.threat = quick().threat;
  const auto attacked = [&](const std::string& method) {
    const Network network = descend(data, quick(method)).network;
    const Vector f = attack("strong", network, data.X, data.y, attacker).outputs;
    return (1 - data.y.array() * f.array()).max(0).mean();
  };
  const double standard = attacked("gd-std");
  EXPECT_LT(attacked("gd-fgsm"), standard);
  EXPECT_LT(attacked("gd-pgd"), standard);
}

TEST(Baseline, BalancesItsNeurons) {
  const Network network = descend(plane_dataset(30, 1), quick()).network;
  ASSERT_GT(network.neurons(), 0);
  for (Index j = 0; j < network.neurons(); ++j) {
    const double inner = std::hypot(network.hidden.row(j).norm(), network.hidden_bias(j));
    EXPECT_NEAR(inner, std::abs(network.output(j)), 1e-9 * inner);
    EXPECT_GT(inner, 0);
  }
}

TEST(Baseline, DependsOnTheSeedAndNotOnTheThreads) {
  const Dataset data = plane_dataset(200, 5);
  for (const Index batch : {Index{50}, Index{150}, Index{200}}) {  // one slice, several, all rows
    BaselineSettings settings = quick("gd-pgd");
    settings.batch = batch;
    settings.epochs = 100;
    settings.seed = 3;
    settings.threads = 1;
    const BaselineResult one = descend(data, settings);
    ASSERT_GT(one.network.neurons(), 0);
    for (const int threads : {1, 2, 5}) {
      settings.threads = threads;
      const BaselineResult again = descend(data, settings);
      EXPECT_TRUE(same(again.network, one.network)) << batch << " rows, " << threads << " threads";
      EXPECT_EQ(again.objective, one.objective);
      EXPECT_EQ(again.certified_objective, one.certified_objective);
    }
    settings.seed = 4;
    EXPECT_FALSE(same(descend(data, settings).network, one.network));
  }
}

TEST(Baseline, IsNeverWorseWithMoreRestarts) {
  const Dataset data = plane_dataset(40, 6);
  BaselineSettings settings = quick();
  settings.neurons = 3;  // few enough to get stuck
  settings.beta = 1e-3;
  settings.epochs = 500;
  int better = 0;
  for (settings.seed = 0; settings.seed < 5; ++settings.seed) {
    settings.restarts = 1;
    const double once = descend(data, settings).objective;
    settings.restarts = 3;
    const BaselineResult often = descend(data, settings);
    EXPECT_LE(often.objective, once);
    EXPECT_EQ(often.epochs, 1500);
    better += often.objective < once ? 1 : 0;
  }
  EXPECT_GT(better, 0);
}

TEST(Baseline, EveryOptimizerScheduleAndNormLowersTheObjective) {
  const Dataset data = plane_dataset(60, 7);
  for (const std::string& optimizer : optimizer_names()) {
    for (const std::string& schedule : schedule_names()) {
      for (const Norm norm : {Norm::infinity, Norm::two, Norm::one}) {
        BaselineSettings settings = quick("gd-pgd");
        settings.optimizer = optimizer;
        settings.schedule = schedule;
        settings.threat.norm = norm;
        EXPECT_LT(descend(data, settings).objective, 0.8) << optimizer << " " << schedule << " " << to_string(norm);
      }
    }
  }
}

// Weight 2 is the row twice, weight 0 is no row: the reported objective is that of the data written out.
TEST(Baseline, WeighsSamples) {
  Dataset data = plane_dataset(20, 8);
  data.weights = Vector::Ones(20);
  data.weights(0) = 2;
  data.weights(1) = 0;
  std::vector<Index> rows = {0, 0};
  for (Index k = 2; k < 20; ++k) rows.push_back(k);
  for (const std::string& loss : loss_names()) {
    BaselineSettings settings = quick();
    settings.loss = loss;
    const BaselineResult result = descend(data, settings);
    const Dataset written = select_rows(data, rows);
    const LossPointer phi = make_loss(loss);
    const Vector f = result.network.predict(written.X);
    double sum = 0;
    for (Index k = 0; k < 20; ++k) sum += phi->value(f(k), written.y(k)) / (phi->is_averaged() ? 20.0 : 1.0);
    EXPECT_NEAR(result.objective, sum + result.network.penalty(settings.beta), 1e-12 * (1 + sum)) << loss;
  }
}

// A penalty that no neuron is worth: the zero network, whose hinge loss is 1.
TEST(Baseline, ReturnsTheZeroNetworkIfNothingIsBetter) {
  BaselineSettings settings = quick("gd-pgd");
  settings.beta = 100;
  const BaselineResult result = descend(plane_dataset(20, 9), settings);
  EXPECT_NEAR(result.objective, 1, 1e-9);
  EXPECT_EQ(result.network.neurons(), 0);
  EXPECT_EQ(result.network.inputs(), 2);
}

// A learning rate at which everything overflows is lowered until something comes of it.
TEST(Baseline, RecoversFromDivergence) {
  Dataset data = plane_dataset(40, 10);
  data.y *= 1000;
  BaselineSettings settings = quick();
  settings.loss = "squared";
  settings.optimizer = "sgd";
  settings.learning_rate = 1000;
  settings.epochs = 2000;
  const BaselineResult result = descend(data, settings);
  EXPECT_TRUE(result.network.hidden.allFinite());
  EXPECT_LT(result.objective, 0.9 * 0.5 * 40 * 1e6);  // of the zero network
}

TEST(Baseline, StopsWhenFlatOutOfTimeOrToldTo) {
  const Dataset data = plane_dataset(30, 11);
  BaselineSettings settings = quick("gd-pgd");
  settings.epochs = 20000;
  settings.flat = 1e-3;
  const BaselineResult flat = descend(data, settings);
  EXPECT_EQ(flat.stop, Stop::converged);
  EXPECT_LT(flat.epochs, 20000);

  settings.flat = 0;
  settings.time_limit = 0;
  const BaselineResult late = descend(data, settings);
  EXPECT_EQ(late.stop, Stop::time_limit);
  EXPECT_EQ(late.epochs, 1);

  settings.time_limit = 1e9;
  settings.restarts = 3;
  int calls = 0;
  double objective = INFINITY;
  const BaselineResult cancelled = descend(data, settings, [&](const BaselineProgress& news) {
    EXPECT_EQ(news.restart, 1);
    EXPECT_EQ(news.epoch, calls + 1);
    EXPECT_EQ(news.epochs, 20000);
    EXPECT_LE(news.objective, objective);
    objective = news.objective;
    return ++calls < 300;
  });
  EXPECT_EQ(cancelled.stop, Stop::cancelled);
  EXPECT_EQ(cancelled.epochs, 300);
  EXPECT_LE(cancelled.objective, objective);
  EXPECT_LT(cancelled.objective, 1);
}

TEST(Baseline, ChoosesWhatIsLeftOpenAndSaysSo) {
  BaselineSettings settings = quick();
  settings.time_limit = 0;
  settings.epochs = 0;
  const auto chosen = [&](Index n) { return descend(plane_dataset(n, 1), settings).settings; };
  EXPECT_EQ(chosen(20).batch, 32);
  EXPECT_EQ(chosen(20).epochs, 30000);
  EXPECT_EQ(chosen(600).batch, 60);
  EXPECT_EQ(chosen(600).epochs, 3000);
  EXPECT_EQ(chosen(5000).batch, 256);
  EXPECT_GT(chosen(20).learning_rate, 0);
}

// Models like those of train(), with nothing where a proof would be.
TEST(Baseline, MakesAModelOfADataset) {
  Dataset data = plane_dataset(60, 12);
  data.X.col(1) = data.X.col(1) * 50 + Vector::Constant(60, 300);
  TrainSettings problem;
  problem.eps = {0.1, 5};
  problem.eps_units = EpsUnits::raw;
  problem.norm = Norm::two;
  problem.standardize = true;
  problem.beta = 1e-3;
  BaselineSettings settings = quick("gd-pgd");
  settings.seed = 8;
  const BaselineModel trained = train_baseline(data, problem, settings);
  const RunRecord& record = trained.model.training;
  EXPECT_TRUE(std::isnan(record.objective) && std::isnan(record.lower_bound) && std::isnan(record.relative_gap));
  EXPECT_EQ(record.status, "");
  EXPECT_EQ(record.scope, "");
  EXPECT_EQ(record.method, "gd-pgd");
  EXPECT_EQ(record.norm, "2");
  EXPECT_EQ(record.seed, 8u);
  EXPECT_EQ(record.iterations, 200);
  EXPECT_GE(record.network_objective, trained.objective());
  EXPECT_GT(*record.train_accuracy, 0.8);
  const Threat threat = make_threat(problem, 2, trained.model.preprocessing);
  ASSERT_TRUE(record.eps_per_feature);
  EXPECT_EQ((*record.eps_per_feature)[1], threat.radii(1));

  AttackSettings attacker;
  attacker.threat = {Norm::two, threat.radii.head(2)};
  const Matrix X = trained.model.preprocessing.apply(data.X);
  const Vector f = attack("pgd", trained.model.network(), X, data.y, attacker).outputs;
  EXPECT_NEAR(trained.objective(),
              (1 - data.y.array() * f.array()).max(0).mean() + trained.model.network().penalty(1e-3), 1e-12);

  const std::string json = to_json(trained);
  for (const char* part : {"attacked_objective", "network_objective", "seconds_to_one_percent", "learning_rate"}) {
    EXPECT_NE(json.find(part), std::string::npos) << part;
  }
  for (const char* part : {"lower_bound", "relative_gap", "status", "scope", "patterns", "\"objective\"", "null"}) {
    EXPECT_EQ(json.find(part), std::string::npos) << part;
  }
}

// The k-th network is what class k against the rest gives.
TEST(Baseline, TrainsSeveralClassesOneByOne) {
  Dataset data = plane_dataset(45, 13);
  data.classes = {"a", "b", "c"};
  for (Index k = 0; k < 45; ++k) data.y(k) = data.X(k, 0) < -0.5 ? 0 : data.X(k, 1) > 0 ? 1 : 2;
  TrainSettings problem;
  problem.beta = 1e-3;
  const BaselineModel trained = train_baseline(data, problem, quick());
  ASSERT_EQ(trained.results.size(), 3u);
  double sum = 0;
  for (Index k = 0; k < 3; ++k) {
    const BaselineModel part = train_baseline(one_against_rest(data, k), problem, quick());
    EXPECT_TRUE(same(part.model.network(), trained.model.networks[static_cast<std::size_t>(k)]));
    sum += part.objective();
  }
  EXPECT_NEAR(trained.objective(), sum, 1e-12);
  EXPECT_EQ(trained.model.training.networks, 3);
  EXPECT_TRUE(std::isnan(trained.model.training.lower_bound));
  EXPECT_EQ(trained.model.training.status, "");
  EXPECT_GT(*trained.model.training.train_accuracy, 0.9);
}

TEST(Baseline, RefusesWhatDoesNotFit) {
  const Dataset data = plane_dataset(6, 1);
  const auto expect_refusal = [&](const std::string& part,
                                  const std::function<void(Dataset&, BaselineSettings&)>& spoil) {
    Dataset bad = data;
    BaselineSettings settings = quick("gd-pgd");
    spoil(bad, settings);
    try {
      descend(bad, settings);
      ADD_FAILURE() << "accepted: " << part;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  expect_refusal("method: unknown name 'gd'", [](Dataset&, BaselineSettings& s) { s.method = "gd"; });
  expect_refusal("hing", [](Dataset&, BaselineSettings& s) { s.loss = "hing"; });
  expect_refusal("optimizer: unknown name", [](Dataset&, BaselineSettings& s) { s.optimizer = "lbfgs"; });
  expect_refusal("schedule: unknown name", [](Dataset&, BaselineSettings& s) { s.schedule = "up"; });
  expect_refusal("beta: is -1", [](Dataset&, BaselineSettings& s) { s.beta = -1; });
  expect_refusal("beta: is nan", [](Dataset&, BaselineSettings& s) { s.beta = std::nan(""); });
  expect_refusal("neurons: is 0", [](Dataset&, BaselineSettings& s) { s.neurons = 0; });
  expect_refusal("learning_rate: is nan", [](Dataset&, BaselineSettings& s) { s.learning_rate = std::nan(""); });
  expect_refusal("batch: is -1", [](Dataset&, BaselineSettings& s) { s.batch = -1; });
  expect_refusal("epochs: is -5", [](Dataset&, BaselineSettings& s) { s.epochs = -5; });
  expect_refusal("attack_steps: is 0", [](Dataset&, BaselineSettings& s) { s.attack_steps = 0; });
  expect_refusal("restarts: is 0", [](Dataset&, BaselineSettings& s) { s.restarts = 0; });
  expect_refusal("flat: is 2", [](Dataset&, BaselineSettings& s) { s.flat = 2; });
  expect_refusal("threat: has 3 radii", [](Dataset&, BaselineSettings& s) { s.threat.radii = Vector::Ones(3); });
  expect_refusal("threat: has a radius", [](Dataset&, BaselineSettings& s) { s.threat.radii(1) = -1; });
  expect_refusal("X: is 0 x 2", [](Dataset& d, BaselineSettings&) { d.X.resize(0, 2); });
  expect_refusal("X: row 3", [](Dataset& d, BaselineSettings&) { d.X(3, 1) = INFINITY; });
  expect_refusal("y: has 5 targets", [](Dataset& d, BaselineSettings&) { d.y.conservativeResize(5); });
  expect_refusal("y: the target of row 2", [](Dataset& d, BaselineSettings&) { d.y(2) = 0; });
  expect_refusal("weights: has 2", [](Dataset& d, BaselineSettings&) { d.weights = Vector::Ones(2); });
  expect_refusal("weights: the weight of row 0", [](Dataset& d, BaselineSettings&) { d.weights = -Vector::Ones(6); });
  expect_refusal("weights: all are 0", [](Dataset& d, BaselineSettings&) { d.weights = Vector::Zero(6); });
}

}  // namespace
}  // namespace conelu
