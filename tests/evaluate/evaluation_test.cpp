#include "conelu/evaluation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "conelu/attack.hpp"
#include "conelu/synthetic.hpp"
#include "conelu/train.hpp"
#include "evaluate/evaluation_problems.hpp"

namespace conelu {
namespace {

using test::AttackProblem;
using test::EvaluationProblem;
using test::expect_order;

class EveryNormEvaluation : public testing::TestWithParam<std::string> {
 protected:
  Norm norm() const { return make_norm(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Registry, EveryNormEvaluation, testing::ValuesIn(norm_names()),
                         [](const auto& test) { return test.param; });

// Features far from 0, radii of any size, limits that rows are outside of, networks without a neuron: see
// AttackProblem.
TEST_P(EveryNormEvaluation, OrdersItsColumns) {
  int between = 0;
  for (const Task task : {Task::classification, Task::regression}) {
    for (std::uint64_t seed = 0; seed < problems::repetitions(200, 5000); ++seed) {
      const AttackProblem problem(norm(), task, 5, seed);
      Model model;
      model.task = task;
      if (task == Task::classification) model.classes = {"0", "1"};
      model.networks = {problem.network};
      model.training.loss = task == Task::classification ? "logistic" : "huber";
      Dataset data;
      data.X = problem.X;
      data.y = problem.y;
      EvaluationSettings settings;
      settings.threat = problem.settings.threat;
      settings.lower = problem.settings.lower;
      settings.upper = problem.settings.upper;
      settings.seed = seed;
      settings.restarts = 1;
      settings.threads = 1;
      settings.time_limit = seed % 7 == 0 ? 0 : 1;
      settings.radius = seed % 3 == 0;
      const Evaluation e = evaluate(model, data, settings);
      expect_order(e, fmt::format("seed {}", seed));
      EXPECT_EQ(e.n, 5);
      EXPECT_TRUE(e.finished);
      EXPECT_TRUE(e.objective);
      between += *e.strong != *e.clean && *e.certified_bound != *e.verified_lower ? 1 : 0;
    }
  }
  EXPECT_GT(between, 10) << "columns that are all the same have no order";
}

TEST_P(EveryNormEvaluation, OrdersItsColumnsForSeveralClasses) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(60, 1000); ++seed) {
    EvaluationProblem problem(norm(), "squared-hinge", 3 + static_cast<Index>(seed % 2), seed);
    problem.settings.radius = seed % 3 == 0;
    expect_order(evaluate(problem.model, problem.data, problem.settings), fmt::format("seed {}", seed));
  }
}

// On the way to one rival a row may fall to another; attack() and evaluate() must both see that. It takes more rows
// than the plane's few: of these, one in some hundreds falls to a class that no point of its own attack leads to.
TEST_P(EveryNormEvaluation, BreaksTheRowsThatAttacksBreakForSeveralClasses) {
  constexpr Index kRows = 60, kFeatures = 3, kClasses = 4;
  for (std::uint64_t seed = 0; seed < problems::repetitions(8, 100); ++seed) {
    Random random(seed, 91);
    Model model;
    model.task = Task::classification;
    model.classes = {"a", "b", "c", "d"};
    model.training.loss = "squared-hinge";
    for (Index c = 0; c < kClasses; ++c) model.networks.push_back(test::random_network(5, kFeatures, random));
    Dataset data;
    data.classes = model.classes;
    data.X = Matrix::NullaryExpr(kRows, kFeatures, [&] { return random.normal(); });
    data.y = Vector::NullaryExpr(kRows, [&] { return static_cast<double>(random.below(kClasses)); });
    std::vector<Index> labels;
    for (Index k = 0; k < kRows; ++k) labels.push_back(data.class_of(k));
    EvaluationSettings settings;
    settings.threat = Threat::uniform(norm(), norm() == Norm::infinity ? 0.4 : 0.8, kFeatures, false);
    settings.radius = settings.objective = false;
    const Evaluation e = evaluate(model, data, settings);
    AttackSettings same;
    same.threat = settings.threat;
    same.seed = settings.seed;
    for (const auto& [name, share] : {std::pair("fgsm", e.fgsm), std::pair("pgd", e.pgd)}) {
      const AttackResult found = attack(name, model.networks, data.X, labels, same);
      double right = 0;
      for (Index k = 0; k < kRows; ++k) right += found.outputs(k) > 0 && found.clean(k) > 0 ? 1.0 : 0.0;
      EXPECT_NEAR(*share, right / kRows, 1e-12) << name << ", seed " << seed;
    }
  }
}

TEST_P(EveryNormEvaluation, FindsTheExactShareOfRobustRows) {
  for (const Index classes : {2, 3}) {
    for (std::uint64_t seed = 0; seed < problems::repetitions(40, 1000); ++seed) {
      const EvaluationProblem problem(norm(), "hinge", classes, seed);
      double robust = 0;
      for (Index k = 0; k < problem.data.samples(); ++k) {
        const double margin = problem.smallest_margin(k);
        ASSERT_GT(std::abs(margin), 1e-9) << "too close to tell";
        robust += margin > 0 ? problem.weight(k) / problem.total_weight() : 0.0;
      }
      const Evaluation e = evaluate(problem.model, problem.data, problem.settings);
      EXPECT_NEAR(*e.verified_lower, robust, 1e-12) << "seed " << seed;
      EXPECT_NEAR(*e.verified_upper, robust, 1e-12) << "seed " << seed;
      EXPECT_LE(*e.certified_bound, robust + 1e-12);
      EXPECT_GE(*e.strong, robust - 1e-12);
      EXPECT_EQ(e.unknown, 0);
    }
  }
}

TEST_P(EveryNormEvaluation, FindsTheExactMeanOfTheLargestSquaredErrors) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(40, 1000); ++seed) {
    const EvaluationProblem problem(norm(), "squared", 0, seed);
    double mse = 0;
    for (Index k = 0; k < problem.data.samples(); ++k) {
      const double error = problem.largest_error(problem.model.network(), k, problem.data.y(k));
      mse += problem.weight(k) * error * error / problem.total_weight();
    }
    const Evaluation e = evaluate(problem.model, problem.data, problem.settings);
    EXPECT_NEAR(*e.verified_lower, mse, 1e-8 * (1 + mse)) << "seed " << seed;
    EXPECT_NEAR(*e.verified_upper, mse, 1e-8 * (1 + mse)) << "seed " << seed;
    EXPECT_GE(*e.certified_bound, mse * (1 - 1e-12));
    EXPECT_EQ(e.unknown, 0);
    EXPECT_FALSE(e.mean_radius);
  }
}

