#include "conelu/attack.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "conelu/worst_case.hpp"
#include "data/temporary_files.hpp"
#include "evaluate/attack_problems.hpp"
#include "evaluate/attacks/ball.hpp"
#include "linalg/random.hpp"
#include "linalg/thread_count.hpp"

namespace conelu {
namespace {

using test::AttackProblem;
using test::output_at;

constexpr Task kTasks[] = {Task::classification, Task::regression};

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

double severity(Task task, double f, double y) { return task == Task::classification ? -y * f : std::abs(f - y); }

class EveryAttackNorm : public testing::TestWithParam<std::string> {
 protected:
  Norm norm = make_norm(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Registry, EveryAttackNorm, testing::ValuesIn(norm_names()),
                         [](const auto& test) { return "l" + test.param; });

// The size is judged as a reader of the result would: by Threat::size of the difference.
TEST_P(EveryAttackNorm, StaysInTheBallAndInTheFeaturesRange) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(60, 2000); ++seed) {
    const AttackProblem problem(norm, kTasks[seed / 3 % 2], 5, seed);
    const AttackSettings& settings = problem.settings;
    for (const std::string& name : attack_names()) {
      const AttackResult result = problem.run(name);
      for (Index k = 0; k < 5; ++k) {
        EXPECT_LE(settings.threat.size((result.points.row(k) - problem.X.row(k)).transpose()), 1) << name << seed;
        for (Index a = 0; a < problem.X.cols(); ++a) {
          const double x = problem.X(k, a);
          const double p = result.points(k, a);
          const bool limited = settings.lower.size() > 0;
          const bool outside = limited && (x < settings.lower(a) || x > settings.upper(a));
          if (settings.threat.radii(a) == 0 || outside) {
            EXPECT_TRUE(same_bits(p, x)) << name << " seed " << seed;
          } else if (limited) {
            EXPECT_GE(p, settings.lower(a)) << name << " seed " << seed;
            EXPECT_LE(p, settings.upper(a)) << name << " seed " << seed;
          }
        }
      }
    }
  }
}

TEST_P(EveryAttackNorm, SaysWhatTheNetworkDoesAtItsPoints) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const AttackProblem problem(norm, kTasks[seed / 3 % 2], 5, seed);
    for (const std::string& name : attack_names()) {
      const AttackResult result = problem.run(name);
      for (Index k = 0; k < 5; ++k) {
        const double scale = 1e-13 * (1 + problem.X.cwiseAbs().maxCoeff() * problem.network.hidden.norm() *
                                              problem.network.output.norm());
        EXPECT_NEAR(result.outputs(k), output_at(problem.network, result.points.row(k).transpose()), scale);
        EXPECT_NEAR(result.clean(k), output_at(problem.network, problem.X.row(k).transpose()), scale);
        EXPECT_EQ(result.severity(k), severity(problem.settings.task, result.outputs(k), problem.y(k)));
      }
    }
  }
}

// strong <= pgd <= clean accuracy, row by row and to the last bit.
TEST_P(EveryAttackNorm, IsNeverMilderThanTheOneItContains) {
  int worse = 0;
  for (std::uint64_t seed = 0; seed < problems::repetitions(100, 2000); ++seed) {
    const AttackProblem problem(norm, kTasks[seed / 3 % 2], 7, seed);
    const AttackResult fgsm = problem.run("fgsm");
    const AttackResult pgd = problem.run("pgd");
    const AttackResult strong = problem.run("strong");
    for (Index k = 0; k < 7; ++k) {
      const double clean = severity(problem.settings.task, fgsm.clean(k), problem.y(k));
      EXPECT_GE(fgsm.severity(k), clean);
      EXPECT_GE(pgd.severity(k), clean);
      EXPECT_GE(strong.severity(k), fgsm.severity(k));
      EXPECT_GE(strong.severity(k), pgd.severity(k));
      worse += strong.severity(k) > pgd.severity(k) + 1e-9 ? 1 : 0;
      if (problem.settings.task == Task::regression) continue;
      EXPECT_GE(is_broken(pgd.outputs(k), problem.y(k)), is_broken(pgd.clean(k), problem.y(k)));
      EXPECT_GE(is_broken(strong.outputs(k), problem.y(k)), is_broken(pgd.outputs(k), problem.y(k)));
    }
  }
  EXPECT_GT(worse, 50);
}

