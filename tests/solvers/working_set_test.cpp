#include "conelu/working_set.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "conelu/solvers.hpp"
#include "conelu/train.hpp"
#include "linalg/random.hpp"
#include "problems/problems.hpp"
#include "solvers/block_prices.hpp"

namespace conelu {
namespace {

using Setting = std::tuple<std::string, Norm, Method>;

std::string name_of(const Setting& setting) {
  const auto& [loss, norm, method] = setting;
  return problems::test_name(loss + "_" + to_string(method) + "_l" + to_string(norm));
}

/// Many patterns of few directions, most of which are of no use.
Program many_patterns(const std::string& loss, Norm norm, Method method, std::uint64_t seed, Index n = 40) {
  const problems::Points points = problems::random_points(n, 4, true, make_loss(loss)->is_margin_loss(), seed);
  PatternRequest request;
  request.count = 40;
  request.seed = seed;
  request.all_active = true;
  request.threat = Threat::uniform(norm, 0.15, 3, true);
  const PatternSet patterns = make_patterns("perturbed", points.X, request).patterns;
  return Program(points.X, points.y, Vector(), make_loss(loss), 0.05, patterns, request.threat, method);
}

class WorkingSetOf : public testing::TestWithParam<Setting> {
 protected:
  Program program(std::uint64_t seed) const {
    const auto& [loss, norm, method] = GetParam();
    return many_patterns(loss, norm, method, seed);
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, WorkingSetOf,
                         testing::Combine(testing::ValuesIn(loss_names()),
                                          testing::Values(Norm::infinity, Norm::two, Norm::one),
                                          testing::Values(Method::cones, Method::reduced)),
                         [](const auto& setting) { return name_of(setting.param); });

TEST_P(WorkingSetOf, HasTheOptimumOfTheWholeProgram) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(3, 60); ++seed) {
    const Program problem = program(seed);
    const Solution whole = InteriorPoint().solve(problem);
    const Solution few = WorkingSet().solve(problem);
    EXPECT_EQ(few.stop, Stop::converged) << seed;
    EXPECT_LE(few.certificate.lower_bound, whole.certificate.objective) << seed;
    EXPECT_LE(whole.certificate.lower_bound, few.certificate.objective) << seed;
    EXPECT_LE(few.certificate.relative_gap(), 1e-6) << seed;
  }
}

/// The bound of a part may lie above the optimum of the whole: none of it may be told.
TEST_P(WorkingSetOf, TellsBoundsOfTheWholeProgramOnTheWay) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(3, 60); ++seed) {
    const Program problem = program(seed);
    const Certificate whole = InteriorPoint().solve(problem).certificate;
    int calls = 0;
    const Solution few = WorkingSet().solve(problem, [&](const Progress& now) {
      ++calls;
      EXPECT_LE(now.lower_bound, whole.objective) << seed;
      EXPECT_GE(now.objective, whole.lower_bound) << seed;
      EXPECT_GE(now.objective, now.lower_bound) << seed;
      return true;
    });
    EXPECT_GT(calls, few.iterations);
  }
}

TEST_P(WorkingSetOf, StopsAnywhereWithAnHonestPoint) {
  const Program problem = program(1);
  int calls = 0;
  WorkingSet().solve(problem, [&](const Progress&) { return ++calls > 0; });
  for (int wanted = 1; wanted < calls; wanted += std::max(1, calls / 10)) {
    int left = wanted;
    const Solution stopped = WorkingSet().solve(problem, [&](const Progress&) { return --left > 0; });
    Matrix blocks = stopped.blocks;
    const Certificate again = certify(problem, blocks, stopped.dual);
    EXPECT_EQ(again.violation, 0);
    EXPECT_NEAR(again.objective, stopped.certificate.objective, 1e-12 * again.objective);
    EXPECT_NEAR(again.lower_bound, stopped.certificate.lower_bound, 1e-12 * again.objective);
    EXPECT_TRUE(stopped.stop == Stop::cancelled || stopped.certificate.relative_gap() <= 1e-6) << wanted;
  }
}

TEST(WorkingSet, ProvesThatPatternsVanishWithoutSolvingForThem) {
  int spared = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Program problem = many_patterns("hinge", Norm::infinity, Method::reduced, seed);
    const Solution few = WorkingSet().solve(problem);
    EXPECT_LE(few.certificate.relative_gap(), 1e-6);
    // An interior-point method leaves no block at 0.
    const Eigen::RowVectorXd lengths = few.blocks.colwise().norm();
    if (2 * (lengths.array() > 0).count() <= lengths.size()) ++spared;
    EXPECT_GT(few.phases.prices, 0);
  }
  EXPECT_GE(spared, 5);
}

