#include "solvers/ipm/near_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conelu/interior_point.hpp"
#include "linalg/random.hpp"
#include "problems/problems.hpp"

namespace conelu::ipm {
namespace {

constexpr Index kSamples = 300, kFeatures = 4, kPatterns = 6;

Program many_samples(const std::string& loss = "hinge", std::uint64_t seed = 1) {
  return problems::random_program(loss, kSamples, kFeatures, kPatterns, 0.01, seed);
}

double slack_of(const ScaledProblem& problem, Index row, Index block, const Matrix& U) {
  return problem.signs(row, problem.pattern_of(block)) * problem.unit_rows.row(row).dot(U.col(block));
}

bool is_near(const ScaledProblem& problem, Index row, Index pattern) {
  const auto near = problem.near.col(pattern);
  return std::find(near.begin(), near.end(), row) != near.end();
}

/// All blocks at the witnesses, and a direction from there.
Iterate at_witnesses(const ScaledProblem& problem) {
  Iterate at(problem);
  for (Index j = 0; j < problem.blocks(); ++j) {
    at.U.col(j) = problem.witnesses.col(problem.pattern_of(j));
    at.s.col(j) = problem.near_rows_of(problem.pattern_of(j)) * at.U.col(j);
    at.lambda.col(j).setOnes();
  }
  return at;
}
Iterate random_direction(const ScaledProblem& problem, std::uint64_t seed) {
  Random random(seed, 1);
  Iterate direction(problem);
  for (Index j = 0; j < problem.blocks(); ++j) {
    for (Index a = 0; a < problem.dimension(); ++a) direction.U(a, j) = random.normal();
  }
  return direction;
}

TEST(NearRowsTest, AreThoseWithTheLeastSlackAtTheCentre) {
  const Program program = many_samples();
  ScaledProblem problem(program);
  NearRows(problem).choose();
  ASSERT_TRUE(problem.selective());
  EXPECT_EQ(problem.cone_rows(), 8 * kFeatures);
  for (Index i = 0; i < problem.patterns(); ++i) {
    double farthest_near = 0, nearest_far = 1;
    for (Index k = 0; k < kSamples; ++k) {
      const double slack = problem.signs(k, i) * problem.unit_rows.row(k).dot(problem.witnesses.col(i));
      EXPECT_GT(slack, 0);
      if (is_near(problem, k, i)) {
        farthest_near = std::max(farthest_near, slack);
      } else {
        nearest_far = std::min(nearest_far, slack);
      }
    }
    EXPECT_LE(farthest_near, nearest_far);
  }
}

TEST(NearRowsTest, AreAllOfFewSamplesAndOfAttackedOnes) {
  const Program few = problems::random_program("hinge", 20, kFeatures, kPatterns, 0.01, 1);
  ScaledProblem small(few);
  NearRows(small).choose();
  EXPECT_FALSE(small.selective());
  EXPECT_EQ(small.cone_rows(), 20);
  const Program attacked = problems::random_program({"hinge", Method::cones, Norm::infinity, 0.001}, kSamples,
                                                    kFeatures, kPatterns, 0.01, 1);
  ScaledProblem robust(attacked);
  NearRows(robust).choose();
  EXPECT_FALSE(robust.selective());
}

// By hand: the first row left out that the step would reach, whichever block it belongs to.
TEST(NearRowsTest, EndAStepAtTheFirstRowThatIsLeftOut) {
  const Program program = many_samples();
  ScaledProblem problem(program);
  NearRows rows(problem);
  rows.choose();
  const Iterate at = at_witnesses(problem);
  int shortened = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Iterate direction = random_direction(problem, seed);
    double expected = 0.5;  // a row beyond .99 of that keeps enough of its slack
    for (Index j = 0; j < problem.blocks(); ++j) {
      for (Index k = 0; k < kSamples; ++k) {
        const double change = slack_of(problem, k, j, direction.U);
        if (change < 0 && !is_near(problem, k, problem.pattern_of(j))) {
          const double step = -slack_of(problem, k, j, at.U) / change;
          if (step < 0.99 * 0.5) expected = std::min(expected, step);
        }
      }
    }
    EXPECT_NEAR(rows.longest_step(at, direction, 0.5), expected, 1e-12);
    EXPECT_EQ(rows.met_some(), expected < 0.5);
    shortened += expected < 0.5;
  }
  EXPECT_GT(shortened, 10);
}

// Every pattern gets as many new rows as the one that met most, none of them twice, each with its slack.
TEST(NearRowsTest, GrowByThoseThatWereMet) {
  const Program program = many_samples();
  ScaledProblem problem(program);
  NearRows rows(problem);
  rows.choose();
  Iterate at = at_witnesses(problem);
  const Index before = problem.cone_rows();
  const Iterate direction = random_direction(problem, 3);
  const double step = rows.longest_step(at, direction, 10);
  ASSERT_TRUE(rows.met_some());
  at.U += 0.9 * step * direction.U;
  for (Index j = 0; j < problem.blocks(); ++j) at.s.col(j) = problem.near_rows_of(problem.pattern_of(j)) * at.U.col(j);
  const double mu = 0.3;
  rows.extend(mu, at);
  EXPECT_GT(problem.cone_rows(), before);
  EXPECT_FALSE(rows.met_some());
  for (Index i = 0; i < problem.patterns(); ++i) {
    std::vector<Index> chosen(problem.near.col(i).begin(), problem.near.col(i).end());
    std::sort(chosen.begin(), chosen.end());
    EXPECT_EQ(std::unique(chosen.begin(), chosen.end()), chosen.end());
  }
  for (Index j = 0; j < problem.blocks(); ++j) {
    for (Index k = 0; k < problem.cone_rows(); ++k) {
      EXPECT_NEAR(at.s(k, j), slack_of(problem, problem.near(k, problem.pattern_of(j)), j, at.U), 1e-12);
      EXPECT_NEAR(at.s(k, j) * at.lambda(k, j), k < before ? at.s(k, j) : mu, 1e-12);
    }
  }
  // The row that ended the step is worked with now, until rows are chosen again.
  EXPECT_GT(rows.longest_step(at, direction, 0.11 * step), 0.1001 * step);
  rows.choose();
  EXPECT_EQ(problem.cone_rows(), before);
}

TEST(NearRowsTest, HaveTheirMultipliersAtTheRightSamples) {
  const Program program = many_samples();
  ScaledProblem problem(program);
  NearRows(problem).choose();
  Iterate at = at_witnesses(problem);
  Random random(5, 1);
  for (Index j = 0; j < problem.blocks(); ++j) {
    for (Index k = 0; k < problem.cone_rows(); ++k) at.lambda(k, j) = random.uniform();
  }
  Matrix blocks;
  // Left from another point: must not survive.
  DualPoint dual;
  dual.lambda = Matrix::Ones(kSamples, problem.blocks());
  problem.unscale(at.U, Vector::Zero(kSamples), at.lambda, blocks, dual);
  // What the multipliers do to a block does not depend on which rows are written down: X'E lambda, times the scale.
  for (Index j = 0; j < problem.blocks(); ++j) {
    const Vector worked = problem.near_rows_of(problem.pattern_of(j)).transpose() * at.lambda.col(j);
    Vector whole = Vector::Zero(kFeatures);
    for (Index k = 0; k < kSamples; ++k) {
      const double sign = program.activations()(k, program.pattern_of(j)) > 0 ? 1 : -1;
      whole += sign * dual.lambda(k, j) * program.X().row(k).transpose();
    }
    EXPECT_LE((whole - program.beta() * worked).norm(), 1e-10 * program.beta() * worked.norm());
  }
}

class EveryLossNearRows : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryLossNearRows, testing::ValuesIn(loss_names()),
                         [](const auto& test) { return problems::test_name(test.param); });