TEST_P(EveryAttackNorm, NeverLeavesTheCertifiedBounds) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(60, 1000); ++seed) {
    const AttackProblem problem(norm, kTasks[seed / 3 % 2], 7, seed);
    const Matrix bounds = output_bounds(problem.network, problem.X, problem.settings.threat);
    for (const std::string& name : attack_names()) {
      const AttackResult result = problem.run(name);
      for (Index k = 0; k < 7; ++k) {
        EXPECT_GE(result.outputs(k), bounds(k, 0)) << name << " seed " << seed;
        EXPECT_LE(result.outputs(k), bounds(k, 1)) << name << " seed " << seed;
      }
    }
  }
}

// All neurons active on the whole ball: f is linear and its worst change is the dual norm of its slope.
TEST_P(EveryAttackNorm, ReachesTheClosedFormOnALinearNetwork) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const Task task : kTasks) {
      AttackProblem problem(norm, task, 6, 4 * seed);  // features of any value
      problem.network.hidden_bias.array() += 1e3 * (1 + problem.settings.threat.radii.maxCoeff());
      problem.network.output_bias = -problem.network.output.dot(problem.network.hidden_bias);
      const Vector slope = problem.network.hidden.transpose() * problem.network.output;
      const double change = problem.settings.threat.worst_change(slope);
      const AttackResult fgsm = problem.run("fgsm");
      const AttackResult pgd = problem.run("pgd");
      for (Index k = 0; k < 6; ++k) {
        const double worst = severity(task, fgsm.clean(k), problem.y(k)) + change;
        EXPECT_NEAR(fgsm.severity(k), worst, 1e-9);
        EXPECT_NEAR(pgd.severity(k), worst, 1e-9);  // 40 steps of a thirtieth, all the same way, get there
      }
    }
  }
}

TEST_P(EveryAttackNorm, DoesNotDependOnThreadsNorOnOtherRows) {
  for (const Task task : kTasks) {
    const AttackProblem problem(norm, task, 150, 10);  // more than two slices
    const std::vector<Index> some = {149, 3, 70, 71, 0};
    for (const std::string& name : attack_names()) {
      AttackResult whole;
      {
        const ThreadCount one(1);
        whole = problem.run(name);
      }
      {
        const ThreadCount many(4);
        const AttackResult shared = problem.run(name);
        EXPECT_EQ(shared.points, whole.points) << name;
        EXPECT_EQ(shared.outputs, whole.outputs) << name;
      }
      AttackProblem subset = problem;
      subset.X = problem.X(some, Eigen::all);
      subset.y = problem.y(some);
      const AttackResult part = subset.run(name);
      EXPECT_EQ(part.points, whole.points(some, Eigen::all)) << name;
      EXPECT_EQ(part.outputs, whole.outputs(some)) << name;
      EXPECT_EQ(part.clean, whole.clean(some)) << name;
      subset.X = problem.X.row(149);
      subset.y = problem.y.tail(1);
      EXPECT_EQ(subset.run(name).points, whole.points.row(149)) << name;
    }
  }
}

// Also where products are large enough for BLAS to cut them into blocks.
TEST(Attack, OfWideNetworksDoesNotDependOnOtherRows) {
  Random random(1);
  AttackProblem problem(Norm::infinity, Task::classification, 70, 8);
  problem.network = test::random_network(300, 500, random);
  problem.X = Matrix::NullaryExpr(70, 500, [&] { return random.normal(); });
  problem.settings.threat = Threat::uniform(Norm::infinity, 0.05, 500, false);
  const AttackResult whole = problem.run("pgd");
  problem.X = problem.X.bottomRows(9).eval();
  problem.y = problem.y.tail(9).eval();
  EXPECT_EQ(problem.run("pgd").points, whole.points.bottomRows(9));
}