/// With features of no use the weights of a cell have zeros, and how its samples share the attack on them matters.
TEST(WorkingSet, SharesTheAttackOnACellOut) {
  problems::Points points = problems::random_points(200, 12, true, true, 9);
  points.y = (points.X.col(0).array() > 0).select(Vector::Ones(200), -1.0);
  PatternRequest request;
  request.count = 30;
  request.all_active = true;
  request.threat = Threat::uniform(Norm::infinity, 0.3, 11, true);
  const PatternSet patterns = make_patterns("perturbed", points.X, request).patterns;
  const Program problem(points.X, points.y, Vector(), make_loss("hinge"), 0.01, patterns, request.threat,
                        Method::reduced);
  const Solution few = WorkingSet().solve(problem);
  EXPECT_LE(few.certificate.relative_gap(), 1e-6);
  // The all-active pattern suffices, and the first prices prove it: no other program was solved.
  InteriorPointSettings settings;
  settings.tolerance /= 2;
  EXPECT_EQ(few.iterations, InteriorPoint(settings).solve(problem.select_patterns({0})).iterations);
}

TEST(WorkingSet, RepeatsToTheLastBit) {
  const Program problem = many_patterns("hinge", Norm::infinity, Method::reduced, 3, 9000);
  for (const int threads : {1, 2}) {
    InteriorPointSettings settings;
    settings.threads = threads;
    const Solution first = WorkingSet(settings).solve(problem);
    const Solution second = WorkingSet(settings).solve(problem);
    EXPECT_EQ(first.blocks, second.blocks);
    EXPECT_EQ(first.dual.lambda, second.dual.lambda);
  }
}

/// Weights, a row of zeros, and labels that leave one side without a pair.
TEST(WorkingSet, SolvesUnusualPrograms) {
  problems::Points points = problems::random_points(30, 4, true, true, 8);
  points.X.row(3).setZero();
  const Vector weights = Vector::LinSpaced(30, 0, 3);
  PatternRequest request;
  request.count = 30;
  request.all_active = true;
  request.threat = {Norm::infinity, Eigen::Vector4d(1e-3, 0, 0.1, 0)};
  const PatternSet patterns = make_patterns("perturbed", points.X, request).patterns;
  for (const Vector& y : {points.y, Vector(Vector::Ones(30))}) {
    const Program problem(points.X, y, weights, make_loss("hinge"), 0.01, patterns, request.threat, Method::reduced);
    const Solution few = WorkingSet().solve(problem);
    const Solution whole = InteriorPoint().solve(problem);
    EXPECT_EQ(few.stop, Stop::converged);
    EXPECT_LE(few.certificate.lower_bound, whole.certificate.objective);
    EXPECT_LE(whole.certificate.lower_bound, few.certificate.objective);
  }
  const Program none(points.X, points.y, weights, make_loss("hinge"), 0.01, PatternSet(30), request.threat,
                     Method::reduced);
  EXPECT_EQ(WorkingSet().solve(none).blocks.cols(), 0);
}

TEST(WorkingSet, KeepsToItsLimits) {
  const Program problem = many_patterns("hinge", Norm::infinity, Method::reduced, 2);
  InteriorPointSettings settings;
  settings.time_limit = 0;
  EXPECT_EQ(WorkingSet(settings).solve(problem).stop, Stop::time_limit);
  settings = {};
  settings.max_iterations = 5;
  const Solution stopped = WorkingSet(settings).solve(problem);
  EXPECT_EQ(stopped.stop, Stop::iteration_limit);
  EXPECT_EQ(stopped.iterations, 5);
  EXPECT_LT(stopped.certificate.objective, 1);
  settings.time_limit = -1;
  EXPECT_THROW(WorkingSet{settings}, std::invalid_argument);
}

TEST(WorkingSet, TrainsReducedNetworksUnderAttack) {
  const problems::Points points = problems::random_points(60, 3, false, true, 5);
  Dataset data;
  data.X = points.X;
  data.y = points.y;
  data.features = {"a", "b", "c"};
  data.classes = {"no", "yes"};
  TrainSettings settings;
  settings.method = "reduced";
  settings.patterns = "perturbed";
  settings.request.count = 20;
  settings.eps = {0.1};
  EXPECT_EQ(train(data, settings).model.training.solver, "working-set");
  settings.eps = {};
  EXPECT_EQ(train(data, settings).model.training.solver, "interior-point");
}