// The loss at each row's worst point by brute force, plus the penalty written out: for every loss, task and number of
// classes that it can be asked of.
TEST_P(EveryNormEvaluation, FindsTheExactWorstObjective) {
  for (const std::string& name : loss_names()) {
    const LossPointer loss = make_loss(name);
    for (const Index classes : {0, 2, 3}) {
      if (loss->is_margin_loss() && classes == 0) continue;
      for (std::uint64_t seed = 0; seed < problems::repetitions(6, 100); ++seed) {
        const EvaluationProblem problem(norm(), name, classes, seed);
        double objective = 0;
        for (std::size_t c = 0; c < problem.model.networks.size(); ++c) {
          const Network& network = problem.model.networks[c];
          objective +=
              0.005 * (network.hidden.squaredNorm() + network.hidden_bias.squaredNorm() + network.output.squaredNorm());
          for (Index k = 0; k < problem.data.samples(); ++k) {
            const double given = problem.data.y(k);
            const double y = classes == 3 ? (given == static_cast<double>(c) ? 1.0 : -1.0) : given;
            const double worst = loss->is_margin_loss() ? loss->value(y * problem.lowest(network, k, y), y)
                                                        : loss->value(y + problem.largest_error(network, k, y), y);
            objective += problem.weight(k) * worst / (loss->is_averaged() ? problem.total_weight() : 1.0);
          }
        }
        const Evaluation e = evaluate(problem.model, problem.data, problem.settings);
        ASSERT_TRUE(e.objective) << name;
        EXPECT_NEAR(*e.objective, objective, 1e-7 * (1 + objective)) << name << " seed " << seed;
        EXPECT_NEAR(*e.objective_lower, objective, 1e-7 * (1 + objective)) << name << " seed " << seed;
      }
    }
  }
}

