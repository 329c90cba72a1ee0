#include "conelu/verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "conelu/interior_point.hpp"
#include "conelu/worst_case.hpp"
#include "evaluate/brute_force.hpp"
#include "problems/problems.hpp"

namespace conelu {
namespace {

using test::BruteForce;
using test::exactly;
using test::output_at;
using test::random_network;

class EveryNormVerify : public testing::TestWithParam<std::string> {
 protected:
  Norm norm() const { return make_norm(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Registry, EveryNormVerify, testing::ValuesIn(norm_names()),
                         [](const auto& test) { return "l" + test.param; });

/// Limits around most features of most rows; some rows are at a limit, some outside.
void limit_features(VerifySettings& settings, const Vector& x, Random& random) {
  settings.lower = x.array() - settings.threat.radii.array() * Vector::NullaryExpr(x.size(), [&] {
                                                                 const double share = 2.5 * random.uniform() - 0.5;
                                                                 return share < -0.3 ? share : std::max(0.0, share);
                                                               }).array();
  settings.upper = settings.lower.array() + settings.threat.radii.maxCoeff() * (0.3 + 2 * random.uniform());
}

/// True and inside, and what the verdict says of it holds when the network is evaluated again.
void expect_honest(const Network& network, const Vector& x, double y, const VerifySettings& settings,
                   const Verification& row) {
  ASSERT_EQ(row.worst.size(), x.size());
  const Vector delta = row.worst - x;
  for (Index a = 0; a < x.size(); ++a) {
    const test::Room room = test::room_of(x, settings, a);
    if (room.down == 0 && room.up == 0) {
      EXPECT_EQ(row.worst(a), x(a)) << "feature " << a << " cannot be moved";
    }
    if (delta(a) < 0 && settings.lower.size() > 0) {
      EXPECT_GE(row.worst(a), settings.lower(a));
    }
    if (delta(a) > 0 && settings.upper.size() > 0) {
      EXPECT_LE(row.worst(a), settings.upper(a));
    }
  }
  if (settings.threat.radii.size() > 0) {
    EXPECT_LE(settings.threat.size(delta), 1);
  }
  const double f = network.predict(row.worst.transpose())(0);
  if (settings.task == Task::classification) {
    EXPECT_NEAR(y * f, row.upper, 1e-9 * (1 + std::abs(f)));
    if (row.verdict == Verdict::broken) {
      EXPECT_NE(f >= 0, y > 0) << "score " << f;
    }
    if (row.verdict == Verdict::robust) {
      EXPECT_GE(row.lower, 0);
    }
  } else {
    EXPECT_NEAR(std::abs(f - y), row.lower, 1e-9 * (1 + std::abs(f) + std::abs(y)));
    if (row.verdict == Verdict::broken) {
      EXPECT_GT(std::abs(f - y), settings.max_error);
    }
    if (row.verdict == Verdict::robust) {
      EXPECT_LE(row.upper, settings.max_error);
    }
  }
  EXPECT_LE(row.lower, row.upper);
}

// Up to two features of positive radius among three: all points where a minimum can be are tried.
TEST_P(EveryNormVerify, AgreesWithBruteForce) {
  int broken = 0;
  int robust = 0;
  for (std::uint64_t seed = 0; seed < problems::repetitions(1000, 20000); ++seed) {
    Random random(seed, 40);
    const Network network = random_network(1 + static_cast<Index>(seed % 9), 3, random);
    const Vector x = Vector::NullaryExpr(3, [&] { return random.normal(); });
    Threat threat{norm(), Vector::NullaryExpr(3, [&] { return 0.05 + 1.5 * random.uniform() * random.uniform(); })};
    threat.radii(random.below(3)) = 0;
    if (seed % 4 == 0) threat.radii(random.below(3)) = 0;
    VerifySettings settings = exactly(threat);
    if (seed % 3 == 0) limit_features(settings, x, random);
    BruteForce brute(network, x, settings);
    ASSERT_LE(brute.moved(), 2);
    for (const double y : {-1.0, 1.0}) {
      const double lowest = brute.lowest(y);
      const Verification row = verify(network, x.transpose(), Vector::Constant(1, y), settings).front();
      EXPECT_NEAR(row.lower, lowest, 1e-8) << "seed " << seed << " y " << y;
      EXPECT_NEAR(row.upper, lowest, 1e-8) << "seed " << seed << " y " << y;
      EXPECT_LE(row.lower, lowest + 1e-11);
      EXPECT_GE(row.upper, lowest - 1e-11);
      if (std::abs(lowest) > 1e-8) {
        EXPECT_EQ(row.verdict, lowest > 0 ? Verdict::robust : Verdict::broken);
      }
      expect_honest(network, x, y, settings, row);

      VerifySettings quick = settings;
      quick.exact = false;
      const Verification verdict = verify(network, x.transpose(), Vector::Constant(1, y), quick).front();
      EXPECT_EQ(verdict.verdict, row.verdict) << "seed " << seed;
      EXPECT_LE(verdict.lower, lowest + 1e-11);
      EXPECT_GE(verdict.upper, lowest - 1e-11);
      expect_honest(network, x, y, quick, verdict);
      ++(row.verdict == Verdict::robust ? robust : broken);
    }
  }
  EXPECT_GT(robust, 50);
  EXPECT_GT(broken, 50);
}

TEST_P(EveryNormVerify, FindsTheRangeOfARegressorByBruteForce) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(500, 10000); ++seed) {
    Random random(seed, 41);
    const Network network = random_network(1 + static_cast<Index>(seed % 8), 2, random);
    const Vector x = Vector::NullaryExpr(2, [&] { return random.normal(); });
    const Threat threat{norm(), Vector::NullaryExpr(2, [&] { return 0.05 + random.uniform(); })};
    const double y = output_at(network, x) + 0.3 * random.normal();
    VerifySettings settings = exactly(threat, Task::regression);
    if (seed % 3 == 0) limit_features(settings, x, random);
    BruteForce brute(network, x, settings);
    const double largest = std::max(y - brute.lowest(1), -brute.lowest(-1) - y);
    settings.max_error = largest * (seed % 2 == 0 ? 0.99 : 1.01);
    for (const bool exact : {true, false}) {
      settings.exact = exact;
      const Verification row = verify(network, x.transpose(), Vector::Constant(1, y), settings).front();
      EXPECT_EQ(row.verdict, seed % 2 == 0 ? Verdict::broken : Verdict::robust) << "seed " << seed;
      EXPECT_LE(row.lower, largest + 1e-11);
      EXPECT_GE(row.upper, largest - 1e-11);
      if (exact) {
        EXPECT_NEAR(row.upper, row.lower, 1e-8);
      }
      expect_honest(network, x, y, settings, row);
    }
  }
}

// In more dimensions: the bounds meet, and nothing that a search finds is outside.
TEST_P(EveryNormVerify, EnclosesWhatAnySearchFinds) {
  long branches = 0;
  for (std::uint64_t seed = 0; seed < problems::repetitions(30, 600); ++seed) {
    Random random(seed, 42);
    const Index d = 3 + static_cast<Index>(seed % 8);
    Network network = random_network(20 + 5 * static_cast<Index>(seed % 5), d, random);
    network.hidden_bias *= 0.3;  // kinks near the row
    const Vector x = 0.3 * Vector::NullaryExpr(d, [&] { return random.normal(); });
    VerifySettings settings = exactly(problems::random_threat(norm(), 0.1 + random.uniform(), d, seed));
    if (seed % 3 == 0) limit_features(settings, x, random);
    const double y = random.uniform() < 0.5 ? -1.0 : 1.0;
    const Verification row = verify(network, x.transpose(), Vector::Constant(1, y), settings).front();
    EXPECT_NEAR(row.lower, row.upper, 1e-7) << "seed " << seed;
    expect_honest(network, x, y, settings, row);
    branches += row.branches;
    for (int i = 0; i < 3000; ++i) {
      EXPECT_GE(y * output_at(network, test::random_point(x, settings, random)), row.lower) << "seed " << seed;
    }
  }
  EXPECT_GT(branches, 100) << "problems without a branch prove little";
}

// At a point that satisfies the cones no neuron changes sides in any ball: the closed form of Theorem LEMMA:INNER_MAX.
TEST_P(EveryNormVerify, EqualsTheClosedFormOfTheConesAtTheirSamples) {
  for (const char* loss : {"hinge", "squared"}) {
    const problems::Setting setting{loss, Method::cones, norm(), 0.1};
    for (std::uint64_t seed = 0; seed < problems::repetitions(6, 100); ++seed) {
      const Program program = problems::random_program(setting, 14, 3, 5, 0.02, seed);
      const Solution solution = InteriorPoint().solve(program);
      const Network network = recover_network(solution.blocks, false);
      const Matrix range = program.output_range(solution.blocks);
      VerifySettings settings =
          exactly(program.threat(), program.loss().is_margin_loss() ? Task::classification : Task::regression);
      const std::vector<Verification> rows = verify(network, program.X(), program.y(), settings);
      for (Index k = 0; k < program.samples(); ++k) {
        const Verification& row = rows[static_cast<std::size_t>(k)];
        const double y = program.y()(k);
        const double worst = settings.task == Task::classification
                                 ? std::min(y * range(k, 0), y * range(k, 1))
                                 : std::max(std::abs(range(k, 0) - y), std::abs(range(k, 1) - y));
        EXPECT_NEAR(row.lower, worst, 1e-9 * (1 + std::abs(worst))) << "seed " << seed << " row " << k;
        EXPECT_NEAR(row.upper, worst, 1e-9 * (1 + std::abs(worst))) << "seed " << seed << " row " << k;
      }
    }
  }
}

// ---- the edge between right and wrong

Network constant_network(double value, Index d) {
  Network network;
  network.hidden.resize(0, d);
  network.hidden_bias.resize(0);
  network.output.resize(0);
  network.output_bias = value;
  return network;
}

TEST(Verify, CountsAnOutputOfZeroAsThePositiveClass) {
  VerifySettings settings;
  settings.threat = Threat::uniform(Norm::infinity, 1, 2, false);
  const Matrix X = Matrix::Zero(2, 2);
  const Vector y = Eigen::Vector2d(1, -1);
  const std::vector<Verification> zero = verify(constant_network(0, 2), X, y, settings);
  EXPECT_EQ(zero[0].verdict, Verdict::robust);
  EXPECT_EQ(zero[1].verdict, Verdict::broken);
  for (const Verification& row : zero) {
    EXPECT_EQ(row.lower, 0);
    EXPECT_EQ(row.upper, 0);
  }
  // max(x1, 0) is never below 0, and 0 on half of the ball.
  Network ramp;
  ramp.hidden = Eigen::RowVector2d(1, 0);
  ramp.hidden_bias = Vector::Zero(1);
  ramp.output = Vector::Ones(1);
  const std::vector<Verification> rows = verify(ramp, Matrix::Ones(2, 2) * 0.5, y, settings);
  EXPECT_EQ(rows[0].verdict, Verdict::robust);
  EXPECT_EQ(rows[0].lower, 0);
  EXPECT_EQ(rows[1].verdict, Verdict::broken);
}

// f(x) = x1 with |x1 - 1| <= radius: broken as soon as the radius is above 1, whatever rounding does.
TEST(Verify, IsRightOnBothSidesOfTheThreshold) {
  Network line;
  line.hidden = (Matrix(2, 1) << 1, -1).finished();
  line.hidden_bias = Vector::Zero(2);
  line.output = Eigen::Vector2d(1, -1);
  for (const std::string& norm : norm_names()) {
    for (const double y : {1.0, -1.0}) {
      VerifySettings settings;
      settings.threat = Threat::uniform(make_norm(norm), 1 + 1e-6, 1, false);
      EXPECT_EQ(verify(line, Matrix::Constant(1, 1, y), Vector::Constant(1, y), settings)[0].verdict, Verdict::broken);
      settings.threat.radii *= 1 - 3e-6;
      EXPECT_EQ(verify(line, Matrix::Constant(1, 1, y), Vector::Constant(1, y), settings)[0].verdict, Verdict::robust);
    }
  }
}

// Two equal neurons of opposite sign: the output is 0, but no bound that rounds can say so.
TEST(Verify, DoesNotDecideWithinRounding) {
  Random random(1, 43);
  Network network = random_network(1, 3, random);
  network.hidden = network.hidden.replicate(2, 1).eval();
  network.hidden_bias = network.hidden_bias.replicate(2, 1).eval();
  network.output = Eigen::Vector2d(0.7, -0.7);
  network.output_bias = 0;
  VerifySettings settings;
  settings.threat = Threat::uniform(Norm::infinity, 5, 3, false);
  const Verification row = verify(network, Matrix::Zero(1, 3), Vector::Constant(1, 1.0), settings)[0];
  EXPECT_NE(row.verdict, Verdict::broken);
  EXPECT_LE(row.lower, 0);
  EXPECT_GE(row.lower, -1e-7);
  EXPECT_LT(row.seconds, 5);
}

// Huge weights whose sums all but vanish: the bounds hold the exact output, not only what doubles make of it.
TEST(Verify, HoldsTheExactOutputWhereWeightsCancel) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed, 44);
    Network network = random_network(6, 5, random);
    network.hidden *= 1e9;
    const Vector x = Vector::NullaryExpr(5, [&] { return random.normal(); });
    network.hidden_bias -= network.hidden * x;
    VerifySettings settings = exactly(Threat::uniform(Norm::infinity, seed % 2 == 0 ? 0 : 1e-9, 5, false));
    const Verification row = verify(network, x.transpose(), Vector::Constant(1, 1.0), settings)[0];
    EXPECT_LE(row.lower, output_at(network, x));
    EXPECT_GE(row.upper, output_at(network, row.worst));
    EXPECT_LT(row.upper - row.lower, 1e-2);
    EXPECT_LT(row.seconds, 5);
    for (int i = 0; i < 100; ++i) {
      EXPECT_GE(output_at(network, test::random_point(x, settings, random)), row.lower) << "seed " << seed;
    }
  }
}