/// The shortest sum of a block of two features is the best of all directions on a circle, by duality: no multipliers.
double best_direction(const Program& program, const DualPoint& dual, Index block) {
  const double sigma = block % 2 == 0 ? 1.0 : -1.0;
  const Index pattern = program.pattern_of(block);
  Vector gradient = Vector::Zero(2);
  for (Index k = 0; k < program.samples(); ++k) {
    gradient += program.activations()(k, pattern) * dual.nu(k) * program.X().row(k).transpose();
  }
  for (Index c = 0; c < program.cells(); ++c) {
    gradient += program.cell_activations()(c, pattern) * dual.cell_attacks.col(c);
  }
  double best = 0;
  std::vector<double> angles;
  for (int i = 0; i < 5000; ++i) angles.push_back(2 * std::numbers::pi * i / 5000);
  // A cone may be narrower than the steps between these.
  const double inside = std::atan2(program.witnesses()(1, pattern), program.witnesses()(0, pattern));
  for (int i = 0; i < 1000; ++i) {
    for (const double side : {-1.0, 1.0}) angles.push_back(inside + side * std::pow(10.0, -0.008 * i));
  }
  for (const double angle : angles) {
    const Vector u = Eigen::Vector2d(std::cos(angle), std::sin(angle));
    const double attack = program.threat().worst_change(u);
    double value = -sigma * gradient.dot(u);
    for (Index k = 0; k < program.samples(); ++k) {
      const double slack = program.row_sign(k, block) * program.X().row(k).dot(u) - attack;
      if (slack >= 0) continue;
      if (program.pair(k, block) == Pair::kept) value = -1;
      if (program.pair(k, block) == Pair::freed) value += 0.5 * (dual.mu(k) + sigma * dual.nu(k)) * slack;
    }
    best = std::max(best, value);
  }
  return best;
}

class Prices : public testing::TestWithParam<Setting> {};
INSTANTIATE_TEST_SUITE_P(EveryNorm, Prices,
                         testing::Combine(testing::Values("hinge", "absolute"),
                                          testing::Values(Norm::infinity, Norm::two, Norm::one),
                                          testing::Values(Method::cones, Method::reduced)),
                         [](const auto& setting) { return name_of(setting.param); });

TEST_P(Prices, AreThoseOfTheBestDirection) {
  const auto& [loss, norm, method] = GetParam();
  const bool margin = make_loss(loss)->is_margin_loss();
  int high = 0, low = 0;
  for (std::uint64_t seed = 0; seed < problems::repetitions(20, 300); ++seed) {
    const problems::Points points = problems::random_points(12, 2, true, margin, seed);
    PatternRequest request;
    request.count = 12;
    request.seed = seed;
    // Wide enough to matter; cones would have no interior then.
    const double eps = method == Method::cones ? 0.05 : 0.5;
    const Threat threat = Threat::uniform(norm, eps, 1, true);
    const Program program(points.X, points.y, Vector(), make_loss(loss), 0.1,
                          make_patterns("gaussian", points.X, request).patterns, threat, method);
    std::vector<Index> all;
    for (Index i = 0; i < program.patterns(); ++i) all.push_back(i);
    Random random(seed, 3);
    DualPoint dual;
    // A residual loss may have any |nu| <= mu, a margin loss the two alike.
    dual.mu = Vector::NullaryExpr(12, [&] { return random.uniform() / 12; });
    dual.nu = dual.mu.cwiseProduct(
        Vector::NullaryExpr(12, [&](Index k) { return margin ? -points.y(k) : 2 * random.uniform() - 1; }));
    dual.lambda = Matrix::Zero(12, program.blocks());
    dual.block_attacks = Matrix::Zero(2, program.blocks());
    dual.cell_attacks = Matrix::Zero(2, program.cells());
    for (Index k = 0; k < 12; ++k) {
      const Index cell = program.cell_of()[static_cast<std::size_t>(k)];
      dual.cell_attacks(0, cell) += eps * dual.mu(k) * (2 * random.uniform() - 1);
    }
    const Vector prices = BlockPrices(program).find(all, dual, [] { return true; });
    for (const Index i : all) {
      const double best =
          std::max(best_direction(program, dual, 2 * i), best_direction(program, dual, 2 * i + 1)) / program.beta();
      EXPECT_GE(prices(i), best * (1 - 1e-6)) << seed;
      EXPECT_LE(prices(i), std::max(1.0, 1.02 * best)) << seed;
      ++(best > 1 ? high : low);
    }
    if (!margin) continue;
    // What the certificate makes of these multipliers is the longest sum.
    const double bound = lower_bound(program, dual);
    const double t = std::min(1 / prices.maxCoeff(), (1 / (12 * dual.nu.cwiseAbs().array())).minCoeff());
    EXPECT_NEAR(bound, t * dual.nu.cwiseAbs().sum(), 1e-9) << seed;
  }
  EXPECT_GT(high, 0);
  EXPECT_GT(low, 0);
}

TEST(Prices, StopWhenToldAndGoOnFromThere) {
  const Program program = many_patterns("hinge", Norm::infinity, Method::reduced, 4);
  DualPoint dual = InteriorPoint().solve(program).dual;
  std::vector<Index> all;
  for (Index i = 0; i < program.patterns(); ++i) all.push_back(i);
  BlockPrices prices(program);
  const Vector at_once = prices.find(all, dual, [] { return false; });
  int looks = 0;
  const Vector after = prices.find(all, dual, [&] { return ++looks > 0; });
  EXPECT_LT(after.sum(), 0.5 * at_once.sum());
  int fewer = 0;
  const Vector again = prices.find(all, dual, [&] { return ++fewer > 0; });
  EXPECT_LE(again.maxCoeff(), after.maxCoeff() * (1 + 1e-6));
  EXPECT_LT(fewer, looks);
}

}  // namespace
}  // namespace conelu
