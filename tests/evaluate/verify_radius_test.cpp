#include <fmt/format.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "evaluate/brute_force.hpp"
#include "evaluate/evaluation_problems.hpp"
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

/// The exact smallest margin of class `label` over all rivals, at this factor on the radii.
double smallest_margin(const std::vector<Network>& networks, Index label, const Vector& x, VerifySettings settings,
                       double factor) {
  settings.threat.radii *= factor;
  const Network& own = networks[static_cast<std::size_t>(label)];
  double smallest = INFINITY;
  for (const Network& rival : networks) {
    if (&rival == &own) continue;
    const Network difference = test::EvaluationProblem::minus(own, rival);
    smallest = std::min(smallest, test::BruteForce(difference, x, settings).lowest(1));
  }
  return smallest;
}

// However little a search may do: by brute force the row is robust at the lower bound and broken at the upper one. What
// verify knew stays known, and with enough to spend the bounds meet.
TEST_P(EveryNormRadius, HoldsUnderEveryLimitForSeveralClasses) {
  int robust = 0;
  int broken = 0;
  int closed = 0;
  for (std::uint64_t seed = 0; seed < problems::repetitions(40, 500); ++seed) {
    Random random(seed, 74);
    const Index classes = 2 + static_cast<Index>(seed % 3);
    std::vector<Network> networks;
    for (Index c = 0; c < classes; ++c) networks.push_back(random_network(3, 2, random));
    const Vector x = Vector::NullaryExpr(2, [&] { return random.normal(); });
    Index label = 0;
    for (Index c = 1; c < classes; ++c) {
      const auto output = [&](Index of) { return output_at(networks[static_cast<std::size_t>(of)], x); };
      if (output(c) > output(label)) label = c;
    }
    VerifySettings settings;
    settings.threat = Threat{make_norm(GetParam()), Vector::NullaryExpr(2, [&] { return 0.1 + random.uniform(); })};
    const std::vector<Verification> known = verify(networks, x.transpose(), {label}, settings);
    for (const bool told : {false, true}) {
      for (const long branches : {0L, 1L, 2L, 5L, 20L, 100000L}) {
        settings.branch_limit = branches;
        for (const double seconds : {0.0, 1e-5, 60.0}) {
          settings.time_limit = seconds;
          const RadiusBounds radius = robust_radius(networks, x.transpose(), {label}, settings, 1e-3, 50, {},
                                                    told ? known : std::vector<Verification>())[0];
          const std::string what = fmt::format("seed {}, {} branches, {} s", seed, branches, seconds);
          EXPECT_LE(radius.lower, radius.upper) << what;
          EXPECT_GE(smallest_margin(networks, label, x, settings, radius.lower), -1e-10) << what;
          if (radius.upper < INFINITY) {
            EXPECT_LE(smallest_margin(networks, label, x, settings, radius.upper), 1e-10) << what;
          }
          if (told && known[0].verdict == Verdict::robust) {
            EXPECT_GE(radius.lower, 1) << what;
          }
          if (told && known[0].verdict == Verdict::broken) {
            EXPECT_LE(radius.upper, 1) << what;
          }
          if (branches == 100000 && seconds == 60) {
            EXPECT_TRUE(radius.is_closed(1e-3) || radius.lower == 50) << what;
            closed += radius.is_closed(1e-3) ? 1 : 0;
          }
        }
      }
    }
    robust += known[0].verdict == Verdict::robust ? 1 : 0;
    broken += known[0].verdict == Verdict::broken ? 1 : 0;
  }
  EXPECT_GT(robust, 5);
  EXPECT_GT(broken, 5);
  EXPECT_GT(closed, 20);
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

// f falls from x = -1000 to its kink at 0.5 / 0.001758 = 281.7, where it becomes 0 and stays it until it rises again.
// That is the right class, but nearer to the threshold than can be told: no proof, and nothing that breaks the row.
TEST(RobustRadius, GoesUpToWhereTheOutputCannotBeToldFromTheThreshold) {
  Network network;
  network.hidden =
      Vector{{-0.0017584383324884038, 0.0013754236655475218, -0.0007723303121481291, -0.0016855033369229746}};
  network.hidden_bias = Vector{{0.49531262961074946, -1.2227199477765784, -1.0141013457373138, -1.0097893440977521}};
  network.output = Vector{{1982.780665316496, 144.79531281528912, -1962.005061386256, -972.9179379431719}};
  const double x = -1014.6430362963031;
  const double kink = 0.49531262961074946 / 0.0017584383324884038;
  VerifySettings settings;
  settings.threat = Threat::uniform(Norm::infinity, 7, 1, false);
  const RadiusBounds radius = robust_radius(network, Matrix::Constant(1, 1, x), Vector::Ones(1), settings)[0];
  EXPECT_NEAR(7 * radius.lower, kink - x, 1e-3 * (kink - x));  // 1296.3
  EXPECT_EQ(radius.upper, INFINITY);
  EXPECT_FALSE(radius.is_closed(1e-3));

  // A little lower, and the row does break there.
  network.output_bias = -1;
  const double slope = 1982.780665316496 * 0.0017584383324884038;
  const double expected = kink - 1 / slope - x;
  const RadiusBounds lowered = robust_radius(network, Matrix::Constant(1, 1, x), Vector::Ones(1), settings)[0];
  EXPECT_NEAR(7 * lowered.lower, expected, 1e-3 * expected);
  EXPECT_NEAR(7 * lowered.upper, expected, 1e-3 * expected);
  EXPECT_LE(lowered.lower, expected / 7);
  EXPECT_GE(lowered.upper, expected / 7 * (1 - 1e-15));
  EXPECT_TRUE(lowered.is_closed(1e-3));
}

// A factor that takes too long is not the end: smaller ones are proven all the same.
TEST(RobustRadius, ProvesWhatItCanBelowAFactorThatIsTooHard) {
  Random random(4, 75);
  Network network = random_network(120, 8, random);
  network.hidden_bias *= 0.1;
  network.output_bias = 60;
  VerifySettings settings;
  settings.threat = Threat::uniform(Norm::infinity, 0.1, 8, false);
  const Matrix X = Matrix::Zero(1, 8);
  settings.branch_limit = 1;
  const RadiusBounds first = robust_radius(network, X, Vector::Ones(1), settings)[0];
  settings.branch_limit = 200;
  const RadiusBounds radius = robust_radius(network, X, Vector::Ones(1), settings)[0];
  EXPECT_FALSE(radius.is_closed(1e-3)) << "too easy for this test";
  EXPECT_GE(radius.lower, first.lower);
  EXPECT_GT(radius.lower, 0.25 * radius.upper);
  EXPECT_LT(radius.upper, INFINITY);
  for (const int threads : {1, 3}) {
    settings.threads = threads;
    for (const RadiusBounds& row : robust_radius(network, X.replicate(3, 1), Vector::Ones(3), settings)) {
      EXPECT_EQ(row.lower, radius.lower) << "branches do not depend on the clock";
      EXPECT_EQ(row.upper, radius.upper);
    }
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
  EXPECT_THROW(robust_radius(network, X, y, {}, 1e-3, 1e3, {}, std::vector<Verification>(2)), std::invalid_argument);
}

}  // namespace
}  // namespace conelu