// The paper's iteration word for word, one row at a time:
// x^{t+1} = clip(x^t - eps / 30 sgn(y sum of u_j alpha_j over x^t'u_j >= 0)), 40 times from x.
TEST(Pgd, IsThePapersIteration) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    AttackProblem problem(Norm::infinity, Task::classification, 4, seed);
    problem.settings.lower.resize(0);
    problem.settings.upper.resize(0);
    const Network& network = problem.network;
    const AttackResult result = problem.run("pgd");
    for (Index k = 0; k < 4; ++k) {
      const Vector x = problem.X.row(k).transpose();
      const Vector& eps = problem.settings.threat.radii;
      const double y = problem.y(k);
      Vector p = x;
      double worst = -y * output_at(network, x);
      for (int step = 0; step < 40; ++step) {
        Vector sum = Vector::Zero(x.size());
        for (Index j = 0; j < network.neurons(); ++j) {
          if (network.hidden.row(j).dot(p) + network.hidden_bias(j) >= 0) {
            sum += network.hidden.row(j).transpose() * network.output(j);
          }
        }
        p = (p - (y * sum).cwiseSign().cwiseProduct(eps) / 30).cwiseMin(x + eps).cwiseMax(x - eps);
        worst = std::max(worst, -y * output_at(network, p));
      }
      const double rounding = 1e-12 * (1 + std::abs(worst)) * (1 + x.cwiseAbs().maxCoeff());
      EXPECT_NEAR(result.severity(k), worst, rounding) << "seed " << seed;
    }
  }
}

TEST(Fgsm, IsThePapersStep) {
  for (std::uint64_t seed = 0; seed < 60; seed += 2) {
    const AttackProblem problem(Norm::infinity, Task::classification, 4, seed);
    const Network& network = problem.network;
    const AttackResult result = problem.run("fgsm");
    for (Index k = 0; k < 4; ++k) {
      const Vector x = problem.X.row(k).transpose();
      Vector sum = Vector::Zero(x.size());
      for (Index j = 0; j < network.neurons(); ++j) {
        if (network.hidden.row(j).dot(x) + network.hidden_bias(j) >= 0) {
          sum += network.hidden.row(j).transpose() * network.output(j);
        }
      }
      const Vector p = x - (problem.y(k) * sum).cwiseSign().cwiseProduct(problem.settings.threat.radii);
      const double worst = -std::min(problem.y(k) * output_at(network, x), problem.y(k) * output_at(network, p));
      EXPECT_NEAR(result.severity(k), worst, 1e-12 * (1 + std::abs(worst))) << "seed " << seed;
    }
  }
}

// Rows a billion radii away from 0: nothing fits between x and the surface but a few numbers.
TEST_P(EveryAttackNorm, StaysInsideWhereFeaturesAreFarLargerThanTheirRadii) {
  Random random(3);
  AttackSettings settings;
  settings.threat = {norm, Eigen::Vector3d(1e-9, 3e-10, 0)};
  Matrix centers = 1e6 * Matrix::NullaryExpr(3, 50, [&] { return random.normal(); });
  const attacks::Ball ball(settings, centers, 50);
  int moved = 0;
  for (int trial = 0; trial < 20; ++trial) {
    Matrix points = ball.place(ball.random_vertex(random));
    ball.step(Matrix::NullaryExpr(3, 50, [&] { return random.normal(); }), Vector::Ones(50), points);
    ball.pull_in(points);
    for (Index k = 0; k < 50; ++k) {
      EXPECT_LE(settings.threat.size(points.col(k) - centers.col(k)), 1);
      moved += points.col(k) != centers.col(k) ? 1 : 0;
    }
  }
  EXPECT_GT(moved, 100);
}

TEST_P(EveryAttackNorm, DrawsPointsOfTheWholeBall) {
  AttackSettings settings;
  settings.threat = {norm, Eigen::Vector4d(0.5, 0, 2, 1)};
  const attacks::Ball ball(settings, Matrix::Zero(4, 1), 1);
  Random random(5);
  Vector mean = Vector::Zero(4);
  int outer = 0;
  constexpr int kDraws = 4000;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Vector z = ball.random_point(random);
    const double size = norm == Norm::infinity ? z.cwiseAbs().maxCoeff() : norm == Norm::two ? z.norm() : z.lpNorm<1>();
    EXPECT_LE(size, 1 + 1e-15);
    EXPECT_EQ(z(1), 0);
    outer += size > 0.5 ? 1 : 0;
    mean += z / kDraws;
    const Vector vertex = ball.random_vertex(random);
    EXPECT_NEAR(settings.threat.size(settings.threat.radii.cwiseProduct(vertex)), 1, 1e-14);
  }
  EXPECT_LT(mean.norm(), 0.05);
  EXPECT_NEAR(static_cast<double>(outer) / kDraws, 1 - std::pow(0.5, 3), 0.03);  // of the volume, in three dimensions
}

