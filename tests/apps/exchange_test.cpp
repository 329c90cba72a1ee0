#include <gtest/gtest.h>

#include "conelu/synthetic.hpp"
#include "conelu/train.hpp"
#include "data/temporary_files.hpp"

// Patterns that are left to choose are exchanged at the solution of their program. From outside: objectives fall and
// never rise, what is certified is certified of the last program, and whoever names patterns gets these.
namespace conelu {
namespace {

TrainSettings exchanging(int rounds) {
  TrainSettings settings;
  settings.beta = 1e-3;
  settings.eps = {0.05};
  settings.request.count = 12;
  settings.rounds = rounds;
  return settings;
}

RunRecord record_of(const Dataset& data, const TrainSettings& settings) { return train(data, settings).model.training; }

TEST(Exchange, NeverRaisesTheObjectiveAndOftenLowersIt) {
  int lower = 0, asked = 0;
  for (const std::string method : {"cones", "reduced"}) {
    for (const std::string& norm : norm_names()) {
      for (const std::string& loss : loss_names()) {
        for (std::uint64_t seed = 1; seed <= 2; ++seed) {
          const Dataset data = plane_dataset(30, seed);
          TrainSettings settings = exchanging(1);
          settings.method = method;
          settings.norm = make_norm(norm);
          settings.loss = loss;
          settings.request.seed = seed;
          double last = record_of(data, settings).objective;
          for (const int rounds : {2, 4}) {
            settings.rounds = rounds;
            const RunRecord record = record_of(data, settings);
            const std::string what = method + ", " + norm + ", " + loss;
            EXPECT_LE(record.objective, last) << what;
            EXPECT_LE(record.lower_bound, record.objective) << what;
            EXPECT_LE(record.network_objective, record.objective) << what;
            EXPECT_LE(record.rounds, rounds) << what;
            EXPECT_LE(record.patterns, 12) << what;
            lower += record.objective < 0.999 * last ? 1 : 0;
            ++asked;
            last = record.objective;
          }
        }
      }
    }
  }
  EXPECT_GT(3 * lower, asked);
}

TEST(Exchange, IsTheDefaultUnderAnAttack) {
  const Dataset data = plane_dataset(30, 1);
  TrainSettings settings = exchanging(2);
  const RunRecord twice = record_of(data, settings);
  settings.rounds.reset();
  const RunRecord usual = record_of(data, settings);
  EXPECT_EQ(usual.objective, twice.objective);
  EXPECT_EQ(usual.rounds, 2);
}

// Without the all-active pattern, which a choice of patterns by name does not add, the first program would be another.
TEST(Exchange, LeavesPatternsAloneThatWereAskedFor) {
  const Dataset data = plane_dataset(30, 1);
  TrainSettings settings = exchanging(1);
  settings.method = "cones";
  settings.all_active = true;
  const RunRecord once = record_of(data, settings);
  settings.rounds.reset();
  EXPECT_LT(record_of(data, settings).objective, once.objective);
  settings.patterns = "gaps";
  const RunRecord named = record_of(data, settings);
  EXPECT_EQ(named.objective, once.objective);
  EXPECT_EQ(named.rounds, 1);
  settings.rounds = 2;
  expect_refusal([&] { train(data, settings); }, {"rounds", "cones"});
  settings = exchanging(2);
  settings.eps.clear();
  expect_refusal([&] { train(data, settings); }, {"rounds", "cones"});
}

// A trail leads from one beta to the next on the same patterns, so that results compare.
TEST(Exchange, LeavesPatternsAloneAlongAPath) {
  const Dataset data = plane_dataset(30, 1);
  TrainSettings settings = exchanging(1);
  const RunRecord once = record_of(data, settings);
  settings.rounds.reset();
  const std::vector<TrainResult> path = train_path(data, settings, {1e-2, settings.beta});
  EXPECT_NEAR(path[1].model.training.objective, once.objective, 2e-6 * once.objective);
  EXPECT_EQ(path[1].model.training.rounds, 1);
}

// With a penalty that makes the zero network the best one, no pattern is worth its price.
TEST(Exchange, AsksForNoOthersWhereNoneCanHelp) {
  const Dataset data = plane_dataset(30, 1);
  TrainSettings settings = exchanging(4);
  settings.beta = 100;
  const RunRecord record = record_of(data, settings);
  EXPECT_EQ(record.rounds, 1);
  EXPECT_NEAR(record.objective, 1, 1e-5);
}

TEST(Exchange, ReturnsTheFirstSolutionIfTheSecondIsCancelled) {
  const Dataset data = plane_dataset(30, 1);
  TrainSettings settings = exchanging(1);
  const RunRecord once = record_of(data, settings);
  settings.rounds = 2;
  int last = -1;
  double reported = std::numeric_limits<double>::infinity();
  const TrainResult result = train(data, settings, [&](const Progress& news) {
    EXPECT_LE(news.objective, reported * (1 + 1e-12)) << "what is told never rises";
    reported = news.objective;
    const bool first = news.iteration >= last;
    last = news.iteration;
    return first;
  });
  EXPECT_EQ(result.model.training.objective, once.objective);
  EXPECT_EQ(result.model.training.stop, "cancelled");
  EXPECT_EQ(result.model.training.status, "optimal");
}

}  // namespace
}  // namespace conelu