// The certificate looks at all rows and knows nothing of near ones.
TEST_P(EveryLossNearRows, SolveProgramsOfManySamples) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(8, 200); ++seed) {
    const double beta = std::pow(10.0, -4.0 + static_cast<double>(seed % 5));
    const Program program =
        problems::random_program(GetParam(), 150 + 50 * static_cast<Index>(seed % 4), 2 + static_cast<Index>(seed % 5),
                                 5 + static_cast<Index>(seed % 9), beta, seed);
    ScaledProblem problem(program);
    NearRows(problem).choose();
    ASSERT_TRUE(problem.selective());
    const Solution solution = InteriorPoint().solve(program);
    EXPECT_LE(solution.certificate.relative_gap(), 1e-6) << "seed " << seed;
    EXPECT_EQ(solution.certificate.violation, 0) << "seed " << seed;
  }
}

/// Points around one hyperplane that is next to the centre of a cone: copies of its row, a little apart, are nearer
/// than all rows that bound the cone elsewhere.
Program crowd_program(const std::string& loss, std::uint64_t seed, double beta = 0.001) {
  const Index crowd = 60, others = 60, d = 3;
  Random random(seed, 1);
  Matrix X(crowd + others, d);
  Vector y(crowd + others);
  for (Index k = 0; k < X.rows(); ++k) {
    for (Index a = 0; a < d; ++a) X(k, a) = random.normal();
    if (k < crowd) X.row(k) = Eigen::RowVector3d(1, 1e-3, 1e-3) + 1e-4 * X.row(k);
    y(k) = random.uniform() < 0.5 ? -1 : 1;
  }
  PatternRequest request;
  request.count = 20;
  request.seed = seed;
  return Program(X, y, Vector(), make_loss(loss), beta, make_patterns("gaussian", X, request).patterns);
}

