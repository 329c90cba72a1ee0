#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "conelu/synthetic.hpp"
#include "conelu/train.hpp"
#include "data/temporary_files.hpp"
#include "train/constrained.hpp"

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
  settings.patterns = "gaussian";
  expect_refusal([&] { train(data, settings); }, {"rounds", "cones"});
}

// A trail leads from one beta to the next on the same patterns, so that results compare.
TEST(Exchange, LeavesPatternsAloneAlongAPath) {
  const Dataset data = plane_dataset(30, 1);
  TrainSettings settings = exchanging(1);
  const RunRecord once = record_of(data, settings);
  settings.rounds.reset();
  const std::vector<TrainResult> path = train_path(data, settings, {1e-2, *settings.beta});
  EXPECT_NEAR(path[1].model.training.objective, once.objective, 2e-6 * once.objective);
  EXPECT_EQ(path[1].model.training.rounds, 1);
}

TEST(Exchange, LeavesPatternsAloneAlongAPathOfSeveralClasses) {
  Dataset data = plane_dataset(30, 1);
  data.classes = {"a", "b", "c"};
  for (Index k = 0; k < data.samples(); ++k) data.y(k) = static_cast<double>(k % 3);
  TrainSettings settings = exchanging(1);
  const RunRecord once = record_of(data, settings);
  settings.rounds.reset();
  EXPECT_LT(record_of(data, settings).objective, 0.999 * once.objective);
  EXPECT_EQ(train_path(data, settings, {*settings.beta})[0].model.training.objective, once.objective);
  settings.rounds = 2;
  expect_refusal([&] { train_path(data, settings, {*settings.beta}); }, {"rounds", "path"});
}

/// How many programs were solved.
struct ProgramCount {
  int programs = 0;
  int last = std::numeric_limits<int>::max();
  bool count(const Progress& news) {
    if (news.iteration < last) ++programs;
    last = news.iteration;
    return true;
  }
};

// With a penalty that makes the zero network the best one, no pattern is worth its price, and none is tried.
TEST(Exchange, AsksForNoOthersWhereNoneCanHelp) {
  const Dataset data = plane_dataset(30, 1);
  for (const auto& [beta, programs] : {std::pair(100.0, 1), std::pair(1e-3, 2)}) {
    TrainSettings settings = exchanging(2);
    settings.beta = beta;
    ProgramCount counter;
    train(data, settings, [&](const Progress& news) { return counter.count(news); });
    EXPECT_EQ(counter.programs, programs) << beta;
  }
}

TEST(Exchange, DoesNotBeginAfterTheTimeLimit) {
  TrainSettings settings = exchanging(4);
  settings.solver.time_limit = 1e-9;
  ProgramCount counter;
  const TrainResult result =
      train(plane_dataset(30, 1), settings, [&](const Progress& news) { return counter.count(news); });
  EXPECT_EQ(counter.programs, 1);
  EXPECT_EQ(result.model.training.stop, "time_limit");
}

// All patterns whose gradient is at most beta together do not lower the optimum of a program that is solved; of the
// others, some do. Blocks in use are stationary: with the multipliers of their constraints their gradients have the
// length beta. For every norm and loss, samples of different weights, and cells that new patterns cut.
TEST(PatternGradients, AreAtMostBetaOnlyForPatternsThatCannotHelp) {
  int cheap = 0, helpful = 0, stationary = 0, asked = 0;
  for (const Method method : {Method::cones, Method::reduced}) {
    for (const std::string& norm : norm_names()) {
      for (const std::string& loss_name : loss_names()) {
        const Dataset data = plane_dataset(25, 3);
        const Matrix X = with_bias(data.X);
        const Vector weights = Vector::LinSpaced(X.rows(), 0.5, 2);
        const Threat threat = Threat::uniform(make_norm(norm), 0.05, 2, true);
        const LossPointer loss = make_loss(loss_name);
        const double beta = loss->is_margin_loss() ? 0.03 : 1.0;
        PatternRequest request;
        request.threat = threat;
        request.all_active = true;
        request.count = 4;
        const PatternSet few = make_patterns("gaps", X, request).patterns;
        request.count = 60;
        request.seed = 1;
        const PatternSet many = make_patterns("gaps", X, request).patterns;
        const auto solve = [&](const PatternSet& patterns) {
          Program program(X, data.y, weights, loss, beta, patterns, threat, method);
          Solution solution = InteriorPoint().solve(program);
          return std::pair(std::move(program), std::move(solution));
        };
        const auto [program, solution] = solve(few);
        const Vector prices = pattern_gradients(program, solution.dual, many).rowwise().norm();
        const std::string what = fmt::format("{}, {}, {}", to_string(method), norm, loss_name);
        const Matrix own = pattern_gradients(program, solution.dual, few);
        const double longest = solution.blocks.colwise().norm().maxCoeff();
        for (Index j = 0; method == Method::cones && j < program.blocks(); ++j) {
          if (solution.blocks.col(j).norm() < 0.1 * longest) continue;
          ASSERT_EQ(program.patterns(), few.count()) << "all of them are live";
          Vector gradient = (j % 2 == 0 ? 1.0 : -1.0) * own.row(j / 2).transpose() + solution.dual.block_attacks.col(j);
          for (Index k = 0; k < X.rows(); ++k) {
            gradient -= solution.dual.lambda(k, j) * program.row_sign(k, j) * X.row(k).transpose();
          }
          EXPECT_NEAR(gradient.norm(), beta, 1e-2 * beta) << what << ", block " << j;
          ++stationary;
        }
        PatternSet with_cheap = few, with_dear = few;
        for (Index i = 0; i < many.count(); ++i) {
          PatternSet& set = prices(i) <= beta ? with_cheap : with_dear;
          set.add_words(many.words(i), many.witness(i));
        }
        const double objective = solution.certificate.objective;
        EXPECT_GE(solve(with_cheap).second.certificate.objective, objective * (1 - 5e-6)) << what;
        cheap += with_cheap.count() > few.count() ? 1 : 0;
        helpful += solve(with_dear).second.certificate.objective < 0.999 * objective ? 1 : 0;
        ++asked;
      }
    }
  }
  EXPECT_GT(stationary, 10);
  EXPECT_GT(2 * cheap, asked);
  EXPECT_GT(2 * helpful, asked);
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
