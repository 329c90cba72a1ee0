#include "conelu/worst_case.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "conelu/certificate.hpp"
#include "conelu/interior_point.hpp"
#include "linalg/random.hpp"
#include "problems/problems.hpp"

namespace conelu {
namespace {

/// A network's output as an attacker sees it: the bias is one more input, which he may or may not reach.
double output_at(const Network& network, const Vector& x) {
  double f = network.output_bias;
  for (Index j = 0; j < network.neurons(); ++j) {
    const double t = network.hidden.row(j).dot(x.head(network.inputs())) + network.hidden_bias(j) * x(network.inputs());
    f += network.output(j) * std::max(0.0, t);
  }
  return f;
}

Vector gradient_at(const Network& network, const Vector& x) {
  Vector gradient = Vector::Zero(x.size());
  for (Index j = 0; j < network.neurons(); ++j) {
    const double t = network.hidden.row(j).dot(x.head(network.inputs())) + network.hidden_bias(j) * x(network.inputs());
    if (t <= 0) continue;
    gradient.head(network.inputs()) += network.output(j) * network.hidden.row(j).transpose();
    gradient(network.inputs()) += network.output(j) * network.hidden_bias(j);
  }
  return gradient;
}

Vector into_ball(const Threat& threat, Vector delta) {
  if (threat.norm == Norm::infinity) return delta.cwiseMin(threat.radii).cwiseMax(-threat.radii);
  const double size = threat.size(delta);
  if (size > 1) delta /= size;
  return delta;
}

/// The largest side * f that random points of the ball and gradient steps from them find.
double attack(const Network& network, const Threat& threat, const Vector& x, double side, Random& random) {
  double best = side * output_at(network, x);
  for (int start = 0; start < 6; ++start) {
    const Vector direction = Vector::NullaryExpr(x.size(), [&] { return random.normal(); });
    Vector delta = into_ball(threat, threat.radii.cwiseProduct(direction) * (start % 2 == 0 ? 0.3 : 3.0));
    for (int step = 0; step < 12; ++step) {
      best = std::max(best, side * output_at(network, x + delta));
      const Vector ascent = threat.worst_perturbation(side * gradient_at(network, x + delta));
      delta = into_ball(threat, delta + (step < 6 ? 0.7 : 0.2) * ascent);
    }
    const Vector last = threat.worst_perturbation(side * gradient_at(network, x + delta));
    best = std::max(best, side * output_at(network, x + last));
  }
  return best;
}

Network random_network(Index m, Index d, std::uint64_t seed) {
  Random random(seed, 20);
  const auto normal = [&] { return random.normal(); };
  Network network;
  network.hidden = Matrix::NullaryExpr(m, d, normal);
  network.hidden_bias = Vector::NullaryExpr(m, normal);
  network.output = Vector::NullaryExpr(m, normal);
  network.output_bias = random.normal();
  return network;
}

Vector with_one(const Vector& x) {
  Vector longer(x.size() + 1);
  longer << x, 1;
  return longer;
}

/// Radii for the inputs and, last, for the bias.
Threat with_bias_radius(Threat threat, double radius) {
  threat.radii.conservativeResize(threat.radii.size() + 1);
  threat.radii(threat.radii.size() - 1) = radius;
  return threat;
}

class EveryNormBounds : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryNormBounds, testing::ValuesIn(norm_names()),
                         [](const auto& test) { return "l" + test.param; });

// Soundness by attack: nothing in the ball leaves the bounds, whatever the network, from tiny radii to huge ones.
TEST_P(EveryNormBounds, HoldEveryAttack) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(60, 2000); ++seed) {
    const Index d = 2 + static_cast<Index>(seed % 3);
    const Network network = random_network(1 + static_cast<Index>(seed % 7), d, seed);
    Random random(seed, 21);
    const Matrix X = Matrix::NullaryExpr(5, d, [&] { return random.normal(); });
    const double radius = std::pow(10.0, -3.0 + 0.5 * static_cast<double>(seed % 8));
    const Threat inputs = problems::random_threat(make_norm(GetParam()), radius, d, seed);
    for (const double bias_radius : {0.0, 0.5 * radius}) {
      const Threat threat = with_bias_radius(inputs, bias_radius);
      const Matrix bounds = output_bounds(network, X, bias_radius > 0 ? threat : inputs);
      for (Index k = 0; k < X.rows(); ++k) {
        const Vector x = with_one(X.row(k).transpose());
        EXPECT_LE(-attack(network, threat, x, -1, random), bounds(k, 1));
        EXPECT_GE(-attack(network, threat, x, -1, random), bounds(k, 0));
        EXPECT_LE(attack(network, threat, x, 1, random), bounds(k, 1));
      }
    }
  }
}

