#include <gtest/gtest.h>

#include "conelu/synthetic.hpp"
#include "conelu/train.hpp"
#include "conelu/verify.hpp"
#include "conelu/worst_case.hpp"

// Training in rounds, from outside: what is promised holds for the network, and rounds only help.
namespace conelu {
namespace {

TrainSettings gated_settings(const std::string& method, Norm norm = Norm::infinity) {
  TrainSettings settings;
  settings.method = method;
  settings.norm = norm;
  settings.eps = {0.1};
  settings.beta = 1e-3;
  settings.request.count = 6;
  return settings;
}

class GatedTraining : public testing::TestWithParam<std::tuple<std::string, Norm, std::string>> {
 protected:
  TrainSettings settings() const {
    TrainSettings settings = gated_settings(std::get<0>(GetParam()), std::get<1>(GetParam()));
    settings.loss = std::get<2>(GetParam());
    return settings;
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, GatedTraining,
                         testing::Combine(testing::Values("gated", "hybrid", "separate"),  // `auto` is one of these
                                          testing::Values(Norm::infinity, Norm::two, Norm::one),
                                          testing::Values("hinge", "logistic", "squared")),
                         [](const auto& test) {
                           return std::get<0>(test.param) + "_l" + to_string(std::get<1>(test.param)) + "_" +
                                  std::get<2>(test.param);
                         });

// The exact worst case of every sample, by branch and bound, gives a training objective that is never above the
// certified one.
TEST_P(GatedTraining, PromisesNoLessThanTheExactWorstCase) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Dataset data = plane_dataset(30, seed);
    const TrainResult result = train(data, settings());
    const RunRecord& record = result.model.training;
    const LossPointer loss = make_loss(settings().loss);
    VerifySettings exactly;
    exactly.threat = make_threat(settings(), 2);
    exactly.threat.radii.conservativeResize(2);  // no bias
    exactly.exact = true;
    if (!loss->is_margin_loss()) exactly.task = Task::regression;
    const Network& network = result.model.network();
    const std::vector<Verification> rows = verify(network, data.X, data.y, exactly);
    double sum = 0;
    for (Index k = 0; k < data.samples(); ++k) {
      const Verification& row = rows[static_cast<std::size_t>(k)];
      const double y = data.y(k);
      sum += loss->is_margin_loss() ? loss->value(y * row.upper, y) : loss->value(y + row.lower, y);
    }
    if (loss->is_averaged()) sum /= static_cast<double>(data.samples());
    const double exact = sum + network.penalty(settings().beta.value());
    EXPECT_LE(exact, record.network_objective * (1 + 1e-9)) << "seed " << seed;
    EXPECT_LE(record.network_objective, record.objective * (1 + 1e-12)) << "seed " << seed;
    EXPECT_LE(record.lower_bound, record.objective) << "seed " << seed;
  }
}

TEST_P(GatedTraining, NeverGetsWorseWithMoreRounds) {
  const Dataset data = plane_dataset(40, 7);
  double before = INFINITY;
  for (const int rounds : {1, 2, 3, 5}) {
    TrainSettings more = settings();
    more.rounds = rounds;
    const RunRecord record = train(data, more).model.training;
    EXPECT_LE(record.rounds, rounds);
    EXPECT_LE(record.objective, before);
    before = record.objective;
  }
}

TEST(TrainingInRounds, IsNeverWorseThanTheConesThatItMayStartFrom) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Dataset data = plane_dataset(40, seed);
    TrainSettings constrained = gated_settings("reduced");
    TrainSettings free = gated_settings("auto");
    EXPECT_LE(train(data, free).model.training.objective,
              train(data, constrained).model.training.objective * (1 + 1e-6));
  }
}

// `separate` prices blocks one by one, so that a solution with large blocks that cancel each other looks worse to it
// than it is.
TEST(TrainingInRounds, ReturnsTheConstrainedSolutionIfNoGatesImproveIt) {
  bool returned = false;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Dataset data = plane_dataset(60, seed);
    TrainSettings settings = gated_settings("separate");
    settings.beta = 1e-5;
    settings.request.count = 40;
    settings.solver.max_iterations = 30;
    const RunRecord free = train(data, settings).model.training;
    settings.method = to_string(choose_method(data.samples(), 3, free.patterns));
    const RunRecord constrained = train(data, settings).model.training;
    EXPECT_LE(free.objective, constrained.objective * (1 + 1e-6)) << "seed " << seed;
    returned = returned || free.method == constrained.method;
  }
  EXPECT_TRUE(returned) << "the test is about problems on which separate does worse";
}

TEST(TrainingInRounds, TakesPatternsAsTheyAreGiven) {
  const Dataset data = plane_dataset(20, 2);
  TrainSettings settings = gated_settings("hybrid");
  settings.patterns = "gaussian";
  const RunRecord record = train(data, settings).model.training;
  EXPECT_EQ(record.rounds, 1);
  EXPECT_EQ(record.method, "hybrid");
  EXPECT_EQ(record.live_patterns, record.patterns) << "no pattern is dead";
  EXPECT_EQ(record.status, "optimal");
  settings.method = "reduced";
  EXPECT_LE(record.objective, train(data, settings).model.training.objective * (1 + 1e-6));
}

