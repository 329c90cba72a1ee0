#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include "conelu/read_data.hpp"
#include "conelu/train.hpp"
#include "data/temporary_files.hpp"

namespace conelu {
namespace {

/// Three clusters of radius 1 around points at a distance of 6 from each other.
Dataset clusters(Index each = 5, unsigned seed = 1) {
  const Matrix centres{{0, 3.4641016151377544}, {3, -1.7320508075688772}, {-3, -1.7320508075688772}};
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> angle(0, 6.283185307179586);
  std::uniform_real_distribution<double> radius(0, 1);
  Dataset data;
  data.X.resize(3 * each, 2);
  data.y.resize(3 * each);
  for (Index k = 0; k < 3 * each; ++k) {
    const double phi = angle(random);
    const double r = radius(random);
    data.X.row(k) = centres.row(k % 3) + r * Eigen::RowVector2d(std::cos(phi), std::sin(phi));
    data.y(k) = static_cast<double>(k % 3);
  }
  data.classes = {"north", "south east", "south west"};
  return data;
}

/// What a user would do without the library's help.
Dataset relabelled_by_hand(const Dataset& data, double positive) {
  Dataset binary = data;
  binary.classes = {"rest", "this"};
  for (double& y : binary.y) y = y == positive ? 1 : -1;
  return binary;
}

TrainSettings settings_for(const std::string& loss = "hinge") {
  TrainSettings settings;
  settings.loss = loss;
  settings.beta = 1e-2;
  settings.request.seed = 5;
  return settings;
}

void expect_same(const Network& a, const Network& b) {
  EXPECT_EQ(a.hidden, b.hidden);
  EXPECT_EQ(a.hidden_bias, b.hidden_bias);
  EXPECT_EQ(a.output, b.output);
  EXPECT_EQ(a.output_bias, b.output_bias);
}

double total_objective(const TrainResult& result) {
  double sum = 0;
  for (const Solution& solution : result.solutions) sum += solution.certificate.objective;
  return sum;
}

// ---- what is trained

/// Ways of training in which classes could get into each other's way.
std::vector<TrainSettings> ways_to_train() {
  std::vector<TrainSettings> ways;
  for (const std::string& loss : loss_names()) ways.push_back(settings_for(loss));
  ways.push_back(settings_for());
  ways.back().standardize = true;
  ways.back().patterns = "gaussian";
  ways.back().request.count = 12;
  ways.push_back(settings_for());
  ways.back().eps = {0.3};  // patterns from `gaps`, which look at the labels
  ways.push_back(settings_for());
  ways.back().bias = false;
  ways.back().reduce = true;
  return ways;
}

TEST(OneAgainstRest, IsTheBinaryTrainingOfEveryClassBitForBit) {
  Dataset data = clusters();
  data.weights = Vector::Constant(data.samples(), 2);
  data.weights(4) = 0;
  data.weights(7) = 0.5;
  for (const TrainSettings& settings : ways_to_train()) {
    const TrainResult all = train(data, settings);
    ASSERT_EQ(all.model.networks.size(), 3U);
    ASSERT_EQ(all.solutions.size(), 3U);
    for (std::size_t k = 0; k < 3; ++k) {
      const TrainResult one = train(relabelled_by_hand(data, static_cast<double>(k)), settings);
      expect_same(all.model.networks[k], one.model.network());
      EXPECT_EQ(all.solutions[k].certificate.lower_bound, one.solution().certificate.lower_bound);
      EXPECT_EQ(all.model.class_trainings[k].objective, one.model.training.objective);
      EXPECT_EQ(all.model.class_trainings[k].train_accuracy, one.model.training.train_accuracy);
      EXPECT_EQ(all.model.preprocessing.scale, one.model.preprocessing.scale);
    }
  }
}

TEST(OneAgainstRest, TellsSeparatedClustersApart) {
  const Dataset fresh = clusters(100, 2);
  for (const std::string& loss : loss_names()) {
    const TrainResult result = train(clusters(), settings_for(loss));
    EXPECT_EQ(result.model.training.train_accuracy, 1.0) << loss;
    EXPECT_EQ(accuracy(result.model, fresh), 1.0) << loss;
    EXPECT_EQ(result.model.training.status, "optimal") << loss;
    EXPECT_EQ(result.model.training.scope, "network") << loss;
    EXPECT_EQ(result.model.task, Task::classification) << loss;
    EXPECT_EQ(result.model.classes, fresh.classes) << loss;
  }
}

// Another name may come earlier in the order of the classes, and nothing else may change.
TEST(OneAgainstRest, DoesNotDependOnTheNamesOfTheClasses) {
  const Dataset data = clusters();
  Dataset renamed = data;
  for (double& y : renamed.y) y = std::fmod(y + 1, 3);
  TrainSettings settings = settings_for();
  settings.eps = {0.2};
  settings.request.count = 15;
  const Model before = train(data, settings).model;
  const Model after = train(renamed, settings).model;
  for (std::size_t k = 0; k < 3; ++k) expect_same(before.networks[k], after.networks[(k + 1) % 3]);
}

TEST(OneAgainstRest, DoesNotDependOnTheOrderOfTheRows) {
  const Dataset data = clusters(4);
  std::vector<Index> rows;
  for (Index k = 0; k < data.samples(); ++k) rows.push_back(k * 5 % data.samples());
  TrainSettings settings = settings_for();
  settings.solver.tolerance = 1e-9;
  const TrainResult before = train(data, settings);
  const TrainResult after = train(select_rows(data, rows), settings);
  EXPECT_NEAR(total_objective(before), total_objective(after), 1e-8 * total_objective(before));
  const Matrix X = clusters(30, 3).X;
  EXPECT_EQ(before.model.predicted_classes(before.model.scores(X)),
            after.model.predicted_classes(after.model.scores(X)));
}

// ---- the record

// mean hinge loss + beta/2 (|hidden|^2 + |hidden_bias|^2 + |output|^2) of each network, written out.
TEST(OneAgainstRest, RecordsTheSumOfTheNetworksObjectives) {
  const Dataset data = clusters();
  const TrainSettings settings = settings_for();
  const Model model = train(data, settings).model;
  double sum = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const Network& network = model.networks[c];
    for (Index k = 0; k < data.samples(); ++k) {
      double f = 0;
      for (Index j = 0; j < network.neurons(); ++j) {
        f += network.output(j) * std::max(0.0, network.hidden.row(j).dot(data.X.row(k)) + network.hidden_bias(j));
      }
      const double label = data.y(k) == static_cast<double>(c) ? 1 : -1;
      sum += std::max(0.0, 1 - label * f) / static_cast<double>(data.samples());
    }
    sum += settings.beta.value() / 2 *
           (network.hidden.squaredNorm() + network.hidden_bias.squaredNorm() + network.output.squaredNorm());
  }
  EXPECT_NEAR(model.training.network_objective, sum, 1e-12 * sum);
  EXPECT_NEAR(model.training.objective, sum, 1e-9 * sum);
  EXPECT_LE(model.training.lower_bound, sum);
  EXPECT_LE(model.training.relative_gap, settings.solver.tolerance);
}

TEST(OneAgainstRest, AddsUpTheRecordsOfTheClasses) {
  TrainSettings settings = settings_for();
  settings.patterns = "gaussian";
  settings.request.count = 10;
  const TrainResult result = train(clusters(), settings);
  const RunRecord& sum = result.model.training;
  double objective = 0, bound = 0;
  std::int64_t neurons = 0, iterations = 0, patterns = 0;
  for (const RunRecord& record : result.model.class_trainings) {
    EXPECT_FALSE(record.networks);
    objective += record.objective;
    bound += record.lower_bound;
    neurons += record.neurons;
    iterations += record.iterations;
    patterns += record.patterns;
  }
  EXPECT_DOUBLE_EQ(sum.objective, objective);
  EXPECT_DOUBLE_EQ(sum.lower_bound, bound);
  EXPECT_NEAR(sum.relative_gap, (objective - bound) / objective, 1e-12);
  EXPECT_EQ(sum.neurons, neurons);
  EXPECT_EQ(sum.iterations, iterations);
  EXPECT_EQ(sum.patterns, patterns);
  EXPECT_EQ(sum.networks, 3);
  EXPECT_EQ(sum.n, 15);
  EXPECT_EQ(sum.scope, "program");
  EXPECT_GT(sum.seconds, 0);
}

TEST(OneAgainstRest, SaysOnceWhatHoldsForAllClasses) {
  const TrainResult result = train(clusters(), settings_for());
  EXPECT_EQ(result.notes.front(), "classes: 3, a network for each against the rest");
  int complete = 0;
  for (const std::string& note : result.notes) complete += note.find("complete") != std::string::npos;
  EXPECT_EQ(complete, 1);
}

TEST(OneAgainstRest, HasAProbabilityForEachClass) {
  const Dataset data = clusters();
  const Model model = train(data, settings_for("logistic")).model;
  const Matrix p = model.probabilities(model.scores(data.X));
  for (Index k = 0; k < data.samples(); ++k) {
    EXPECT_NEAR(p.row(k).sum(), 1, 1e-14);
    EXPECT_GT(p(k, static_cast<Index>(data.y(k))), 0.5);
  }
}

// ---- stopping

TEST(OneAgainstRest, GivesANetworkForEveryClassWhenStopped) {
  int calls = 0;
  const TrainResult result = train(clusters(), settings_for(), [&](const Progress& progress) {
    EXPECT_EQ(progress.networks, 3);
    return ++calls < 3;
  });
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(result.model.networks.size(), 3U);
  EXPECT_EQ(result.model.training.stop, "cancelled");
  EXPECT_LE(result.model.training.lower_bound, result.model.training.objective);
  for (const Solution& solution : result.solutions) EXPECT_EQ(solution.stop, Stop::cancelled);
}

TEST(OneAgainstRest, ReportsWhichClassIsBeingTrained) {
  std::vector<int> seen;
  train(clusters(), settings_for(), [&](const Progress& progress) {
    if (seen.empty() || seen.back() != progress.network) seen.push_back(progress.network);
    return true;
  });
  EXPECT_EQ(seen, (std::vector<int>{1, 2, 3}));
}

TEST(OneAgainstRest, SharesTheTimeLimit) {
  TrainSettings settings = settings_for();
  settings.solver.time_limit = 0;
  const TrainResult result = train(clusters(), settings);
  EXPECT_EQ(result.model.training.stop, "time_limit");
  EXPECT_EQ(result.model.networks.size(), 3U);
}

// ---- what does not fit

TEST(OneAgainstRest, RefusesClassNumbersThatDoNotFit) {
  for (const double wrong : {-1.0, 3.0, 0.5, std::nan("")}) {
    Dataset data = clusters();
    data.y(2) = wrong;
    expect_refusal([&] { train(data, settings_for()); }, {"sample 2", "0 to 2"});
  }
  Dataset data = clusters();
  data.y.conservativeResize(7);
  expect_refusal([&] { train(data, settings_for()); }, {"15 samples", "7 targets"});
  TrainSettings settings = settings_for();
  settings.solver.time_limit = -1;
  expect_refusal([&] { train(clusters(), settings); }, {"time_limit", "-1"});
}

TEST(OneAgainstRest, HasNoSingleSolution) {
  expect_refusal([] { train(clusters(), settings_for()).solution(); }, {"3 networks"});
}

// ---- real data

// Six grades of red wine, of which the most frequent makes up 42.6 %. By hand, grade 7 against the rest is the same
// network as the one among six.
TEST(OneAgainstRest, GradesWine) {
  const std::string path = std::string(CONELU_SHARED_DIR) + "/data/winequality_red/winequality-red.csv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  const auto [training, test] = split(read_dataset(path), 0.25, 1);
  ASSERT_EQ(training.classes, (std::vector<std::string>{"3", "4", "5", "6", "7", "8"}));
  TrainSettings settings = settings_for();
  settings.beta = 1e-3;
  settings.standardize = true;
  settings.patterns = "gaussian";
  settings.all_active = true;
  settings.request.count = 6;
  settings.solver.tolerance = 1e-4;
  const TrainResult result = train(training, settings);
  EXPECT_EQ(result.model.training.status, "optimal");
  EXPECT_GT(accuracy(result.model, test), 0.5);
  expect_same(result.model.networks[4], train(relabelled_by_hand(training, 4), settings).model.network());
}

}  // namespace
}  // namespace conelu