TEST_P(EveryLossNearRows, GrowWhereTheNearestRowsDoNotBoundTheCone) {
  int grown = 0;
  for (std::uint64_t seed = 0; seed < problems::repetitions(5, 50); ++seed) {
    const Program program = crowd_program(GetParam(), seed);
    ScaledProblem problem(program);
    NearRows(problem).choose();
    ASSERT_TRUE(problem.selective());
    const Solution solution = InteriorPoint().solve(program);
    EXPECT_LE(solution.certificate.relative_gap(), 1e-6) << "seed " << seed;
    EXPECT_EQ(solution.certificate.violation, 0) << "seed " << seed;
    // A multiplier at a row that was left out at first.
    for (Index j = 0; j < program.blocks(); ++j) {
      for (Index k = 0; k < program.samples(); ++k) {
        grown += solution.dual.lambda(k, j) > 0 && !is_near(problem, k, program.pattern_of(j));
      }
    }
  }
  EXPECT_GT(grown, 0);
}

// A path over beta: the points of a trail bring their rows along, those that were met on the way, too. Slacks of one
// set of rows with multipliers of another would lead nowhere.
TEST_P(EveryLossNearRows, FollowATrail) {
  int warm_iterations = 0, cold_iterations = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const InteriorPoint solver;
    Trail trail;
    solver.solve(crowd_program(GetParam(), seed), trail);
    const Program next = crowd_program(GetParam(), seed, 0.0009);
    const Solution warm = solver.solve(next, trail), cold = solver.solve(next);
    EXPECT_EQ(warm.stop, Stop::converged) << "seed " << seed;
    EXPECT_LE(warm.certificate.lower_bound, cold.certificate.objective) << "seed " << seed;
    EXPECT_LE(cold.certificate.lower_bound, warm.certificate.objective) << "seed " << seed;
    warm_iterations += warm.iterations;
    cold_iterations += cold.iterations;
  }
  EXPECT_LT(warm_iterations, cold_iterations);
}

// Multiples of the same few rows, all equally near, and rows of zeros; with one feature all rows are.
TEST_P(EveryLossNearRows, MayBeParallel) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(8, 200); ++seed) {
    const Index n = 200, d = 1 + static_cast<Index>(seed % 4), distinct = 40;
    Random random(seed, 2);
    Matrix X(n, d);
    Vector y(n);
    for (Index k = 0; k < n; ++k) {
      for (Index a = 0; a < d; ++a) X(k, a) = random.normal();
      if (k >= distinct) X.row(k) = (k % 50 == 0 ? 0.0 : 0.5 + random.uniform()) * X.row(k % distinct);
      y(k) = random.uniform() < 0.5 ? -1 : 1;
    }
    PatternRequest request;
    request.count = 10;
    request.seed = seed;
    const Program program(X, y, Vector(), make_loss(GetParam()), 0.01, make_patterns("gaussian", X, request).patterns);
    ScaledProblem problem(program);
    NearRows(problem).choose();
    ASSERT_TRUE(problem.selective());
    const Solution one = InteriorPoint({.threads = 2}).solve(program),
                   again = InteriorPoint({.threads = 2}).solve(program);
    EXPECT_LE(one.certificate.relative_gap(), 1e-6) << "seed " << seed;
    EXPECT_EQ(one.blocks, again.blocks) << "seed " << seed;
  }
}

// The nearest half of the rows is met at once: then all are worked with.
TEST(NearRowsTest, BecomeAllIfMostAreMet) {
  const Program program = problems::random_program("hinge", 40, 2, 4, 0.01, 1);
  ScaledProblem problem(program);
  NearRows rows(problem);
  rows.choose();
  ASSERT_TRUE(problem.selective());
  Iterate at = at_witnesses(problem);
  at.lambda *= 0.7;
  const ScaledProblem before = problem;
  Iterate direction(problem);
  direction.U = -at.U;  // all rows at once
  EXPECT_EQ(rows.longest_step(at, direction, 2), 1);
  rows.extend(0.3, at);
  EXPECT_FALSE(problem.selective());
  ASSERT_EQ(at.s.rows(), problem.cone_rows());
  for (Index j = 0; j < problem.blocks(); ++j) {
    for (Index k = 0; k < problem.cone_rows(); ++k) {
      EXPECT_NEAR(at.s(k, j), slack_of(problem, k, j, at.U), 1e-12);
      EXPECT_NEAR(at.lambda(k, j), is_near(before, k, problem.pattern_of(j)) ? 0.7 : 0.3 / at.s(k, j), 1e-9);
    }
  }
}

}  // namespace
}  // namespace conelu::ipm