// A radius that is nearly lost in the size of x: points must be inside as Threat::size computes it.
TEST_P(EveryNormVerify, KeepsThePointInsideWhereRoundingIsCoarse) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed, 45);
    const Network network = random_network(5, 4, random);
    const Vector x = Vector::NullaryExpr(4, [&] { return 1e4 * random.normal(); });
    const double radius = std::pow(10.0, -14 + static_cast<double>(seed % 14));
    VerifySettings settings = exactly(problems::random_threat(norm(), radius, 4, seed));
    const Verification row = verify(network, x.transpose(), Vector::Constant(1, -1.0), settings)[0];
    expect_honest(network, x, -1, settings, row);
  }
}

TEST(Verify, WithoutAThreatIsTheOutput) {
  Random random(1, 46);
  const Network network = random_network(9, 3, random);
  const Matrix X = Matrix::NullaryExpr(20, 3, [&] { return random.normal(); });
  const Vector y = Vector::Ones(20);
  for (const Threat& threat : {Threat(), Threat::uniform(Norm::two, 0, 3, false)}) {
    const std::vector<Verification> rows = verify(network, X, y, exactly(threat));
    for (Index k = 0; k < 20; ++k) {
      const Verification& row = rows[static_cast<std::size_t>(k)];
      const double f = output_at(network, X.row(k).transpose());
      EXPECT_EQ(row.verdict, f >= 0 ? Verdict::robust : Verdict::broken);
      EXPECT_NEAR(row.lower, f, 1e-12);
      EXPECT_NEAR(row.upper, f, 1e-12);
      EXPECT_EQ(row.worst, X.row(k).transpose());
    }
  }
}

