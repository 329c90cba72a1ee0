#include <gtest/gtest.h>

#include <cmath>

#include "baselines/balance.hpp"
#include "baselines/optimizer.hpp"
#include "baselines/schedule.hpp"
#include "baselines/start.hpp"
#include "conelu/baseline.hpp"

namespace conelu::baselines {
namespace {

Network two_layers(double hidden, double output) {
  return {Matrix::Constant(1, 2, hidden), Vector::Zero(1), Vector::Constant(1, output)};
}

// |u_j| for both layers: the network stays, the penalty becomes beta sum |u_j| and never rises.
TEST(Balance, KeepsTheNetworkAndLowersThePenalty) {
  Random random(1);
  const auto normal = [&] { return random.normal(); };
  Network network{Matrix::NullaryExpr(6, 3, normal), Vector::NullaryExpr(6, normal), Vector::NullaryExpr(6, normal)};
  network.hidden.row(1) *= 1e5;
  network.output(2) *= -1e4;
  network.output(4) = 0;
  network.hidden.row(5).setZero();
  network.hidden_bias(5) = 0;
  const Matrix X = Matrix::NullaryExpr(20, 3, normal);
  const Vector before = network.predict(X);
  const double penalty = network.penalty(0.3);
  double expected = 0;
  for (Index j = 0; j < 6; ++j) {
    expected += 0.3 * std::abs(network.output(j)) *
                std::sqrt(network.hidden.row(j).squaredNorm() + std::pow(network.hidden_bias(j), 2));
  }
  balance(network);
  EXPECT_LE((network.predict(X) - before).norm(), 1e-12 * before.norm());
  EXPECT_LT(network.penalty(0.3), penalty);
  EXPECT_NEAR(network.penalty(0.3), expected, 1e-12 * expected);
  const Network smaller = without_small_neurons(network, 0);
  EXPECT_EQ(smaller.neurons(), 4);
  EXPECT_LE((smaller.predict(X) - before).norm(), 1e-12 * before.norm());
  balance(network);
  EXPECT_NEAR(network.penalty(0.3), expected, 1e-12 * expected);
  EXPECT_EQ(without_small_neurons(Network{Matrix(0, 3), Vector(0), Vector(0)}, 0.1).neurons(), 0);
}

// Adam's first step is the rate against the sign of every derivative, whatever its size.
TEST(Optimizer, AdamTakesItsFirstStepBySigns) {
  Network network = two_layers(1, 1);
  Network gradient = two_layers(1e-7, -1e5);
  make_optimizer("adam", network, 1)->step(0.25, gradient, network);
  EXPECT_NEAR(network.hidden(0, 0), 0.75, 1e-4);
  EXPECT_NEAR(network.output(0), 1.25, 1e-12);
  EXPECT_EQ(network.hidden_bias(0), 0);
}

// Two steps of Nesterov's momentum with a constant gradient g: (1 + mu) g, then (1 + mu + mu^2) g more.
TEST(Optimizer, SgdHasMomentumAndDividesByTheScale) {
  Network network = two_layers(0, 0);
  const Network gradient = two_layers(4, -8);
  const auto sgd = make_optimizer("sgd", network, 2);
  sgd->step(0.5, gradient, network);
  EXPECT_NEAR(network.hidden(0, 1), -0.5 * 2 * 1.9, 1e-12);
  sgd->step(0.5, gradient, network);
  EXPECT_NEAR(network.output(0), 0.5 * 4 * (1.9 + 2.71), 1e-12);
}

// minimise 1/2 |w - 3|^2 over all weights
TEST(Optimizer, EveryOneFindsTheBottomOfABowl) {
  for (const std::string& name : optimizer_names()) {
    Network network = two_layers(-1, 0.5);
    const auto optimizer = make_optimizer(name, network, 1);
    for (int step = 0; step < 2000; ++step) {
      Network gradient = network;
      gradient.hidden.array() -= 3;
      gradient.hidden_bias.array() -= 3;
      gradient.output.array() -= 3;
      optimizer->step(0.05 * schedule_factor("linear", step / 2000.0), gradient, network);
    }
    EXPECT_NEAR(network.hidden(0, 0), 3, 1e-3) << name;
    EXPECT_NEAR(network.hidden_bias(0), 3, 1e-3) << name;
    EXPECT_NEAR(network.output(0), 3, 1e-3) << name;
  }
  EXPECT_THROW(make_optimizer("adagrad", two_layers(1, 1), 1), std::invalid_argument);
}

TEST(Schedule, FallsFromOneAndNeverRises) {
  for (const std::string& name : schedule_names()) {
    EXPECT_EQ(schedule_factor(name, 0), 1) << name;
    double before = 1;
    for (double t = 0; t <= 1; t += 0.01) {
      EXPECT_LE(schedule_factor(name, t), before) << name;
      before = schedule_factor(name, t);
    }
    EXPECT_EQ(before == 1, name == "constant");
  }
  EXPECT_NEAR(schedule_factor("cosine", 0.5), 0.5, 1e-12);
  EXPECT_NEAR(schedule_factor("linear", 0.25), 0.75, 1e-12);
  EXPECT_EQ(schedule_factor("step", 0.6), 0.1);
  EXPECT_THROW(schedule_factor("cosinus", 0), std::invalid_argument);
}

// Features far from 0 and of different size: with a bias every neuron changes sides among the samples or at one of
// them.
TEST(Start, PutsTheKinkOfEveryNeuronAtASample) {
  Random random(3);
  Samples samples{Matrix::NullaryExpr(3, 50, [&] { return random.normal(); }), Vector::Constant(50, 40.0),
                  Vector::Ones(50)};
  samples.points.row(1).array() = 1000 + 30 * samples.points.row(1).array();
  const Network network = random_start(samples, Coordinates(samples, true), 100, true, random);
  const Matrix inputs = (network.hidden * samples.points).colwise() + network.hidden_bias;
  for (Index j = 0; j < 100; ++j) {
    EXPECT_LT(inputs.row(j).cwiseAbs().minCoeff(), 1e-9 * network.hidden.row(j).norm() * 1000);
  }
  const double size = network.predict(samples.points.transpose()).norm() / std::sqrt(50.0);
  EXPECT_GT(size, 40 * 0.2);
  EXPECT_LT(size, 40 * 5);
  EXPECT_EQ(random_start(samples, Coordinates(samples, false), 7, false, random).hidden_bias, Vector::Zero(7));
}

}  // namespace
}  // namespace conelu::baselines