// In one dimension the extremes are at the ends or at a kink, so the true range is known: bounds hold it, and are not
// wider than they say where at most one neuron changes sides.
TEST_P(EveryNormBounds, HoldTheTrueRangeInOneDimension) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Network network = random_network(1 + static_cast<Index>(seed % 6), 1, seed);
    Random random(seed, 22);
    const double x = random.normal();
    const double radius = random.uniform();
    std::vector<double> points = {x - radius, x + radius};
    for (Index j = 0; j < network.neurons(); ++j) {
      const double kink = -network.hidden_bias(j) / network.hidden(j, 0);
      if (std::abs(kink - x) < radius) points.push_back(kink);
    }
    double low = INFINITY;
    double high = -INFINITY;
    for (const double point : points) {
      const double f = output_at(network, with_one(Vector::Constant(1, point)));
      low = std::min(low, f);
      high = std::max(high, f);
    }
    const Matrix bounds =
        output_bounds(network, Matrix::Constant(1, 1, x), Threat::uniform(make_norm(GetParam()), radius, 1, false));
    EXPECT_LE(bounds(0, 0), low + 1e-15 * std::abs(low));
    EXPECT_GE(bounds(0, 1), high - 1e-15 * std::abs(high));
    if (points.size() == 2) {
      EXPECT_NEAR(bounds(0, 0), low, 1e-13 * (1 + std::abs(low)));
      EXPECT_NEAR(bounds(0, 1), high, 1e-13 * (1 + std::abs(high)));
    }
  }
}

TEST_P(EveryNormBounds, AreExactWhereNoNeuronChangesSides) {
  int exact = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Network network = random_network(6, 3, seed);
    Random random(seed, 23);
    const Vector x = Vector::NullaryExpr(3, [&] { return random.normal(); });
    const Threat threat = problems::random_threat(make_norm(GetParam()), 0.05, 3, seed);
    bool stable = true;
    for (Index j = 0; j < network.neurons(); ++j) {
      const double t = network.hidden.row(j).dot(x) + network.hidden_bias(j);
      stable = stable && std::abs(t) > threat.worst_change(network.hidden.row(j).transpose());
    }
    if (!stable) continue;
    ++exact;
    const Matrix bounds = output_bounds(network, x.transpose(), threat);
    const Vector slope = gradient_at(network, with_one(x)).head(3);
    const Vector worst = threat.worst_perturbation(slope);
    EXPECT_NEAR(bounds(0, 0), output_at(network, with_one(x - worst)), 1e-12);
    EXPECT_NEAR(bounds(0, 1), output_at(network, with_one(x + worst)), 1e-12);
  }
  EXPECT_GT(exact, 10);
}

// A neuron exactly on the wall of its cone: one rounding error must not cost a separate norm.
TEST_P(EveryNormBounds, DoNotJumpWhereANeuronIsAboutToChangeSides) {
  Network network;
  network.hidden = (Matrix(2, 2) << 1, 1, 1, -1).finished();
  network.hidden_bias = Eigen::Vector2d(0, 3);
  network.output = Eigen::Vector2d(1, -1);
  const Threat threat = Threat::uniform(make_norm(GetParam()), 0.5, 2, false);
  const double wall = threat.worst_change(Eigen::Vector2d(1, 1));
  const auto bounds_at = [&](double shift) -> Matrix {
    network.hidden_bias(0) = -2 + wall * (1 + shift);
    return output_bounds(network, Matrix::Ones(1, 2), threat);
  };
  for (const double shift : {1e-15, -1e-15, -1e-12}) {
    EXPECT_NEAR(bounds_at(shift)(0, 0), bounds_at(1e-6)(0, 0), 1e-5);
    EXPECT_NEAR(bounds_at(shift)(0, 1), bounds_at(1e-6)(0, 1), 1e-5);
  }
}

