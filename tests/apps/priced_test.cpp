#include <gtest/gtest.h>

#include "conelu/baseline.hpp"
#include "conelu/certificate.hpp"
#include "conelu/price_bound.hpp"
#include "conelu/synthetic.hpp"
#include "conelu/train.hpp"
#include "linalg/random.hpp"
#include "problems/problems.hpp"

// Training by column generation, from outside: the best network is compared with the exact optimum of all patterns, and
// no network is below a bound that is said to hold for all of them.
namespace conelu {
namespace {

Dataset random_data(const std::string& loss, Index n, Index d, std::uint64_t seed) {
  const bool labels = make_loss(loss)->is_margin_loss();
  const problems::Points points = problems::random_points(n, d, false, labels, seed);
  Dataset data;
  data.X = points.X;
  data.y = points.y;
  return data;
}

TrainSettings priced(const std::string& loss = "hinge", double share = 0.05) {
  TrainSettings settings;
  settings.loss = loss;
  settings.patterns = "priced";
  settings.beta_share = share;
  settings.all_active = true;
  settings.request.count = 12;
  return settings;
}

class PricedTraining : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, PricedTraining, testing::ValuesIn(loss_names()),
                         [](const auto& test) { return problems::test_name(test.param); });

// With all patterns the program is training itself: bound <= exact optimum <= objective, whatever the data are like.
TEST_P(PricedTraining, BoundsTheExactOptimumFromBothSides) {
  Random random(1);
  int close = 0;
  const int trials = static_cast<int>(problems::repetitions(16, 200));
  for (int trial = 0; trial < trials; ++trial) {
    const Index d = 1 + trial % 3;
    const Index n = d == 3 ? 8 : 6 + random.below(8);
    Dataset data = random_data(GetParam(), n, d, static_cast<std::uint64_t>(trial));
    const bool bias = d < 3 && trial % 4 != 0;
    if (trial % 5 == 1) data.X.row(1) = data.X.row(0);
    if (trial % 5 == 2) data.X.row(2).setZero();
    if (trial % 5 == 3) data.weights = Vector::LinSpaced(n, 0.0, 2.0);
    if (trial % 7 == 4) data.X *= 1e6;
    if (trial % 7 == 5) data.X *= 1e-6;
    TrainSettings settings = priced(GetParam(), trial % 2 == 0 ? 0.1 : 0.02);
    settings.bias = bias;
    settings.all_active = bias;
    settings.global_bound = 5;
    const RunRecord record = train(data, settings).model.training;
    settings.patterns = "all";
    settings.all_active.reset();
    settings.solver.tolerance = 1e-8;
    settings.global_bound.reset();
    const RunRecord exact = train(data, settings).model.training;
    ASSERT_EQ(exact.scope, "network") << trial;
    EXPECT_EQ(record.beta, exact.beta);
    EXPECT_EQ(record.scope, "network") << trial;
    EXPECT_LE(record.lower_bound, exact.objective) << trial;
    EXPECT_GE(record.objective, exact.lower_bound) << trial;
    EXPECT_LE(record.network_objective, record.objective * (1 + 1e-12)) << trial;
    EXPECT_LE(record.lower_bound, record.program_bound.value()) << trial;
    close += record.objective <= exact.objective * (1 + 1e-4) && record.lower_bound >= 0.98 * exact.objective ? 1 : 0;
  }
  EXPECT_GE(close, trials * 9 / 10);
}

// An independent way to networks: gradient descent from many starts.
TEST_P(PricedTraining, IsNeverAboveGradientDescentAndItsBoundNeverAboveAnyNetwork) {
  const Dataset data = random_data(GetParam(), 60, 2, 7);
  TrainSettings settings = priced(GetParam());
  settings.global_bound = 10;
  const RunRecord record = train(data, settings).model.training;
  ASSERT_EQ(record.scope, "network");
  BaselineSettings descent;
  descent.method = "gd-std";
  descent.neurons = 30;
  descent.epochs = 300;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    descent.seed = seed;
    const double reached = train_baseline(data, settings, descent).objective();
    EXPECT_GE(reached, record.lower_bound);
    EXPECT_LE(record.objective, reached * (1 + 1e-5));
  }
}

