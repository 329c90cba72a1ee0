#include "conelu/network.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "conelu/interior_point.hpp"
#include "conelu/patterns.hpp"
#include "problems/problems.hpp"

namespace conelu {
namespace {

TEST(Network, PredictsTheSumOverItsNeurons) {
  Network network;
  network.hidden = (Matrix(3, 2) << 1, 2, -1, 0.5, 0, 3).finished();
  network.hidden_bias = Eigen::Vector3d(0.1, -0.2, 1);
  network.output = Eigen::Vector3d(2, -1, 0.5);
  network.output_bias = 0.25;
  const problems::Points points = problems::random_points(3000, 2, false, false, 1);
  const Vector f = network.predict(points.X);
  for (Index k = 0; k < f.size(); ++k) {
    double sum = 0.25;
    for (Index j = 0; j < 3; ++j) {
      sum += network.output(j) * std::max(0.0, network.hidden.row(j).dot(points.X.row(k)) + network.hidden_bias(j));
    }
    ASSERT_NEAR(f(k), sum, 1e-12);
  }
  EXPECT_THROW(network.predict(Matrix::Zero(2, 3)), std::invalid_argument);
}

// One sample of huge weight that the network hits but for rounding: what rounding hides of the residual is multiplied by
// the weight. Compared in long double, where next to nothing is hidden.
TEST(Network, HasNoObjectiveBelowTheTrueOneWhereRoundingHidesALoss) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const problems::Points points = problems::random_points(2, 3, false, false, seed);
    Network network;
    network.hidden = points.X;
    network.hidden_bias = Vector::Constant(2, 0.1);
    network.output = Vector::Ones(2);
    // The outputs as double arithmetic has them become the targets.
    const Program hit(points.X, network.predict(points.X), Vector::Constant(2, 1e12), make_loss("absolute"), 1e-6,
                      make_patterns("gaussian", points.X, {.count = 1}).patterns);
    long double truth = network.penalty(1e-6);
    for (Index k = 0; k < 2; ++k) {
      long double f = 0;
      for (Index j = 0; j < 2; ++j) {
        long double t = network.hidden_bias(j);
        for (Index a = 0; a < 3; ++a) t += static_cast<long double>(network.hidden(j, a)) * points.X(k, a);
        f += static_cast<long double>(network.output(j)) * std::max<long double>(t, 0);
      }
      truth += 1e12L * std::abs(f - static_cast<long double>(hit.y()(k)));
    }
    EXPECT_GE(network_objective(hit, network, false), static_cast<double>(truth * (1 - 1e-12L))) << seed;
  }
}

TEST(Network, WithoutNeuronsPredictsItsOutputBias) {
  const Network network = recover_network(Matrix::Zero(3, 4), true);
  EXPECT_EQ(network.neurons(), 0);
  EXPECT_EQ(network.inputs(), 2);
  EXPECT_EQ(network.predict(Matrix::Ones(5, 2)).norm(), 0);
}

class EveryLossNetwork : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryLossNetwork, testing::ValuesIn(loss_names()),
                         [](const auto& test) { return problems::test_name(test.param); });

// For a point inside the cones the network's own objective is the convex one: the heart of the equivalence.
TEST_P(EveryLossNetwork, HasTheObjectiveOfTheConvexProgramAtEveryFeasiblePoint) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Program program = problems::random_program(GetParam(), 20, 4, 10, 0.01, seed);
    const Matrix U = problems::random_feasible_blocks(program, 2.0, seed);
    const double convex = program.objective(U);
    EXPECT_NEAR(network_objective(program, recover_network(U, true), true), convex, 1e-12 * convex);
    EXPECT_NEAR(network_objective(program, recover_network(U, false), false), convex, 1e-12 * convex);
  }
}

TEST_P(EveryLossNetwork, HasTheObjectiveOfTheConvexProgramAtTheSolution) {
  const Program program = problems::random_program(GetParam(), 50, 4, 30, 1e-3, 1);
  const Solution solution = InteriorPoint().solve(program);
  const double convex = solution.certificate.objective;
  EXPECT_NEAR(network_objective(program, recover_network(solution.blocks, true), true), convex, 1e-9 * convex);
}

}  // namespace
}  // namespace conelu