// Two neurons of the same direction, one of which may change sides: what they share cancels within the joint norm, so
// f = (z_1)_+ - (z_2)_+ is bounded by the difference at x and not by two norms.
TEST_P(EveryNormBounds, UseTheGateThatCancels) {
  const Threat threat = Threat::uniform(make_norm(GetParam()), 0.5, 2, false);
  const double A = threat.worst_change(Eigen::Vector2d(1, 1));
  Network network;
  network.hidden = Matrix::Ones(2, 2);
  network.output = Eigen::Vector2d(1, -1);
  const double unstable = 0.75 * A;
  const double stable = 2 * A;
  network.hidden_bias = Eigen::Vector2d(unstable - 2, stable - 2);
  EXPECT_NEAR(output_bounds(network, Matrix::Ones(1, 2), threat)(0, 0), unstable - stable, 1e-12) << "open";
  network.hidden_bias = Eigen::Vector2d(stable - 2, unstable - 2);
  EXPECT_NEAR(output_bounds(network, Matrix::Ones(1, 2), threat)(0, 0), stable - unstable - (A - unstable), 1e-12)
      << "against";
  network.hidden_bias = Eigen::Vector2d(unstable - 2, -10 * A);
  EXPECT_NEAR(output_bounds(network, Matrix::Ones(1, 2), threat)(0, 0), 0, 1e-12) << "closed";
  // A third neuron across, better left closed while the first is open, on either side of the bound.
  network.hidden = (Matrix(3, 2) << 1, 1, 1, 1, 1, -1).finished();
  network.hidden_bias = Eigen::Vector3d(unstable - 2, stable - 2, 0.1 * A);
  network.output = Eigen::Vector3d(1, -1, -1);
  EXPECT_NEAR(output_bounds(network, Matrix::Ones(1, 2), threat)(0, 0), unstable - stable - 1.1 * A, 1e-12);
  network.output = Eigen::Vector3d(1, -1, 1);
  EXPECT_NEAR(output_bounds(network, Matrix::Ones(1, 2), threat)(0, 0), unstable - stable, 1e-12);
}

// g z <= (z)_+ <= g z + (A - e t)_+ with every choice of gates, by brute force: the bounds are one of them, and nearly
// always the best.
TEST_P(EveryNormBounds, AreThoseOfTheBestGatesNearlyAlways) {
  int best = 0;
  int all = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Index m = 6;
    const Network network = random_network(m, 3, seed);
    Random random(seed, 27);
    const Vector x = Vector::NullaryExpr(3, [&] { return random.normal(); });
    const Threat threat = Threat::uniform(make_norm(GetParam()), 0.1 + 0.4 * random.uniform(), 3, false);
    const Matrix bounds = output_bounds(network, x.transpose(), threat);
    for (const double side : {1.0, -1.0}) {
      double highest = -INFINITY;
      for (int choice = 0; choice < (1 << m); ++choice) {
        double value = side * network.output_bias;
        Vector weight = Vector::Zero(3);
        for (Index j = 0; j < m; ++j) {
          const Vector h = network.hidden.row(j).transpose();
          const double t = h.dot(x) + network.hidden_bias(j);
          const double output = side * network.output(j);
          const bool open = (choice >> j) & 1;
          if (open) {
            value += output * t;
            weight += output * h;
          }
          if (output < 0) value += output * std::max(0.0, threat.worst_change(h) - (open ? t : -t));
        }
        highest = std::max(highest, value - threat.worst_change(weight));
      }
      const double bound = side * bounds(0, side > 0 ? 0 : 1);
      EXPECT_LE(bound, highest + 1e-12);
      ++all;
      if (bound > highest - 1e-9) ++best;
    }
  }
  EXPECT_GT(best, 0.95 * all) << best << " of " << all;
}