TEST_P(PricedTraining, TellsItsRounds) {
  const Dataset data = random_data(GetParam(), 80, 3, 5);
  const RunRecord record = train(data, priced(GetParam(), 0.02)).model.training;
  EXPECT_EQ(record.pattern_source, "priced");
  ASSERT_TRUE(record.round_objectives && record.round_bounds && record.round_estimates && record.round_prices);
  const std::size_t rounds = record.round_objectives->size();
  ASSERT_EQ(static_cast<std::int64_t>(rounds), record.rounds);
  EXPECT_EQ(record.round_bounds->size(), rounds);
  EXPECT_EQ(record.round_estimates->size(), rounds);
  EXPECT_EQ(record.round_prices->size(), rounds);
  for (std::size_t i = 0; i < rounds; ++i) {
    const std::size_t before = i > 0 ? i - 1 : 0;
    EXPECT_LE((*record.round_objectives)[i], (*record.round_objectives)[before]);
    EXPECT_LE((*record.round_estimates)[i], 1.01 * (*record.round_objectives)[i]) << "an estimate, no proof";
  }
  EXPECT_GT(record.largest_price.value(), 0);
  EXPECT_LE(record.objective, record.round_objectives->back() * (1 + record.tolerance));
}

TEST(PricedTraining, IsBelowAnySampleOfPatternsAndAnyNetworkOfTheDescent) {
  const Dataset data = random_data("hinge", 150, 4, 3);
  TrainSettings settings = priced("hinge", 0.003);
  settings.request.count = 60;
  const RunRecord best = train(data, settings).model.training;
  settings.patterns = "gaussian";
  EXPECT_LT(best.objective, 0.95 * train(data, settings).model.training.objective);
  settings.patterns.clear();
  const RunRecord chosen = train(data, settings).model.training;
  EXPECT_EQ(chosen.pattern_source, "priced");
  EXPECT_EQ(chosen.objective, best.objective) << "it is the default";
}

TEST(PricedTraining, DoesNotDependOnTheThreads) {
  const Dataset data = random_data("logistic", 120, 4, 9);
  TrainSettings settings = priced("logistic", 0.02);
  settings.solver.threads = 1;
  const RunRecord one = train(data, settings).model.training;
  settings.solver.threads = 3;
  const RunRecord three = train(data, settings).model.training;
  EXPECT_EQ(one.round_objectives, three.round_objectives);
  EXPECT_EQ(one.round_prices, three.round_prices);
  EXPECT_EQ(one.patterns, three.patterns);
}

// Whatever stops it, and wherever: a network, with a bound that holds.
TEST(PricedTraining, KeepsTheBestNetworkWhenItIsStopped) {
  const Dataset data = random_data("hinge", 150, 4, 3);
  TrainSettings settings = priced("hinge", 0.003);
  settings.request.count = 60;
  double zero = 1;  // the objective of the zero network
  for (const int most : {1, 50, 300, 420, 700}) {
    int calls = 0;
    double told = std::numeric_limits<double>::infinity();
    const TrainResult result = train(data, settings, [&](const Progress& news) {
      EXPECT_LE(news.lower_bound, news.objective);
      told = news.objective;
      return ++calls < most;
    });
    const RunRecord& record = result.model.training;
    EXPECT_EQ(calls, most);
    EXPECT_EQ(record.stop, "cancelled");
    EXPECT_LE(record.objective, std::min(zero, told) * (1 + 1e-9)) << most;
    EXPECT_LE(record.lower_bound, record.objective) << most;
    EXPECT_LE(record.network_objective, record.objective * (1 + 1e-12)) << most;
    zero = std::min(zero, record.objective * (1 + 1e-9));
  }
  settings.solver.time_limit = 0.3;
  const RunRecord limited = train(data, settings).model.training;
  EXPECT_LT(limited.objective, 0.9);
  EXPECT_LT(limited.seconds, 1.5);
}