// f = a'x + b everywhere within reach: the margin over the dual norm, 0 where the row is wrong.
TEST_P(EveryNormEvaluation, HasTheMeanRadiusOfALinearFunction) {
  Model model;
  model.classes = {"no", "yes"};
  Network& network = model.networks.emplace_back();
  network.hidden = Matrix{{3.0, -4.0}, {-3.0, 4.0}};
  network.hidden_bias = Vector::Zero(2);
  network.output = Vector{{1.0, -1.0}};  // (t)_+ - (-t)_+ = t
  Dataset data;
  data.X = Matrix{{1.0, 0.0}, {0.0, 1.0}, {0.5, 0.0}};  // outputs 3, -4, 1.5
  data.y = Vector{{1.0, -1.0, -1.0}};
  EvaluationSettings settings;
  settings.threat = Threat::uniform(norm(), 0.25, 2, false);
  settings.radius_unit = 0.25;
  const double slope = norm() == Norm::infinity ? 7 : norm() == Norm::two ? 5 : 4;
  const Evaluation e = evaluate(model, data, settings);
  EXPECT_NEAR(*e.mean_radius, (3 + 4 + 0) / slope / 3, 2e-3);
  EXPECT_LE(*e.mean_radius, (3 + 4 + 0) / slope / 3) << "proven, so never above";
  EXPECT_EQ(e.radius_open, 0);
  EXPECT_EQ(e.radius_capped, 0);
  settings.radius_unit = 1;  // as a factor
  EXPECT_NEAR(*evaluate(model, data, settings).mean_radius, *e.mean_radius / 0.25, 1e-12);
}

// f = (x)_+ - 1: the first row has to be moved by 1, the second by 2, the third is wrong as it is.
TEST_P(EveryNormEvaluation, CountsRadiiThatEndAtTheCapOrAreNotKnown) {
  Model model;
  model.classes = {"no", "yes"};
  Network& network = model.networks.emplace_back();
  network.hidden = Matrix{{1.0, 0.0}};
  network.hidden_bias = Vector::Zero(1);
  network.output = Vector::Ones(1);
  network.output_bias = -1;
  Dataset data;
  data.X = Matrix{{0.0, 0.0}, {3.0, 0.0}, {0.0, 0.0}};
  data.y = Vector{{-1.0, 1.0, 1.0}};
  EvaluationSettings settings;
  settings.lower = Vector::Constant(2, -5);
  settings.upper = Vector{{0.5, 5}};  // the second row is outside and stays where it is
  settings.threat = Threat::uniform(norm(), 0.25, 2, false);
  settings.radius_unit = 0.25;
  const Evaluation fixed = evaluate(model, data, settings);
  EXPECT_EQ(fixed.radius_capped, 2);
  EXPECT_EQ(fixed.radius_open, 0);
  EXPECT_NEAR(*fixed.mean_radius, (250 + 250 + 0) / 3.0, 1e-9);

  settings.upper(0) = 5;
  const Evaluation free = evaluate(model, data, settings);
  EXPECT_EQ(free.radius_capped, 0);
  EXPECT_EQ(free.radius_open, 0);
  EXPECT_NEAR(*free.mean_radius, (1 + 2 + 0) / 3.0, 2e-3);

  settings.radius_branches = 0;  // what the verdicts say about the threat itself is all that there is
  const Evaluation cut = evaluate(model, data, settings);
  EXPECT_EQ(cut.radius_capped, 0);
  EXPECT_EQ(cut.radius_open, 2);
  EXPECT_NEAR(*cut.mean_radius, (0.25 + 0.25 + 0) / 3.0, 1e-12);
  settings.radius_branches = -1;
  EXPECT_THROW(evaluate(model, data, settings), std::invalid_argument);
  settings.radius_branches = 1;
  settings.threat.radii *= 1e300;
  EXPECT_THROW(evaluate(model, data, settings), std::invalid_argument);
}

// A flat output that falls in one of 2^24 corners of the box only: nothing leads an attack there, and the exact search
// goes straight to it.
TEST(Evaluation, CountsWhatNoAttackFindsAsBroken) {
  constexpr Index d = 24;
  Model model;
  model.classes = {"no", "yes"};
  Network& network = model.networks.emplace_back();
  network.hidden = Matrix::NullaryExpr(1, d, [](Index, Index a) { return a % 3 == 0 ? -1.0 : 1.0; });
  network.hidden_bias = Vector::Constant(1, -(d - 1.0));
  network.output = Vector::Constant(1, -1.0);
  network.output_bias = 0.5;
  Dataset data;
  data.X = Matrix::Zero(2, d);
  data.X(1, 0) = 3;  // from here the corner is out of reach
  data.y = Vector::Ones(2);
  EvaluationSettings settings;
  settings.threat = Threat::uniform(Norm::infinity, 1, d, false);
  const Evaluation e = evaluate(model, data, settings);
  EXPECT_EQ(e.strong, 1);
  EXPECT_EQ(e.verified_upper, 0.5);
  EXPECT_EQ(e.verified_lower, 0.5);
  EXPECT_EQ(e.certified_bound, 0.5);
  expect_order(e, "a corner");
}