// Huge weights whose sums all but vanish: the bounds hold the exact output, not only what doubles make of it.
TEST(OutputBounds, HoldTheExactOutputWhereWeightsCancel) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Network network = random_network(4, 5, seed);
    network.hidden *= 1e9;
    const Matrix X = problems::random_points(1, 5, false, false, seed).X;
    network.hidden_bias = network.hidden_bias - network.hidden * X.row(0).transpose();
    long double f = network.output_bias;
    for (Index j = 0; j < 4; ++j) {
      long double t = network.hidden_bias(j);
      for (Index a = 0; a < 5; ++a) t += static_cast<long double>(network.hidden(j, a)) * X(0, a);
      f += network.output(j) * std::max<long double>(0, t);
    }
    const Matrix bounds = output_bounds(network, X, {});
    EXPECT_LE(bounds(0, 0), f);
    EXPECT_GE(bounds(0, 1), f);
    EXPECT_LT(bounds(0, 1) - bounds(0, 0), 1e-3);
  }
}

TEST(OutputBounds, WithoutAThreatAreTheOutput) {
  const Network network = random_network(9, 4, 1);
  const Matrix X = problems::random_points(2500, 4, false, false, 1).X;  // more than one slice
  const Vector f = network.predict(X);
  for (const Threat& threat : {Threat(), Threat::uniform(Norm::two, 0, 4, false)}) {
    const Matrix bounds = output_bounds(network, X, threat);
    EXPECT_TRUE((bounds.col(0).array() <= f.array()).all());
    EXPECT_TRUE((bounds.col(1).array() >= f.array()).all());
    EXPECT_LT((bounds.col(1) - bounds.col(0)).maxCoeff(), 1e-12);
  }
}

TEST(OutputBounds, OfANetworkWithoutNeuronsAreItsOutputBias) {
  Network network = recover_network(Matrix::Zero(3, 4), true);
  network.output_bias = 0.5;
  const Matrix bounds = output_bounds(network, Matrix::Ones(2, 2), Threat::uniform(Norm::infinity, 1, 2, false));
  EXPECT_NEAR(bounds(1, 0), 0.5, 1e-14);
  EXPECT_NEAR(bounds(1, 1), 0.5, 1e-14);
}

TEST(OutputBounds, AreInfiniteForRowsThatAreNotFinite) {
  const Network network = random_network(3, 2, 1);
  Matrix X = Matrix::Ones(3, 2);
  X(1, 0) = std::nan("");
  X(2, 1) = HUGE_VAL;
  const Matrix bounds = output_bounds(network, X, Threat::uniform(Norm::one, 0.1, 2, false));
  EXPECT_TRUE(bounds.row(0).allFinite());
  for (const Index k : {1, 2}) {
    EXPECT_EQ(bounds(k, 0), -HUGE_VAL);
    EXPECT_EQ(bounds(k, 1), HUGE_VAL);
  }
}

TEST(OutputBounds, ThrowsIfXOrTheThreatDoNotFit) {
  const Network network = random_network(3, 2, 1);
  EXPECT_THROW(output_bounds(network, Matrix::Ones(1, 3), {}), std::invalid_argument);
  EXPECT_THROW(output_bounds(network, Matrix::Ones(1, 2), Threat::uniform(Norm::two, 1, 4, false)),
               std::invalid_argument);
}