TEST(PricedTraining, GivesEachClassAndEachBetaItsOwnPatterns) {
  Dataset data = plane_dataset(90, 13);
  data.classes = {"a", "b", "c"};
  for (Index k = 0; k < 90; ++k) data.y(k) = data.X(k, 0) < -0.5 ? 0 : data.X(k, 1) > 0 ? 1 : 2;
  TrainSettings settings = priced("hinge", 0.1);
  const TrainResult classes = train(data, settings);
  EXPECT_EQ(classes.model.networks.size(), 3U);
  double largest = 0;
  for (Index k = 0; k < 3; ++k) largest = std::max(largest, beta_max(one_against_rest(data, k), settings));
  EXPECT_EQ(classes.model.training.beta, 0.1 * largest) << "one penalty for all classes";

  const Dataset two = random_data("hinge", 100, 3, 2);
  const std::vector<TrainResult> path = train_path(two, settings, {1e-3, 1e-1, 1e-2});
  ASSERT_EQ(path.size(), 3U);
  const auto objective = [&](std::size_t i) { return path[i].model.training.objective; };
  EXPECT_LT(objective(0), objective(2));
  EXPECT_LT(objective(2), objective(1));
  settings.beta = 1e-2;
  EXPECT_NEAR(objective(2), train(two, settings).model.training.objective, 0.05 * objective(2));
}

TEST(PricedTraining, RefusesWhatDoesNotFit) {
  const Dataset data = random_data("hinge", 20, 2, 2);
  const auto message = [&](const TrainSettings& settings) -> std::string {
    try {
      train(data, settings);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  TrainSettings settings = priced();
  settings.eps = {0.1};
  EXPECT_NE(message(settings).find("priced"), std::string::npos);
  settings = priced();
  settings.method = "hybrid";
  EXPECT_NE(message(settings).find("cones"), std::string::npos);
  settings = priced();
  settings.rounds = 0;
  EXPECT_NE(message(settings).find("rounds"), std::string::npos);
}

TEST(PricedTraining, IsZeroFromBetaMaxOn) {
  for (const std::string& loss : loss_names()) {
    const Dataset data = random_data(loss, 40, 2, 4);
    TrainSettings settings = priced(loss, 1.01);
    const RunRecord zero = train(data, settings).model.training;
    settings.beta_share = 0.9;
    const RunRecord some = train(data, settings).model.training;
    EXPECT_LT(some.objective, zero.objective * (1 - 1e-6)) << loss;
    double at_zero = 0;
    const LossPointer value = make_loss(loss);
    for (Index k = 0; k < 40; ++k) at_zero += value->value(0, data.y(k)) / (value->is_averaged() ? 40 : 1);
    EXPECT_NEAR(zero.objective, at_zero, 1e-5 * at_zero) << loss;
  }
}

// A bound with a price that is too small is too large; one that is proven is not.
TEST(NetworkBound, ScalesTheDualPointByThePrice) {
  const Program program = problems::random_program("hinge", 12, 2, 6, 0.05, 3);
  const Solution solution = InteriorPoint().solve(program);
  const Vector& nu = solution.dual.nu;
  const double proven = bound_prices(program.X(), nu, 0, {.tolerance = 1e-6}).upper;
  const double bound = network_bound(program, nu, proven);
  const PatternSet all = make_patterns("all", program.X(), {}).patterns;
  const Program exact(program.X(), program.y(), Vector(), make_loss("hinge"), 0.05, all);
  const Certificate best = InteriorPoint().solve(exact).certificate;
  EXPECT_LE(bound, best.objective);
  EXPECT_GT(bound, 0);
  EXPECT_GT(network_bound(program, nu, 0.5 * proven), bound);
  EXPECT_LE(network_bound(program, nu, 10 * proven), bound);
  EXPECT_EQ(network_bound(program, nu, std::numeric_limits<double>::infinity()), 0);
  EXPECT_THROW(network_bound(program, Vector::Zero(3), 1), std::invalid_argument);
  EXPECT_THROW(network_bound(program, nu, -1), std::invalid_argument);
  EXPECT_THROW(network_bound(program, nu, std::nan("")), std::invalid_argument);
}

}  // namespace
}  // namespace conelu
