#include <gtest/gtest.h>

#include <stdexcept>

#include "evaluate/brute_force.hpp"
#include "problems/problems.hpp"

namespace conelu {
namespace {

using test::output_at;
using test::random_network;

class EveryNormRadius : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryNormRadius, testing::ValuesIn(norm_names()),
                         [](const auto& test) { return "l" + test.param; });

// By brute force the row is robust at the lower bound and broken at the upper one.
TEST_P(EveryNormRadius, IsWhereBruteForceSeesTheRowBreak) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < problems::repetitions(150, 3000); ++seed) {
    Random random(seed, 70);
    const Network network = random_network(2 + static_cast<Index>(seed % 7), 2, random);
    const Vector x = Vector::NullaryExpr(2, [&] { return random.normal(); });
    VerifySettings settings;
    settings.threat = Threat{make_norm(GetParam()), Vector::NullaryExpr(2, [&] { return 0.1 + random.uniform(); })};
    double y = output_at(network, x) >= 0 ? 1.0 : -1.0;
    if (seed % 4 == 1) {
      settings.task = Task::regression;
      settings.max_error = 0.2 + random.uniform();
      y = output_at(network, x) + 0.19 * (2 * random.uniform() - 1);
    } else if (seed % 4 == 2) {
      settings.lower = x.array() - random.uniform();
      settings.upper = x.array() + random.uniform();
    }
    const RadiusBounds radius = robust_radius(network, x.transpose(), Vector::Constant(1, y), settings, 1e-3, 50)[0];
    const auto worst_at = [&](double factor) {
      VerifySettings scaled = settings;
      scaled.threat.radii *= factor;
      test::BruteForce brute(network, x, scaled);
      if (settings.task == Task::classification) return brute.lowest(y);
      return settings.max_error - std::max(y - brute.lowest(1), -brute.lowest(-1) - y);
    };
    EXPECT_LE(radius.lower, radius.upper);
    EXPECT_GT(radius.lower, 0);
    EXPECT_GE(worst_at(radius.lower), -1e-10) << "seed " << seed;
    if (std::isinf(radius.upper)) {
      EXPECT_EQ(radius.lower, 50);
      continue;
    }
    ++found;
    EXPECT_LE(worst_at(radius.upper), 1e-10) << "seed " << seed;
    EXPECT_LE(radius.upper, radius.lower * 1.001) << "seed " << seed;
  }
  EXPECT_GT(found, 50);
}

// f(x) = x1 in dimension 3: the margin is the distance.
TEST_P(EveryNormRadius, OfALinearFunctionIsItsMarginOverTheDualNorm) {
  Network line;
  line.hidden = (Matrix(2, 3) << 1, 2, -2, -1, -2, 2).finished();
  line.hidden_bias = Eigen::Vector2d(0.5, -0.5);
  line.output = Eigen::Vector2d(1, -1);
  VerifySettings settings;
  settings.threat = {make_norm(GetParam()), Eigen::Vector3d(0.1, 0.2, 0)};
  Matrix X(3, 3);
  X << 1, 1, 1, -2, 0, 3, 0, 0, 0.25;
  Vector y(3);
  y << 1, -1, -1;  // the last is wrong: f = 0
  const std::vector<RadiusBounds> rows = robust_radius(line, X, y, settings, 1e-4);
  for (Index k = 0; k < 2; ++k) {
    const double margin = y(k) * output_at(line, X.row(k).transpose());
    const double expected = margin / settings.threat.worst_change(Eigen::Vector3d(1, 2, -2));
    EXPECT_NEAR(rows[static_cast<std::size_t>(k)].lower, expected, 1e-4 * expected);
    EXPECT_NEAR(rows[static_cast<std::size_t>(k)].upper, expected, 1e-4 * expected);
  }
  EXPECT_EQ(rows[2].lower, 0);
  EXPECT_EQ(rows[2].upper, 0);
}

TEST(RobustRadius, IsInfiniteIfNothingCanBeMoved) {
  Random random(1, 71);
  Network network = random_network(4, 2, random);
  network.output_bias = 100;
  for (const Threat& threat : {Threat(), Threat::uniform(Norm::two, 0, 2, false)}) {
    VerifySettings settings;
    settings.threat = threat;
    const RadiusBounds radius = robust_radius(network, Matrix::Zero(1, 2), Vector::Ones(1), settings)[0];
    EXPECT_EQ(radius.lower, 1e3);
    EXPECT_EQ(radius.upper, INFINITY);
  }
}

TEST(RobustRadius, EndsInTimeWithBoundsThatHold) {
  Random random(2, 72);
  Network network = random_network(120, 20, random);
  network.hidden_bias *= 0.1;
  network.output_bias = 60;
  VerifySettings settings;
  settings.threat = Threat::uniform(Norm::infinity, 0.1, 20, false);
  settings.time_limit = 0.5;
  const RadiusBounds radius = robust_radius(network, Matrix::Zero(1, 20), Vector::Ones(1), settings, 1e-9)[0];
  EXPECT_LT(radius.lower, radius.upper);
  VerifySettings at = settings;
  at.threat.radii *= radius.lower;
  for (int i = 0; i < 2000; ++i) {
    EXPECT_GE(output_at(network, test::random_point(Vector::Zero(20), at, random)), 0);
  }
}

TEST(RobustRadius, NamesTheArgumentThatDoesNotFit) {
  Random random(3, 73);
  const Network network = random_network(3, 2, random);
  const Matrix X = Matrix::Zero(1, 2);
  const Vector y = Vector::Ones(1);
  EXPECT_THROW(robust_radius(network, X, Vector::Zero(1), {}), std::invalid_argument);
  EXPECT_THROW(robust_radius(network, X, y, {}, 0), std::invalid_argument);
  EXPECT_THROW(robust_radius(network, X, y, {}, 1), std::invalid_argument);
  EXPECT_THROW(robust_radius(network, X, y, {}, 1e-3, 0), std::invalid_argument);
  EXPECT_THROW(robust_radius(network, X, y, {}, 1e-3, INFINITY), std::invalid_argument);
}

}  // namespace
}  // namespace conelu