class EveryRobustNetwork : public testing::TestWithParam<problems::Setting> {
 protected:
  /// A random point of a random program, on the walls of its cones for every other seed.
  struct Trained {
    Program program;
    Matrix U;
    Network network;
  };
  Trained make(std::uint64_t seed) const {
    Program program = problems::random_program(GetParam(), 12, 3, 4, 0.05, seed);
    Matrix U = problems::random_feasible_blocks(program, std::pow(4.0, static_cast<double>(seed % 4) - 2), seed);
    if (seed % 2 == 1) {
      Random random(seed, 24);
      U += 0.3 * Matrix::NullaryExpr(U.rows(), U.cols(), [&] { return random.normal(); });
      repair(program, U);
    }
    Network network = recover_network(U, true);
    return {std::move(program), std::move(U), std::move(network)};
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, EveryRobustNetwork, testing::ValuesIn(problems::every_setting()),
                         [](const auto& test) { return test.param.name(); });

// The promise that robust training makes: no attack does more than the objective says.
TEST_P(EveryRobustNetwork, IsNeverBrokenBeyondItsObjective) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(16, 500); ++seed) {
    const Trained trained = make(seed);
    const Program& program = trained.program;
    Threat threat = program.threat();
    if (threat.radii.size() == 0) threat = Threat::uniform(Norm::infinity, 0, 3, false);
    Random random(seed, 25);
    double broken = trained.network.penalty(program.beta());
    for (Index k = 0; k < program.samples(); ++k) {
      const Vector x = program.X().row(k).transpose();
      const double y = program.y()(k);
      const double high = attack(trained.network, threat, x, 1, random);
      const double low = -attack(trained.network, threat, x, -1, random);
      broken += program.loss_weights()(k) * std::max(program.loss().value(low, y), program.loss().value(high, y));
    }
    EXPECT_LE(broken, network_objective(program, trained.network, true) * (1 + 1e-13)) << "seed " << seed;
    EXPECT_LE(broken, program.objective(trained.U) * (1 + 1e-13)) << "seed " << seed;
  }
}

// For the paper's program the promise is exact: its closed form is an attack that does precisely as much.
TEST_P(EveryRobustNetwork, IsBrokenByTheClosedFormExactlyAsTheObjectiveOfTheConesSays) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(30, 500); ++seed) {
    const Trained trained = make(seed);
    const Program& program = trained.program;
    const Matrix deltas = worst_perturbations(program, trained.U);
    double broken = trained.network.penalty(program.beta());
    for (Index k = 0; k < program.samples(); ++k) {
      const Vector delta = deltas.row(k).transpose();
      EXPECT_LE(program.threat().size(delta), 1 + 1e-14);
      const Vector x = program.X().row(k).transpose() + delta;
      broken += program.loss_weights()(k) * program.loss().value(output_at(trained.network, x), program.y()(k));
    }
    const double objective = program.objective(trained.U);
    EXPECT_LE(broken, objective * (1 + 1e-13));
    if (GetParam().method != Method::cones) continue;
    EXPECT_NEAR(broken, objective, 1e-9 * objective) << "seed " << seed;
    EXPECT_NEAR(network_objective(program, trained.network, true), objective, 1e-9 * objective) << "seed " << seed;
    EXPECT_NEAR(network_objective(program, recover_network(trained.U, false), false), objective, 1e-9 * objective);
  }
}

// At a solution many neurons sit on the walls of their cones, where one rounding error decides what they are.
TEST_P(EveryRobustNetwork, KeepsThePromiseAtTheSolution) {
  const Program program = problems::random_program(GetParam(), 30, 3, 8, 1e-3, 1);
  const Solution solution = InteriorPoint().solve(program);
  const Network network = recover_network(solution.blocks, true);
  const double certified = network_objective(program, network, true);
  const double objective = solution.certificate.objective;
  Threat threat = program.threat();
  if (threat.radii.size() == 0) threat = Threat::uniform(Norm::infinity, 0, 3, false);
  Random random(1, 26);
  double broken = network.penalty(program.beta());
  for (Index k = 0; k < program.samples(); ++k) {
    const Vector x = program.X().row(k).transpose();
    const double y = program.y()(k);
    broken += program.loss_weights()(k) * std::max(program.loss().value(attack(network, threat, x, 1, random), y),
                                                   program.loss().value(-attack(network, threat, x, -1, random), y));
  }
  EXPECT_LE(broken, certified * (1 + 1e-13));
  EXPECT_LE(broken, objective * (1 + 1e-13));
  if (GetParam().method == Method::cones) {
    EXPECT_NEAR(certified, objective, 1e-9 * objective);
  }
}

}  // namespace
}  // namespace conelu