TEST(Evaluation, WithoutAThreatIsTheAccuracyOrTheMeanSquaredError) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const Index classes : {0, 2, 3}) {
      EvaluationProblem problem(Norm::infinity, "squared", classes, seed);
      problem.settings.threat = {};
      problem.settings.radius = true;
      const Evaluation e = evaluate(problem.model, problem.data, problem.settings);
      const double expected =
          classes == 0 ? mean_squared_error(problem.model, problem.data) : accuracy(problem.model, problem.data);
      for (const auto& value :
           {e.clean, e.fgsm, e.pgd, e.strong, e.verified_lower, e.verified_upper, e.certified_bound}) {
        EXPECT_NEAR(*value, expected, 1e-12 * (1 + expected));
      }
      EXPECT_NEAR(*e.objective, *e.objective_lower, 1e-12 * (1 + *e.objective));
      EXPECT_FALSE(e.mean_radius) << "there is nothing that it could be measured by";
      EXPECT_EQ(e.eps, 0);
    }
  }
}

// With the paper's cones no neuron changes sides within reach of a training point: the closed form is exact there, and
// the worst objective is the one that training certifies.
TEST_P(EveryNormEvaluation, GivesTheCertifiedObjectiveOnTheTrainingRows) {
  const Dataset data = plane_dataset(16, 3);
  for (const char* loss : {"hinge", "logistic", "squared"}) {
    TrainSettings train_settings;
    train_settings.loss = loss;
    train_settings.beta = 0.01;
    train_settings.eps = {0.1};
    train_settings.norm = norm();
    train_settings.method = "cones";
    const Model model = train(data, train_settings).model;
    ASSERT_GT(model.training.neurons, 2);
    EvaluationSettings settings;
    settings.threat = Threat::uniform(norm(), 0.1, 2, false);
    const Evaluation e = evaluate(model, data, settings);
    EXPECT_NEAR(*e.objective, model.training.network_objective, 1e-9) << loss;
    EXPECT_NEAR(*e.objective_lower, model.training.network_objective, 1e-9) << loss;
    EXPECT_EQ(*e.certified_bound, *e.verified_lower);
    EXPECT_EQ(*e.verified_lower, *e.strong);
    expect_order(e, loss);
  }
}

// Weight 2 is the row twice, weight 0 is no row.
TEST(Evaluation, WeighsRows) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    for (const Index classes : {0, 2}) {
      EvaluationProblem problem(Norm::two, classes == 0 ? "absolute" : "hinge", classes, seed);
      problem.settings.radius = true;
      problem.data.weights = Vector{{0, 1, 2, 1, 1, 1, 0, 3}};
      const Evaluation weighted = evaluate(problem.model, problem.data, problem.settings);
      problem.data = select_rows(problem.data, {1, 2, 2, 3, 4, 5, 7, 7, 7});
      problem.data.weights.resize(0);
      const Evaluation repeated = evaluate(problem.model, problem.data, problem.settings);
      EXPECT_EQ(weighted.n, 6);
      EXPECT_EQ(repeated.n, 9);
      const auto one = nlohmann::json::parse(to_json(weighted));
      const auto other = nlohmann::json::parse(to_json(repeated));
      for (const auto& [name, value] : one.items()) {
        if (name == "n" || name == "radius_open" || name == "radius_capped" || name == "seconds") continue;
        if (value.is_number_float()) {
          EXPECT_NEAR(value.get<double>(), other.at(name).get<double>(), 1e-9 * (1 + value.get<double>())) << name;
        } else {
          EXPECT_EQ(value, other.at(name)) << name;
        }
      }
    }
  }
}

// A network that sees standardised features, and one to the same effect that sees raw ones.
TEST(Evaluation, PreparesRowsAsTheModelDoes) {
  EvaluationProblem problem(Norm::infinity, "hinge", 2, 5);
  const Evaluation plain = evaluate(problem.model, problem.data, problem.settings);
  problem.model.preprocessing.center = Vector{{10.0, -5.0}};
  problem.model.preprocessing.scale = Vector{{4.0, 0.5}};
  problem.data.X.col(0) = 4 * problem.data.X.col(0).array() + 10;
  problem.data.X.col(1) = 0.5 * problem.data.X.col(1).array() - 5;
  const Evaluation prepared = evaluate(problem.model, problem.data, problem.settings);
  EXPECT_EQ(*prepared.verified_lower, *plain.verified_lower);
  EXPECT_NEAR(*prepared.objective, *plain.objective, 1e-9);
}

}  // namespace
}  // namespace conelu