TEST(Attack, LeavesRowsAloneThatNobodyCanReach) {
  AttackProblem problem(Norm::infinity, Task::classification, 4, 6);
  problem.X(1, 0) = -0.0;
  for (const Threat& threat : {Threat(), Threat::uniform(Norm::two, 0, problem.X.cols(), false)}) {
    problem.settings.threat = threat;
    for (const std::string& name : attack_names()) {
      const AttackResult result = problem.run(name);
      EXPECT_EQ(result.points, problem.X);
      EXPECT_TRUE(std::signbit(result.points(1, 0)));
      EXPECT_EQ(result.outputs, result.clean);
    }
  }
}

TEST(Attack, TakesNetworksWithoutNeuronsAndDataWithoutRows) {
  AttackProblem problem(Norm::one, Task::regression, 3, 13);
  EXPECT_EQ(problem.network.neurons(), 0);
  for (const std::string& name : attack_names()) {
    EXPECT_EQ(problem.run(name).points, problem.X);
    EXPECT_EQ(attack(name, problem.network, problem.X.topRows(0), problem.y.head(0), problem.settings).points.rows(),
              0);
  }
}

// An output of exactly 0 is predicted as +1.
TEST(Attack, BreaksARowAsPredictionDoes) {
  EXPECT_FALSE(is_broken(0.0, 1));
  EXPECT_FALSE(is_broken(-0.0, 1));
  EXPECT_TRUE(is_broken(0.0, -1));
  EXPECT_TRUE(is_broken(-1e-300, 1));
  EXPECT_FALSE(is_broken(-1e-300, -1));
  EXPECT_TRUE(is_broken(std::nan(""), 1));
}

TEST(Attack, ThrowsNamingTheArgument) {
  const AttackProblem good(Norm::two, Task::classification, 4, 5);
  const Index d = good.X.cols();
  const auto refuses = [&](const std::vector<std::string>& parts, auto&& spoil) {
    AttackProblem problem = good;
    spoil(problem);
    for (const std::string& name : attack_names()) expect_refusal([&] { problem.run(name); }, parts);
  };
  const auto number = [](Index i) { return std::to_string(i); };
  expect_refusal([&] { good.run("pgdd"); }, {"attack", "pgdd", "fgsm, pgd, strong"});
  refuses({"X", number(d + 1), number(d)}, [&](auto& p) { p.X = Matrix::Zero(4, d + 1); });
  refuses({"X", "row 2", "not finite"}, [](auto& p) { p.X(2, 0) = std::nan(""); });
  refuses({"y", "3", "4"}, [](auto& p) { p.y = Vector::Ones(3); });
  refuses({"y", "row 1", "0.5", "-1 or 1"}, [](auto& p) { p.y(1) = 0.5; });
  refuses({"y", "row 1", "finite"}, [](auto& p) {
    p.settings.task = Task::regression;
    p.y(1) = HUGE_VAL;
  });
  refuses({"eps", number(d + 1), number(d)}, [&](auto& p) { p.settings.threat.radii = Vector::Ones(d + 1); });
  refuses({"eps", "input 1", "-2"}, [](auto& p) { p.settings.threat.radii(1) = -2; });
  refuses({"eps", "input 0", "inf"}, [](auto& p) { p.settings.threat.radii(0) = HUGE_VAL; });
  refuses({"eps", "input 0", "1e+308", "1e+60"}, [](auto& p) { p.settings.threat.radii(0) = 1e308; });
  refuses({"eps", "input 1", "1e-61", "1e-60"}, [](auto& p) { p.settings.threat.radii(1) = 1e-61; });
  refuses({"steps", "0"}, [](auto& p) { p.settings.steps = 0; });
  refuses({"step_size", "-1"}, [](auto& p) { p.settings.step_size = -1; });
  refuses({"step_size", "nan"}, [](auto& p) { p.settings.step_size = std::nan(""); });
  refuses({"restarts", "-1"}, [](auto& p) { p.settings.restarts = -1; });
  refuses({"lower", number(d + 2), number(d)}, [&](auto& p) { p.settings.lower = Vector::Zero(d + 2); });
  refuses({"upper", number(d - 1), number(d)}, [&](auto& p) { p.settings.upper = Vector::Zero(d - 1); });
  refuses({"upper", "not a number"}, [&](auto& p) { p.settings.upper = Vector::Constant(d, std::nan("")); });
  refuses({"lower", "input 1", "3", "upper"}, [&](auto& p) {
    p.settings.upper = Vector::Ones(d);
    p.settings.lower = Vector::Zero(d);
    p.settings.lower(1) = 3;
  });
}