// ---- more than two classes

// The margin is that over the best of the others: brute force on the difference to each of them.
TEST_P(EveryNormVerify, TakesTheClosestOfSeveralClasses) {
  int robust = 0;
  for (std::uint64_t seed = 0; seed < problems::repetitions(150, 3000); ++seed) {
    Random random(seed, 52);
    std::vector<Network> networks;
    for (int c = 0; c < 3; ++c) networks.push_back(random_network(1 + static_cast<Index>(seed % 4), 2, random));
    const Vector x = Vector::NullaryExpr(2, [&] { return random.normal(); });
    const VerifySettings settings = exactly({norm(), Vector::NullaryExpr(2, [&] { return 0.3 * random.uniform(); })});
    for (Index label = 0; label < 3; ++label) {
      const Network& own = networks[static_cast<std::size_t>(label)];
      double lowest = INFINITY;
      for (Index other = 0; other < 3; ++other) {
        const Network& rival = networks[static_cast<std::size_t>(other)];
        if (other == label) continue;
        Network difference = own;
        difference.hidden.conservativeResize(own.neurons() + rival.neurons(), Eigen::NoChange);
        difference.hidden.bottomRows(rival.neurons()) = rival.hidden;
        difference.hidden_bias.conservativeResize(difference.hidden.rows());
        difference.hidden_bias.tail(rival.neurons()) = rival.hidden_bias;
        difference.output.conservativeResize(difference.hidden.rows());
        difference.output.tail(rival.neurons()) = -rival.output;
        difference.output_bias -= rival.output_bias;
        lowest = std::min(lowest, BruteForce(difference, x, settings).lowest(1));
      }
      const Verification row = verify(networks, x.transpose(), {label}, settings).front();
      EXPECT_NEAR(row.lower, lowest, 1e-8) << "seed " << seed;
      EXPECT_NEAR(row.upper, lowest, 1e-8) << "seed " << seed;
      EXPECT_EQ(row.verdict, lowest > 0 ? Verdict::robust : Verdict::broken);
      if (row.verdict == Verdict::robust) ++robust;
      std::vector<double> outputs;
      for (const Network& network : networks) outputs.push_back(output_at(network, row.worst));
      const auto winner = std::max_element(outputs.begin(), outputs.end()) - outputs.begin();
      EXPECT_EQ(winner == label, row.verdict == Verdict::robust) << "seed " << seed;
      EXPECT_LE(settings.threat.size(row.worst - x), 1);

      const RadiusBounds radius = robust_radius(networks, x.transpose(), {label}, settings).front();
      EXPECT_EQ(radius.lower >= 1, row.verdict == Verdict::robust) << "seed " << seed << ": " << radius.lower;
    }
  }
  EXPECT_GT(robust, 20);
}