TEST(TrainingInRounds, KeepsTheRoundThatValidatesBest) {
  const Dataset data = plane_dataset(40, 3);
  TrainSettings settings = gated_settings("hybrid");
  settings.beta = 1e-6;  // overfits
  const auto validation = std::make_shared<Dataset>(plane_dataset(200, 4));
  const auto certified = [&](const TrainResult& result) {
    Index right = 0;
    const Matrix bounds = output_bounds(result.model.network(), validation->X, make_threat(settings, 2));
    for (Index k = 0; k < validation->samples(); ++k) {
      right += validation->y(k) > 0 ? bounds(k, 0) >= 0 : bounds(k, 1) < 0;
    }
    return right;
  };
  const Index blind = certified(train(data, settings));
  settings.validation = validation;
  EXPECT_GE(certified(train(data, settings)), blind);
}

// Four rows cannot tell rounds apart by how many of them are right. Rounds are the same however many follow.
TEST(TrainingInRounds, KeepsTheRoundWithTheLeastLossAmongEquallyGoodOnes) {
  bool lowest_objective_lost = false;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Dataset data = plane_dataset(30, seed);
    const auto validation = std::make_shared<Dataset>(plane_dataset(4, seed + 50));
    TrainSettings settings = gated_settings("hybrid");
    settings.beta = 1e-6;
    const auto judged = [&](const TrainResult& result) {
      const Matrix bounds = output_bounds(result.model.network(), validation->X, make_threat(settings, 2));
      int right = 0;
      double loss = 0;
      for (Index k = 0; k < validation->samples(); ++k) {
        const double margin = validation->y(k) > 0 ? bounds(k, 0) : -bounds(k, 1);
        right += validation->y(k) > 0 ? margin >= 0 : margin > 0;
        loss += std::max(0.0, 1 - margin);
      }
      return std::pair(right, -loss);
    };
    std::vector<std::pair<int, double>> rounds;
    for (int count = 1; count <= 4; ++count) {
      settings.rounds = count;
      rounds.push_back(judged(train(data, settings)));
    }
    settings.validation = validation;
    const TrainResult chosen = train(data, settings);
    const auto mark = judged(chosen);
    for (const auto& round : rounds) {
      EXPECT_GE(mark.first, round.first) << "seed " << seed;
      if (mark.first == round.first) {
        EXPECT_GE(mark.second, round.second - 1e-9) << "seed " << seed;
      }
    }
    if (mark.first == rounds.back().first) {
      EXPECT_LT(chosen.model.training.relative_gap, 0.5) << "a start that nobody has solved for, seed " << seed;
      lowest_objective_lost = lowest_objective_lost || mark.second > rounds.back().second + 1e-6;
    }
  }
  EXPECT_TRUE(lowest_objective_lost) << "the test is about rounds after the one that is best elsewhere";
}

TEST(TrainingInRounds, IsAutomaticOnlyAgainstAnAttacker) {
  TrainSettings settings = gated_settings("auto");
  EXPECT_EQ(train(plane_dataset(20, 1), settings).model.training.method, "hybrid");
  settings.eps.clear();
  EXPECT_EQ(train(plane_dataset(20, 1), settings).model.training.method, "cones");
}

TEST(TrainingInRounds, RefusesRoundsAndValidationElsewhere) {
  TrainSettings settings = gated_settings("cones");
  settings.rounds = 2;
  settings.patterns = "gaussian";
  EXPECT_THROW(train(plane_dataset(20, 1), settings), std::invalid_argument);
  settings.rounds = 1;
  EXPECT_NO_THROW(train(plane_dataset(20, 1), settings));
  settings.rounds.reset();
  settings.patterns.clear();
  settings.validation = std::make_shared<Dataset>(plane_dataset(20, 2));
  EXPECT_THROW(train(plane_dataset(20, 1), settings), std::invalid_argument);
}

TEST(TrainingInRounds, LeavesTheBestNetworkWhenStopped) {
  int calls = 0;
  const TrainResult result =
      train(plane_dataset(40, 5), gated_settings("hybrid"), [&](const Progress&) { return ++calls < 30; });
  EXPECT_EQ(result.model.training.stop, "cancelled");
  EXPECT_LE(result.model.training.objective, 1.0);
}

TEST(TrainingInRounds, TrainsSeveralClasses) {
  Dataset data = plane_dataset(45, 6);
  data.classes = {"a", "b", "c"};
  for (Index k = 0; k < data.samples(); ++k) data.y(k) = static_cast<double>(k % 3);
  TrainSettings settings = gated_settings("hybrid");
  settings.validation = std::make_shared<Dataset>(data);
  settings.rounds = 1;
  EXPECT_EQ(train(data, settings).model.networks.size(), 3U);
}

}  // namespace
}  // namespace conelu