// Three classes on a line, f = x, 0 and -x: at x = 1 the first class wins by 1 over the second and by 2 over the third.
// Moving x by 0.5 leaves 0.5, by 1.5 makes it -0.5 against the second, and -1 against the third, which is the worst.
TEST(Attack, OfSeveralClassesGoesForTheRivalThatComesNearest) {
  const Network rises{Matrix{{1.0}, {-1.0}}, Vector::Zero(2), Vector{{1.0, -1.0}}, 0};
  const Network flat{Matrix(0, 1), Vector(), Vector(), 0};
  const Network falls{rises.hidden, rises.hidden_bias, -rises.output, 0};
  AttackSettings settings;
  for (const auto& [radius, margin] : {std::pair(0.5, 0.5), std::pair(1.5, -1.0)}) {
    settings.threat = Threat::uniform(Norm::infinity, radius, 1, false);
    for (const std::string& name : attack_names()) {
      const AttackResult found = attack(name, {rises, flat, falls}, Matrix{{1.0}}, {0}, settings);
      EXPECT_NEAR(found.clean(0), 1, 1e-12) << name;
      EXPECT_NEAR(found.outputs(0), margin, 1e-12) << name;
      EXPECT_NEAR(found.points(0, 0), 1 - radius, 1e-12) << name;
    }
  }
  EXPECT_THROW(attack("pgd", {rises, flat, falls}, Matrix{{1.0}}, {3}, settings), std::invalid_argument);
  EXPECT_THROW(attack("pgd", {rises, flat, falls}, Matrix{{1.0}}, {}, settings), std::invalid_argument);
}

// On the way to one rival a row may fall to another, and that counts: the margins are those of the points.
TEST(Attack, OfSeveralClassesReportsTheMarginOfItsPoints) {
  Random random(11, 4);
  const auto normal = [&](Index rows, Index columns) {
    return Matrix(Matrix::NullaryExpr(rows, columns, [&] { return random.normal(); }));
  };
  std::vector<Network> networks;
  for (int c = 0; c < 4; ++c) networks.push_back({normal(5, 3), normal(5, 1), normal(5, 1), random.normal()});
  const Matrix X = normal(60, 3);
  std::vector<Index> labels;
  for (Index k = 0; k < X.rows(); ++k) labels.push_back(k % 4);
  AttackSettings settings;
  settings.threat = Threat::uniform(Norm::infinity, 0.4, 3, false);
  for (const std::string& name : attack_names()) {
    const AttackResult found = attack(name, networks, X, labels, settings);
    Matrix outputs(X.rows(), 4);
    for (Index c = 0; c < 4; ++c) outputs.col(c) = networks[static_cast<std::size_t>(c)].predict(found.points);
    for (Index k = 0; k < X.rows(); ++k) {
      double best = -std::numeric_limits<double>::infinity();
      for (Index c = 0; c < 4; ++c) {
        if (c != labels[static_cast<std::size_t>(k)]) best = std::max(best, outputs(k, c));
      }
      EXPECT_NEAR(found.outputs(k), outputs(k, labels[static_cast<std::size_t>(k)]) - best, 1e-9) << name << ", " << k;
      EXPECT_LE(found.outputs(k), found.clean(k));
    }
  }
}

}  // namespace
}  // namespace conelu
