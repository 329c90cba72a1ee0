#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "conelu/train.hpp"
#include "problems/problems.hpp"

namespace conelu {
namespace {

Dataset random_data(bool labels, std::uint64_t seed) {
  const problems::Points points = problems::random_points(40, 3, false, labels, seed);
  Dataset data;
  data.X = points.X;
  data.y = points.y;
  if (labels) data.classes = {"no", "yes"};
  return data;
}

class EveryLossPath : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryLossPath, testing::ValuesIn(loss_names()),
                         [](const auto& test) { return problems::test_name(test.param); });

// Patterns of one call are those of another with the same seed, so each point of the path has an optimum to compare
// with.
TEST_P(EveryLossPath, HasTheOptimaOfSeparateRunsInTheOrderAskedFor) {
  TrainSettings settings;
  settings.loss = GetParam();
  settings.patterns = "gaussian";
  settings.request.count = 15;
  const Dataset data = random_data(make_loss(settings.loss)->is_margin_loss(), 3);
  const std::vector<double> betas = {0.05, 0.1, 0.09, 0.002, 0.04};
  const std::vector<TrainResult> path = train_path(data, settings, betas);
  ASSERT_EQ(path.size(), betas.size());
  for (std::size_t k = 0; k < betas.size(); ++k) {
    settings.beta = betas[k];
    const RunRecord& alone = train(data, settings).model.training;
    const RunRecord& record = path[k].model.training;
    EXPECT_EQ(record.beta, betas[k]);
    EXPECT_EQ(record.status, "optimal") << betas[k];
    EXPECT_LE(record.lower_bound, alone.objective) << betas[k];
    EXPECT_GE(record.objective, alone.lower_bound) << betas[k];
  }
}

// Same patterns everywhere: optima rise with beta and with the radius.
TEST_P(EveryLossPath, RisesWithBetaAndWithTheRadius) {
  TrainSettings settings;
  settings.loss = GetParam();
  settings.request.count = 8;
  const Dataset data = random_data(make_loss(settings.loss)->is_margin_loss(), 4);
  const std::vector<double> betas = {0.01, 0.013, 0.02};
  const std::vector<std::vector<double>> eps = {{}, {0.02}, {0.02, 0.05, 0.02}};
  const std::vector<TrainResult> path = train_path(data, settings, betas, eps);
  ASSERT_EQ(path.size(), 9U);
  for (std::size_t i = 0; i < 9; ++i) {
    const RunRecord& record = path[i].model.training;
    EXPECT_EQ(record.status, "optimal") << i;
    EXPECT_EQ(record.patterns, path[0].model.training.patterns);
    if (i % 3 > 0) {
      EXPECT_GE(record.objective, path[i - 1].model.training.lower_bound) << i;
    }
    if (i >= 3) {
      EXPECT_GE(record.objective, path[i - 3].model.training.lower_bound) << i;
    }
  }
  EXPECT_EQ(path[3].model.training.eps, 0.02);
  EXPECT_EQ(path[8].model.training.eps, 0.05);
}

// On one fixed program with neighbouring values of beta; speed itself is not tested.
TEST(Path, TakesFewerIterationsThanSeparateRuns) {
  TrainSettings settings;
  settings.patterns = "gaussian";
  settings.request.count = 15;
  const Dataset data = random_data(true, 5);
  std::vector<double> betas;
  for (int i = 0; i < 6; ++i) betas.push_back(0.01 * std::pow(1.2, -i));
  std::int64_t together = 0;
  std::int64_t separate = 0;
  for (const TrainResult& result : train_path(data, settings, betas)) together += result.model.training.iterations;
  for (const double beta : betas) {
    settings.beta = beta;
    separate += train(data, settings).model.training.iterations;
  }
  EXPECT_LT(together, separate);
}

TEST(Path, KeepsWhatIsFinishedWhenItIsStopped) {
  TrainSettings settings;
  settings.patterns = "gaussian";
  settings.request.count = 10;
  int iterations = 0;
  const std::vector<TrainResult> path =
      train_path(random_data(true, 6), settings, {0.001, 0.1, 0.01}, {}, [&](const Progress& progress) {
        if (progress.iteration == 0) ++iterations;
        return iterations < 3;
      });
  ASSERT_EQ(path.size(), 3U);
  EXPECT_EQ(path[1].model.training.stop, "converged");
  EXPECT_EQ(path[2].model.training.stop, "converged");
  EXPECT_EQ(path[0].model.training.stop, "cancelled");
}

TEST(Path, RestoresTheUnitsOfTheTargetOfWhatIsFinished) {
  TrainSettings settings;
  settings.loss = "squared";
  settings.scale_target = true;
  settings.patterns = "gaussian";
  settings.request.count = 10;
  int runs = 0;
  const std::vector<TrainResult> path =
      train_path(random_data(false, 6), settings, {0.1, 1e-3, 1e-5}, {}, [&](const Progress& progress) {
        if (progress.iteration == 0) ++runs;
        return runs < 2;
      });
  EXPECT_EQ(path[0].model.training.stop, "converged");
  EXPECT_EQ(path[1].model.training.stop, "cancelled");
  EXPECT_TRUE(path[2].model.networks.empty());
}

TEST(Path, StartsASmallerRadiusWhereALargerOneEnded) {
  TrainSettings settings;
  settings.patterns = "gaps";
  settings.request.count = 20;
  const std::vector<std::vector<double>> radii = {{0.09}, {0.1}, {0.095}, {0.01}};
  const std::vector<TrainResult> path = train_path(random_data(true, 8), settings, {1e-3}, radii);
  const auto record = [&](std::size_t i) { return path[i].model.training; };
  EXPECT_LT(record(2).iterations, record(1).iterations);
  EXPECT_LT(record(0).iterations, record(1).iterations);
  EXPECT_LT(record(3).objective, record(0).objective);
  EXPECT_LE(record(0).objective, record(2).objective);
  EXPECT_LE(record(2).objective, record(1).objective);
}

TEST(Path, TrainsSeveralClassesPointByPoint) {
  Dataset data = random_data(false, 7);
  data.classes = {"a", "b", "c"};
  for (Index k = 0; k < data.samples(); ++k) data.y(k) = static_cast<double>(k % 3);
  TrainSettings settings;
  settings.patterns = "gaussian";
  settings.request.count = 6;
  const std::vector<TrainResult> path = train_path(data, settings, {0.1, 0.01});
  ASSERT_EQ(path.size(), 2U);
  for (const TrainResult& result : path) EXPECT_EQ(result.model.networks.size(), 3U);
  EXPECT_GT(path[0].model.training.objective, path[1].model.training.objective);
}

TEST(Path, NamesWhatDoesNotFit) {
  const Dataset data = random_data(true, 8);
  const auto message = [&](const std::vector<double>& betas, const std::vector<std::vector<double>>& eps) {
    try {
      train_path(data, {}, betas, eps);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message({}, {}).find("betas"), std::string::npos);
  EXPECT_NE(message({0.1, -1.0}, {}).find("beta"), std::string::npos);
  EXPECT_NE(message({0.1}, {{0.1}, {0.1, 0.2}}).find("eps"), std::string::npos);
  EXPECT_NE(message({0.1}, {{0.1}, {-0.1}}).find("eps"), std::string::npos);
}

}  // namespace
}  // namespace conelu
