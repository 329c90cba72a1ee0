#include "conelu/cross_validation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "conelu/synthetic.hpp"
#include "data/temporary_files.hpp"

namespace conelu {
namespace {

CrossValidationSettings small_grid() {
  CrossValidationSettings settings;
  settings.training.standardize = true;
  settings.betas = {1e-3, 1e-1};
  settings.eps = {{}, {0.1}};
  settings.folds = 3;
  settings.seed = 5;
  return settings;
}

// By hand: train on two thirds, score on the last.
TEST(CrossValidation, ScoresWhatTrainGivesOnRowsThatItDidNotSee) {
  const Dataset data = plane_dataset(30, 1);
  const CrossValidationSettings settings = small_grid();
  const CrossValidation result = cross_validate(data, settings);
  ASSERT_EQ(result.grid.size(), 4U);
  EXPECT_EQ(result.n, 30);
  const auto folds = make_folds(data, settings.folds, settings.seed);
  for (std::size_t i = 0; i < 4; ++i) {
    const GridPoint& point = result.grid[i];
    EXPECT_EQ(point.beta, settings.betas[i % 2]);
    EXPECT_EQ(point.eps, settings.eps[i / 2]);
    ASSERT_EQ(point.folds.size(), 3U);
    for (std::size_t f = 0; f < folds.size(); ++f) {
      const auto [train_rows, test_rows] = split_off(data, folds[f]);
      TrainSettings training = settings.training;
      training.beta = point.beta;
      training.eps = point.eps;
      training.rounds = 1;  // along a grid patterns stay as they are
      const TrainResult trained = train(train_rows, training);
      const FoldScore& score = point.folds[f];
      EXPECT_NEAR(score.objective, trained.model.training.objective, 2e-6 * score.objective);
      EXPECT_LE(score.relative_gap, 1e-6);
      EXPECT_NEAR(score.clean, accuracy(trained.model, test_rows), 0.101) << "at most one row on the boundary differs";
      EXPECT_LE(score.certified, score.pgd);
      EXPECT_LE(score.pgd, score.clean);
      if (!point.robust()) {
        EXPECT_EQ(score.certified, score.clean);
      }
    }
  }
}

TEST(CrossValidation, MarksTheBestBetaOfEveryRadius) {
  const Dataset data = plane_dataset(30, 1);
  CrossValidationSettings settings = small_grid();
  settings.betas = {1e-3, 30, 100};  // the last two give the zero network, which says the same to all rows
  const CrossValidation result = cross_validate(data, settings);
  for (std::size_t i = 0; i < 2; ++i) {
    const GridPoint& small = result.grid[3 * i];
    const GridPoint& large = result.grid[3 * i + 1];
    const auto field = i == 0 ? &FoldScore::clean : &FoldScore::certified;
    ASSERT_GT(small.spread(field).mean, large.spread(field).mean);
    EXPECT_TRUE(small.best);
    EXPECT_FALSE(large.best);
    EXPECT_FALSE(result.grid[3 * i + 2].best);
  }
  settings.betas = {30, 100};
  const CrossValidation tie = cross_validate(data, settings);
  EXPECT_FALSE(tie.grid[0].best);
  EXPECT_TRUE(tie.grid[1].best) << "of equal ones the larger beta";
}

// 1, 2, 6: mean 3, sum of squares 14, deviation sqrt(14 / 2).
TEST(CrossValidation, KnowsMeansAndDeviations) {
  GridPoint point;
  for (const double value : {1.0, 2.0, 6.0}) point.folds.emplace_back().objective = value;
  EXPECT_DOUBLE_EQ(point.spread(&FoldScore::objective).mean, 3);
  EXPECT_DOUBLE_EQ(point.spread(&FoldScore::objective).deviation, std::sqrt(7.0));
  EXPECT_TRUE(std::isnan(GridPoint().spread(&FoldScore::clean).mean));
  point.folds.resize(1);
  EXPECT_EQ(point.spread(&FoldScore::objective).mean, 1);
  EXPECT_TRUE(std::isnan(point.spread(&FoldScore::objective).deviation));
}

// y = 1000 + x, far from 0: errors of a good fit are small in units of y, whatever the folds are.
TEST(CrossValidation, HasErrorsOfRegressionsInTheUnitsOfTheTarget) {
  Dataset data;
  data.X = Vector::LinSpaced(24, -1, 1);
  data.y = data.X.col(0).array() + 1000;
  data.features = {"x"};
  CrossValidationSettings settings;
  settings.training.loss = "squared";
  settings.training.scale_target = true;
  settings.betas = {1e-3, 10};
  settings.eps = {{0.05}};
  const CrossValidation result = cross_validate(data, settings);
  EXPECT_EQ(result.task, Task::regression);
  EXPECT_TRUE(result.grid[0].best);
  EXPECT_LT(result.grid[0].spread(&FoldScore::certified).mean, result.grid[1].spread(&FoldScore::certified).mean);
  for (const FoldScore& score : result.grid[0].folds) {
    EXPECT_LT(score.clean, 0.05);
    EXPECT_GE(score.pgd, score.clean);
    EXPECT_GE(score.certified, score.pgd);
    EXPECT_LE(std::pow(score.absolute_error.value(), 2), score.clean * (1 + 1e-12)) << "Jensen";
  }
}

TEST(CrossValidation, KeepsFinishedFoldsWhenItIsStopped) {
  const Dataset data = plane_dataset(24, 1);
  CrossValidationSettings settings = small_grid();
  const CrossValidation result =
      cross_validate(data, settings, [](const CrossValidationProgress& news) { return news.fold < 2; });
  EXPECT_FALSE(result.finished);
  for (const GridPoint& point : result.grid) {
    EXPECT_EQ(point.folds.size(), 1U);
    EXPECT_FALSE(point.best);
  }
  const nlohmann::json object = nlohmann::json::parse(to_json(result));
  EXPECT_EQ(object.at("finished"), false);
  EXPECT_TRUE(object.at("grid").at(0).at("clean").at("deviation").is_null()) << "of one fold it is not known";
  EXPECT_EQ(to_table(result).find("nan"), std::string::npos) << to_table(result);
}

TEST(CrossValidation, CountsUpToAllNetworks) {
  std::size_t last = 0;
  CrossValidationSettings settings = small_grid();
  cross_validate(plane_dataset(24, 1), settings, [&](const CrossValidationProgress& news) {
    EXPECT_GE(news.finished, last);
    EXPECT_EQ(news.networks, 12U);
    last = news.finished;
    return true;
  });
  EXPECT_EQ(last, 11U) << "the last one is not announced before it is done";
}

TEST(CrossValidation, NamesWhatDoesNotFit) {
  const Dataset data = plane_dataset(12, 1);
  const auto refuses = [](const Dataset& rows, const CrossValidationSettings& settings,
                          const std::vector<std::string>& parts) {
    expect_refusal([&] { cross_validate(rows, settings); }, parts);
  };
  CrossValidationSettings settings;
  settings.betas.clear();
  refuses(data, settings, {"betas"});
  settings = {};
  settings.folds = 1;
  refuses(data, settings, {"folds", "1"});
  settings.folds = 13;
  refuses(data, settings, {"folds", "13", "12"});
  settings = {};
  settings.training.patterns = "p.npy";
  refuses(data, settings, {"patterns", "file"});
  Dataset rare = data;
  rare.y.setConstant(-1);
  rare.y(3) = 1;
  rare.classes = {"no", "yes"};
  refuses(rare, {}, {"class yes has 1 row"});
}

}  // namespace
}  // namespace conelu
