#include "baselines/gradient.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "baselines/coordinates.hpp"
#include "baselines/judge.hpp"
#include "conelu/worst_case.hpp"
#include "linalg/random.hpp"
#include "problems/problems.hpp"

namespace conelu::baselines {
namespace {

Network random_network(Index neurons, Index inputs, bool bias, std::uint64_t seed) {
  Random random(seed, 7);
  const auto normal = [&] { return random.normal(); };
  Network network{Matrix::NullaryExpr(neurons, inputs, normal), Vector::Zero(neurons),
                  Vector::NullaryExpr(neurons, normal)};
  if (bias) network.hidden_bias = Vector::NullaryExpr(neurons, normal);
  return network;
}

Samples random_samples(const Loss& loss, Index n, Index d, std::uint64_t seed) {
  const problems::Points points = problems::random_points(n, d, false, loss.is_margin_loss(), seed);
  Random random(seed, 8);
  return {points.X.transpose(), points.y, Vector::NullaryExpr(n, [&] { return 0.1 + random.uniform(); })};
}

std::vector<Index> all_rows(const Samples& samples) {
  std::vector<Index> rows(static_cast<std::size_t>(samples.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<Index>(k);
  return rows;
}

/// Every weight of the network, one after the other.
template <class Action>
void for_each_weight(Network& network, bool bias, Action&& action) {
  for (double& weight : network.hidden.reshaped()) action(weight);
  for (double& weight : network.output) action(weight);
  if (!bias) return;
  for (double& weight : network.hidden_bias) action(weight);
}

class EveryLoss : public testing::TestWithParam<std::string> {
 protected:
  LossPointer loss = make_loss(GetParam());
  Task task = loss->is_margin_loss() ? Task::classification : Task::regression;
  double beta = 0.05;
};
INSTANTIATE_TEST_SUITE_P(Registry, EveryLoss, testing::ValuesIn(loss_names()),
                         [](const auto& test) { return problems::test_name(test.param); });

TEST_P(EveryLoss, HasTheSlopeOfItsValues) {
  constexpr double kStep = 1e-6;
  for (const double y : {-1.0, 1.0}) {
    for (double f = -3.0137; f < 3; f += 0.0611) {
      const double difference = (loss->value(f + kStep, y) - loss->value(f - kStep, y)) / (2 * kStep);
      EXPECT_NEAR(loss_slope(*loss, f, y), difference, 1e-5) << "f " << f << " y " << y;
    }
  }
}

// With the perturbed points held fixed, the derivatives are those of finite differences: Danskin's theorem needs no
// more.
TEST_P(EveryLoss, HasTheGradientOfFiniteDifferences) {
  constexpr double kStep = 1e-6;
  int compared = 0;
  for (const bool bias : {true, false}) {
    for (const double radius : {0.0, 0.2}) {
      for (const Norm norm : {Norm::infinity, Norm::two, Norm::one}) {
        const Samples samples = random_samples(*loss, 70, 3, 11);  // two slices
        const Threat threat = Threat::uniform(norm, radius, 3, false);
        const Adversary adversary(threat, task, 4);
        Network network = random_network(5, 3, bias, 3);
        std::vector<Slice> slices = samples.slices(all_rows(samples), 1.5);
        Gradient gradient(*loss, adversary, beta, bias);
        const double objective = gradient.compute(network, slices);
        Network expected = gradient.weights();

        for (Slice& slice : slices) slice.points = adversary.perturb(network, slice);
        const Adversary nobody(Threat{}, task, 0);
        Gradient plain(*loss, nobody, beta, bias);
        EXPECT_NEAR(plain.compute(network, slices), objective, 1e-12 * objective);
        std::vector<double> differences;
        for_each_weight(network, bias, [&](double& weight) {
          const double before = weight;
          weight = before + kStep;
          const double above = plain.compute(network, slices);
          weight = before - kStep;
          differences.push_back((above - plain.compute(network, slices)) / (2 * kStep));
          weight = before;
        });
        std::size_t at = 0;
        for_each_weight(expected, bias, [&](double& derivative) {
          EXPECT_NEAR(derivative, differences[at], 1e-4 * (1 + std::abs(derivative))) << "weight " << at;
          ++at;
          ++compared;
        });
        EXPECT_EQ(expected.hidden_bias.norm() == 0, !bias);
      }
    }
  }
  EXPECT_EQ(compared, 6 * (25 + 20));
}

// The objective is that of convex training, weights and scalings included, and the certified one as well.
TEST_P(EveryLoss, IsJudgedByTheObjectiveOfPrograms) {
  const problems::Points points = problems::random_points(30, 3, false, loss->is_margin_loss(), 5);
  Vector weights = Vector::Ones(30);
  weights(3) = 2;
  weights(4) = 0.5;
  const Network network = random_network(6, 3, true, 9);
  Matrix X(30, 4);
  X << points.X, Vector::Ones(30);
  const PatternSet none(30);
  const Program program(X, points.y, weights, loss, beta, none);
  const Vector c = program.loss_weights();
  const Judge judge(points.X, points.y, c, *loss, beta, Threat{});
  // One allows for rounding, the other does not.
  const double objective = judge.objective(network);
  EXPECT_LE(objective, network_objective(program, network, true));
  EXPECT_NEAR(objective, network_objective(program, network, true), 1e-13 * objective);
  EXPECT_EQ(judge.certified(network), judge.objective(network));

  for (const Norm norm : {Norm::infinity, Norm::two, Norm::one}) {
    const Program robust(X, points.y, weights, loss, beta, none, Threat::uniform(norm, 0.1, 3, true));
    const Judge attacked(points.X, points.y, c, *loss, beta, Threat::uniform(norm, 0.1, 3, false));
    const double certified = network_objective(robust, network, true);
    EXPECT_NEAR(attacked.certified(network), certified, 1e-9 * certified);
    EXPECT_LE(attacked.objective(network), certified);
    EXPECT_GT(attacked.objective(network), judge.objective(network));
  }
}

TEST(Judge, ThinksNothingOfNetworksThatAreNotFinite) {
  const Matrix X = Matrix::Ones(2, 2);
  const Vector y = Vector::Ones(2);
  const LossPointer loss = make_loss("hinge");
  const Judge judge(X, y, y, *loss, 1, Threat::uniform(Norm::two, 0.1, 2, false));
  Network network = random_network(3, 2, true, 1);
  network.hidden(1, 1) = std::nan("");
  EXPECT_EQ(judge.objective(network), INFINITY);
}

// Points stay in the ball, and none is milder than the row itself.
TEST(Adversary, StaysInTheBallAndDoesHarm) {
  for (const Norm norm : {Norm::infinity, Norm::two, Norm::one}) {
    for (const Task task : {Task::classification, Task::regression}) {
      const LossPointer loss = make_loss(task == Task::classification ? "hinge" : "squared");
      const Samples samples = random_samples(*loss, 64, 4, 2);
      const Slice slice = samples.slices(all_rows(samples), 1).front();
      const Network network = random_network(8, 4, true, 4);
      const Threat threat = Threat::uniform(norm, 0.3, 4, false);
      const auto severity = [&](const Matrix& points) -> Vector {
        const Vector f = network.predict(points.transpose());
        return task == Task::classification ? Vector(-slice.y.cwiseProduct(f)) : Vector((f - slice.y).cwiseAbs());
      };
      double before = severity(slice.points).sum();
      for (const int steps : {1, 5}) {
        const Matrix points = Adversary(threat, task, steps).perturb(network, slice);
        for (Index k = 0; k < slice.size(); ++k) {
          EXPECT_LE(threat.size(points.col(k) - slice.points.col(k)), 1 + 1e-12);
          EXPECT_GE(severity(points)(k), severity(slice.points)(k) - 1e-12);
        }
        EXPECT_GT(severity(points).sum(), before);
        before = severity(points).sum();
      }
      EXPECT_EQ(Adversary(threat, task, 0).perturb(network, slice), slice.points);
    }
  }
}

// In the other coordinates the same network has the derivatives of finite differences, too; and it comes back.
TEST(Coordinates, KeepTheNetworkAndTransformItsGradient) {
  for (const bool bias : {true, false}) {
    const LossPointer loss = make_loss("logistic");
    Samples samples = random_samples(*loss, 40, 3, 6);
    samples.points.row(0).array() += 5;
    samples.points.row(1) *= 20;
    samples.points.row(2).setConstant(2);
    const Coordinates coordinates(samples, bias);
    const Network network = random_network(4, 3, bias, 2);
    const std::vector<Slice> slices = samples.slices(all_rows(samples), 1);
    const Adversary nobody(Threat{}, Task::classification, 0);
    Gradient gradient(*loss, nobody, 0.1, bias);
    gradient.compute(network, slices);
    Network derivatives = gradient.weights();
    coordinates.enter_gradient(derivatives);

    Network inside = network;
    coordinates.enter(inside);
    EXPECT_EQ(inside.hidden_bias == network.hidden_bias, !bias);
    std::vector<double> differences;
    for_each_weight(inside, bias, [&](double& weight) {
      constexpr double kStep = 1e-6;
      const auto objective_at = [&](double value) {
        const double before = std::exchange(weight, value);
        Network outside = inside;
        weight = before;
        coordinates.leave(outside);
        return gradient.compute(outside, slices);
      };
      differences.push_back((objective_at(weight + kStep) - objective_at(weight - kStep)) / (2 * kStep));
    });
    std::size_t at = 0;
    for_each_weight(derivatives, bias, [&](double& derivative) {
      EXPECT_NEAR(derivative, differences[at], 1e-6 * (1 + std::abs(derivative))) << "weight " << at;
      ++at;
    });
    coordinates.leave(inside);
    EXPECT_LE((inside.hidden - network.hidden).norm(), 1e-12);
    EXPECT_LE((inside.hidden_bias - network.hidden_bias).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace conelu::baselines
