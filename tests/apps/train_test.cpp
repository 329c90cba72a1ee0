#include "conelu/train.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "conelu/synthetic.hpp"

namespace conelu {
namespace {

TrainSettings precise(const std::string& loss = "hinge") {
  TrainSettings settings;
  settings.loss = loss;
  settings.beta = 1e-2;
  settings.solver.tolerance = 1e-8;
  return settings;
}

TEST(Train, ChoosesAllPatternsWhereThatIsCheapAndSaysSo) {
  const Dataset data = plane_dataset(12, 1);
  const TrainResult result = train(data, precise());
  EXPECT_EQ(result.model.training.pattern_source, "all");
  EXPECT_EQ(result.model.training.scope, "network");
  EXPECT_EQ(result.model.training.status, "optimal");
  ASSERT_FALSE(result.notes.empty());
  EXPECT_NE(result.notes[0].find("all"), std::string::npos);
  EXPECT_EQ(choose_pattern_source(with_bias(Matrix::Random(200, 3))), "priced");
}

// The program with all patterns holds every sampled one.
TEST(Train, IsNeverBetterWithSampledPatterns) {
  const Dataset data = plane_dataset(14, 2);
  const double best = train(data, precise()).model.training.objective;
  TrainSettings sampled = precise();
  sampled.patterns = "gaussian";
  sampled.request.count = 20;
  EXPECT_GE(train(data, sampled).model.training.objective, best * (1 - 1e-8));
}

TEST(Train, RecoversANetworkWithTheObjectiveOfTheProgram) {
  for (const std::string& loss : loss_names()) {
    const RunRecord record = train(plane_dataset(12, 3), precise(loss)).model.training;
    EXPECT_NEAR(record.network_objective, record.objective, 1e-9 * record.objective) << loss;
  }
}

TEST(Train, SolvesDataOfOneClass) {
  Dataset data = plane_dataset(6, 4);
  data.y.setOnes();
  const TrainResult result = train(data, precise());
  EXPECT_EQ(result.model.training.status, "optimal");
  EXPECT_EQ(result.model.training.train_accuracy, 1.0);
}

TEST(Train, AddsTheAllActivePatternOnlyWhereItChooses) {
  Dataset data;
  data.X = Matrix::Random(60, 6);
  data.y = data.X.col(0).array().sign();
  TrainSettings settings = precise();
  settings.method = "reduced";  // samples its patterns
  settings.request.count = 1;
  settings.solver.max_iterations = 5;
  // With one pattern, the all-active one or not, the difference is a linear model or half of one.
  const double chosen = train(data, settings).model.training.objective;
  settings.all_active = false;
  const double without = train(data, settings).model.training.objective;
  settings.all_active.reset();
  settings.patterns = "gaussian";
  const double named = train(data, settings).model.training.objective;
  EXPECT_NE(chosen, without);
  EXPECT_EQ(without, named);
}

TEST(Train, ReportsProgressAndStopsWhenToldTo) {
  int calls = 0;
  const TrainResult result = train(plane_dataset(20, 5), precise(), [&](const Progress& progress) {
    EXPECT_LE(progress.lower_bound, progress.objective);
    return ++calls < 3;
  });
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(result.solution().stop, Stop::cancelled);
  EXPECT_TRUE(result.model.network().hidden.allFinite());
  EXPECT_LE(result.model.training.lower_bound, result.model.training.objective);
}

TEST(Train, ReducesToOneNeuronMoreThanSamples) {
  TrainSettings settings = precise();
  const Dataset data = plane_dataset(10, 6);
  const double before = train(data, settings).model.training.objective;
  settings.reduce = true;
  const RunRecord after = train(data, settings).model.training;
  EXPECT_LE(after.neurons, 11);
  EXPECT_NEAR(after.objective, before, 1e-8 * before);
}

TEST(Train, RefusesWhatDoesNotFit) {
  Dataset data = plane_dataset(6, 7);
  TrainSettings settings = precise();
  settings.loss = "hing";
  EXPECT_THROW(train(data, settings), std::invalid_argument);
  settings = precise();
  settings.beta = -1;
  EXPECT_THROW(train(data, settings), std::invalid_argument);
  settings = precise();
  settings.solver.tolerance = std::nan("");
  EXPECT_THROW(train(data, settings), std::invalid_argument);
  data.y(2) = 0;
  EXPECT_THROW(train(data, precise()), std::invalid_argument);
  data.weights = Vector::Zero(6);
  EXPECT_THROW(train(data, precise()), std::invalid_argument);
  EXPECT_THROW(train(Dataset(), precise()), std::invalid_argument);
}

// A row of weight 2 is the row twice, to the last bit and in any order.
TEST(Train, DoesNotTellWeightsFromRepetitions) {
  const Dataset data = plane_dataset(12, 5);
  Dataset weighted = data;
  weighted.weights = Vector::Ones(12);
  weighted.weights(3) = 2;
  weighted.weights(7) = 0;
  const Dataset repeated = select_rows(data, {11, 3, 0, 1, 2, 4, 5, 6, 8, 9, 10, 3});
  const RunRecord a = train(weighted, precise()).model.training;
  const RunRecord b = train(repeated, precise()).model.training;
  EXPECT_EQ(a.objective, b.objective);
  EXPECT_EQ(a.lower_bound, b.lower_bound);
  EXPECT_EQ(a.n, 11);
  EXPECT_EQ(b.n, 12);
}

TEST(Train, StartsFromATrailAndProvesTheSame) {
  const Dataset data = plane_dataset(14, 6);
  Trail trail;
  train(data, precise(), trail);
  TrainSettings next = precise();
  *next.beta *= 0.9;
  const RunRecord cold = train(data, next).model.training;
  const RunRecord warm = train(data, next, trail).model.training;
  EXPECT_EQ(warm.status, "optimal");
  EXPECT_NEAR(warm.objective, cold.objective, 2e-8 * cold.objective);
  EXPECT_LT(warm.iterations, cold.iterations);
}

}  // namespace
}  // namespace conelu