// Of equal outputs the first class wins, everywhere.
TEST(Verify, GivesEqualOutputsToTheFirstClass) {
  const std::vector<Network> networks = {constant_network(0.25, 1), constant_network(0.25, 1), constant_network(0, 1)};
  VerifySettings settings;
  settings.threat = Threat::uniform(Norm::infinity, 1, 1, false);
  const std::vector<Verification> rows = verify(networks, Matrix::Zero(3, 1), {0, 1, 2}, settings);
  EXPECT_NE(rows[0].verdict, Verdict::broken);
  EXPECT_NE(rows[1].verdict, Verdict::robust);
  EXPECT_EQ(rows[2].verdict, Verdict::broken);
  EXPECT_THROW(verify(networks, Matrix::Zero(1, 1), {3}, settings), std::invalid_argument);
  EXPECT_THROW(verify(networks, Matrix::Zero(1, 1), {0, 1}, settings), std::invalid_argument);
  EXPECT_THROW(verify(std::vector<Network>(1, networks[0]), Matrix::Zero(1, 1), {0}, settings), std::invalid_argument);
  settings.task = Task::regression;
  EXPECT_THROW(verify(networks, Matrix::Zero(1, 1), {0}, settings), std::invalid_argument);
}

}  // namespace
}  // namespace conelu
