#include "conelu/interior_point.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <limits>

#include "conelu/network.hpp"
#include "linalg/random.hpp"
#include "problems/problems.hpp"

namespace conelu {
namespace {

using problems::random_points;
using problems::random_program;

Solution solve(const Program& program, double tolerance = 1e-6, int threads = 1) {
  InteriorPointSettings settings;
  settings.tolerance = tolerance;
  settings.threads = threads;
  return InteriorPoint(settings).solve(program);
}

Program exact_program(const Matrix& X, const Vector& y, const std::string& loss, double beta,
                      const Vector& weights = {}) {
  return Program(X, y, weights, make_loss(loss), beta, make_patterns("all", X).patterns);
}

/// Two tight certificates of the same optimum must overlap, and both be tight.
void expect_same_optimum(const Program& one, const Program& other) {
  const Certificate a = solve(one, 1e-7).certificate;
  const Certificate b = solve(other, 1e-7).certificate;
  EXPECT_LE(a.relative_gap(), 1e-7);
  EXPECT_LE(b.relative_gap(), 1e-7);
  EXPECT_LE(a.lower_bound, b.objective);
  EXPECT_LE(b.lower_bound, a.objective);
}

class EveryLossSolved : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryLossSolved, testing::ValuesIn(loss_names()),
                         [](const auto& test) { return problems::test_name(test.param); });

// Bounds found at any iterate of one run must not contradict the tight bounds of another run, on either side.
TEST_P(EveryLossSolved, HasSoundBoundsAtEveryIterate) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(20, 1000); ++seed) {
    const double beta = std::pow(10.0, -5.0 + static_cast<double>(seed % 6));
    const Program program =
        random_program(GetParam(), 10 + 3 * static_cast<Index>(seed % 20), 2 + static_cast<Index>(seed % 4),
                       3 + static_cast<Index>(seed % 20), beta, seed);
    const Certificate reference = solve(program, 1e-8).certificate;
    // 1e-8 is within reach, not a promise: a few in a thousand stop a little short of it.
    EXPECT_LE(reference.relative_gap(), seed < 20 ? 2e-8 : 1e-6) << "seed " << seed;
    EXPECT_LE(reference.lower_bound, reference.objective);
    double lowest = std::numeric_limits<double>::infinity();
    InteriorPoint().solve(program, [&](const Progress& progress) {
      EXPECT_LE(progress.lower_bound, reference.objective) << "seed " << seed << " iteration " << progress.iteration;
      EXPECT_GE(progress.objective, reference.lower_bound) << "seed " << seed << " iteration " << progress.iteration;
      EXPECT_LE(progress.objective, lowest);
      lowest = progress.objective;
      return true;
    });
  }
}

// Many samples and few patterns take the P d-sided system, few samples and many patterns the n-sided one.
TEST_P(EveryLossSolved, ReachesTheToleranceThroughEitherCouplingSystem) {
  for (const auto& [n, d, patterns] : {std::tuple<Index, Index, Index>{200, 3, 5}, {20, 3, 60}, {15, 30, 8}}) {
    const Program program = random_program(GetParam(), n, d, patterns, 1e-3, 7);
    // 1e-8 is what the bound's allowance for rounding costs losses that are summed up, not averaged, at 200 samples.
    const Solution solution = solve(program, 2e-8);
    EXPECT_EQ(solution.stop, Stop::converged) << n << " x " << d << ", " << patterns;
    EXPECT_LE(solution.certificate.relative_gap(), 2e-8);
    const double objective = program.objective(solution.blocks);
    EXPECT_GE(solution.certificate.objective, objective) << "rounding goes outwards";
    EXPECT_NEAR(solution.certificate.objective, objective, 1e-10 * objective);
  }
}

// The zero network is optimal for large beta; then the slope of the loss at 0 proves it without a single iteration.
TEST_P(EveryLossSolved, ProvesTheZeroNetworkForLargeBeta) {
  const Program program = random_program(GetParam(), 20, 3, 10, 1e4, 1);
  const Solution solution = solve(program, 1e-12);
  EXPECT_EQ(solution.iterations, 0);
  EXPECT_EQ(solution.blocks.norm(), 0);
  EXPECT_LE(solution.certificate.relative_gap(), 1e-12);
}

TEST_P(EveryLossSolved, TakesWeightTwoForADuplicatedRow) {
  const auto [X, y] = random_points(15, 3, true, make_loss(GetParam())->is_margin_loss(), 3);
  Vector weights = Vector::Ones(15);
  weights(4) = 2;
  weights(9) = 3;
  Matrix longer(18, 3);
  Vector targets(18);
  longer << X, X.row(4), X.row(9), X.row(9);
  targets << y, y(4), y(9), y(9);
  expect_same_optimum(exact_program(X, y, GetParam(), 1e-3, weights), exact_program(longer, targets, GetParam(), 1e-3));
}

TEST_P(EveryLossSolved, TakesWeightZeroForARowThatIsNotThere) {
  const auto [X, y] = random_points(12, 3, true, make_loss(GetParam())->is_margin_loss(), 3);
  Vector weights = Vector::Ones(12);
  weights.tail(3).setZero();
  expect_same_optimum(exact_program(X, y, GetParam(), 1e-3, weights),
                      exact_program(X.topRows(9), y.head(9), GetParam(), 1e-3));
}

TEST_P(EveryLossSolved, DoesNotCareAboutTheOrderOfRowsColumnsOrPatterns) {
  const bool labels = make_loss(GetParam())->is_margin_loss();
  const auto [X, y] = random_points(20, 4, true, labels, 8);
  const PatternSet patterns = make_patterns("gaussian", X).patterns;
  std::vector<Index> rows;
  for (Index k = 0; k < 20; ++k) rows.push_back((7 * k + 3) % 20);
  PatternSet shuffled(20);
  for (Index i = patterns.count() - 1; i >= 0; --i) {
    Vector signs(20);
    for (Index k = 0; k < 20; ++k) signs(k) = patterns.active(i, rows[static_cast<std::size_t>(k)]) ? 1 : -1;
    shuffled.add(signs);
  }
  const Matrix Y = X(rows, Eigen::all).rowwise().reverse();
  const Vector z = y(rows);
  expect_same_optimum(Program(X, y, Vector(), make_loss(GetParam()), 1e-3, patterns),
                      Program(Y, z, Vector(), make_loss(GetParam()), 1e-3, shuffled));
}

// X -> X/c and beta -> beta/c is a change of units: the optimum stays.
TEST_P(EveryLossSolved, DoesNotCareAboutTheUnitsOfTheData) {
  const auto [X, y] = random_points(20, 3, true, make_loss(GetParam())->is_margin_loss(), 5);
  const PatternSet patterns = make_patterns("gaussian", X).patterns;
  const double plain = solve(Program(X, y, Vector(), make_loss(GetParam()), 1e-3, patterns)).certificate.objective;
  for (const double c : {1e-6, 1e-3, 1e3, 1e6}) {
    const Solution scaled = solve(Program(X / c, y, Vector(), make_loss(GetParam()), 1e-3 / c, patterns));
    EXPECT_LE(scaled.certificate.relative_gap(), 1e-6) << c;
    EXPECT_NEAR(scaled.certificate.objective, plain, 2e-6 * plain) << c;
  }
}

TEST_P(EveryLossSolved, NeverGetsWorseWithMorePatternsAndBestWithAll) {
  const auto [X, y] = random_points(14, 3, true, make_loss(GetParam())->is_margin_loss(), 9);
  double previous = std::numeric_limits<double>::infinity();
  for (const Index count : {2, 5, 10, 40, 80}) {
    PatternRequest request;
    request.count = count;
    const Program program(X, y, Vector(), make_loss(GetParam()), 1e-3, make_patterns("gaussian", X, request).patterns);
    const Certificate sampled = solve(program, 1e-8).certificate;
    EXPECT_LE(sampled.lower_bound, previous);
    previous = sampled.objective;
  }
  EXPECT_LE(solve(exact_program(X, y, GetParam(), 1e-3), 1e-8).certificate.lower_bound, previous);
}

// Large enough that the solver really shares its work.
TEST_P(EveryLossSolved, RepeatsToTheLastBitForAFixedNumberOfThreadsAndAgreesAcrossNumbers) {
  const Program program = random_program(GetParam(), 500, 40, 60, 1e-3, 2);
  const auto run = [&](int threads) {
    InteriorPointSettings settings;
    settings.threads = threads;
    return InteriorPoint(settings).solve(program);
  };
  const Solution one = run(1);
  const Solution two = run(2);
  const Solution again = run(2);
  EXPECT_TRUE((two.blocks.array() == again.blocks.array()).all());
  EXPECT_EQ(two.certificate.lower_bound, again.certificate.lower_bound);
  EXPECT_TRUE((one.blocks.array() == run(1).blocks.array()).all());
  EXPECT_EQ(one.stop, Stop::converged);
  EXPECT_EQ(two.stop, Stop::converged);
  EXPECT_NEAR(one.certificate.objective, two.certificate.objective, 1e-6 * one.certificate.objective);
  EXPECT_LE(one.certificate.lower_bound, two.certificate.objective);
  EXPECT_LE(two.certificate.lower_bound, one.certificate.objective);
}

TEST_P(EveryLossSolved, StopsEarlyWithAUsableNetworkAndAValidCertificate) {
  const Program program = random_program(GetParam(), 40, 4, 20, 1e-3, 6);
  const Certificate reference = solve(program, 1e-8).certificate;
  const auto check = [&](const Solution& solution, Stop stop, int iterations) {
    EXPECT_EQ(solution.stop, stop);
    EXPECT_EQ(solution.iterations, iterations);
    EXPECT_TRUE(solution.blocks.allFinite());
    EXPECT_LE(solution.certificate.lower_bound, reference.objective);
    EXPECT_GE(solution.certificate.objective, reference.lower_bound);
    EXPECT_NEAR(program.objective(solution.blocks), solution.certificate.objective, 1e-9 * reference.objective);
    Matrix blocks = solution.blocks;
    EXPECT_EQ(certify(program, blocks, solution.dual).lower_bound, solution.certificate.lower_bound);
  };
  InteriorPointSettings settings;
  settings.max_iterations = 6;
  check(InteriorPoint(settings).solve(program), Stop::iteration_limit, 6);
  settings.max_iterations = 0;
  check(InteriorPoint(settings).solve(program), Stop::iteration_limit, 0);
  settings.max_iterations = 100;
  settings.time_limit = 0;
  check(InteriorPoint(settings).solve(program), Stop::time_limit, 0);
  check(InteriorPoint().solve(program, [](const Progress& p) { return p.iteration < 4; }), Stop::cancelled, 4);
}

// One sample: hinge (1 - f)_+ + (beta/|x|) f and squared (f - y)^2 / 2 + (beta/|x|) |f| in the output f alone.
TEST(InteriorPoint, SolvesOneSampleInClosedForm) {
  Matrix X(1, 2);
  X << 3, 4;
  for (const double beta : {0.01, 1.0, 4.0, 6.0, 20.0}) {
    const double price = beta / 5;
    const double hinge = std::min(1.0, price);
    EXPECT_NEAR(solve(exact_program(X, Vector::Ones(1), "hinge", beta), 1e-8).certificate.objective, hinge,
                1e-8 * hinge);
    for (const double y : {-2.0, 0.5, 2.0}) {
      const double f = std::max(0.0, std::abs(y) - price);
      const double squared = 0.5 * (std::abs(y) - f) * (std::abs(y) - f) + price * f;
      const Solution solution = solve(exact_program(X, Vector::Constant(1, y), "squared", beta), 1e-9);
      EXPECT_NEAR(solution.certificate.objective, squared, 2e-9 * squared) << "beta " << beta << " y " << y;
    }
  }
}

// XOR: no linear model fits it, a network does, and the bound says how cheaply.
TEST(InteriorPoint, FitsXorAndProvesIt) {
  Matrix X(4, 3);
  X << 1, 1, 1, -1, -1, 1, 1, -1, 1, -1, 1, 1;
  const Vector y = Eigen::Vector4d(1, 1, -1, -1);
  const Program program = exact_program(X, y, "hinge", 1e-3);
  const Solution solution = solve(program, 1e-8);
  EXPECT_EQ(solution.certificate.scope, Scope::network);
  EXPECT_LE(solution.certificate.relative_gap(), 1e-8);
  EXPECT_GT((program.outputs(solution.blocks).array() * y.array()).minCoeff(), 0.99);
}

/// min over networks of m neurons by gradient descent with Adam from many starts: shares nothing with the convex route.
double best_network_by_descent(const Matrix& X, const Vector& y, double beta, Index m, int starts) {
  double best = std::numeric_limits<double>::infinity();
  for (int start = 0; start < starts; ++start) {
    Random random(static_cast<std::uint64_t>(start), 3);
    Matrix W(X.cols(), m);
    Vector a(m);
    for (Index j = 0; j < m; ++j) {
      a(j) = random.normal();
      for (Index b = 0; b < X.cols(); ++b) W(b, j) = random.normal();
    }
    Matrix W1 = Matrix::Zero(X.cols(), m), W2 = W1;
    Vector a1 = Vector::Zero(m), a2 = a1;
    for (int step = 1; step <= 6000; ++step) {
      const Matrix pre = X * W;
      const Matrix active = (pre.array() > 0).cast<double>();
      const Matrix hidden = pre.cwiseMax(0.0);
      const Vector residual = hidden * a - y;
      const Vector ga = hidden.transpose() * residual + beta * a;
      const Matrix gW = X.transpose() * (residual * a.transpose()).cwiseProduct(active) + beta * W;
      best = std::min(best, 0.5 * residual.squaredNorm() + 0.5 * beta * (W.squaredNorm() + a.squaredNorm()));
      const double rate = 0.02 * std::pow(1e-3, step / 6000.0);
      a1 = 0.9 * a1 + 0.1 * ga;
      a2 = 0.999 * a2 + 0.001 * ga.cwiseProduct(ga);
      W1 = 0.9 * W1 + 0.1 * gW;
      W2 = 0.999 * W2 + 0.001 * gW.cwiseProduct(gW);
      const double c1 = 1 - std::pow(0.9, step), c2 = 1 - std::pow(0.999, step);
      a.array() -= rate * (a1.array() / c1) / ((a2.array() / c2).sqrt() + 1e-10);
      W.array() -= rate * (W1.array() / c1) / ((W2.array() / c2).sqrt() + 1e-10);
    }
  }
  return best;
}

// Theorem 1: with all patterns the convex optimum is that of the non-convex problem of sufficient width.
TEST(InteriorPoint, MatchesABruteForceOfTheNonConvexProblem) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto [X, y] = random_points(5, 2, true, false, seed);
    const Certificate convex = solve(exact_program(X, y, "squared", 0.1), 1e-9).certificate;
    const double descent = best_network_by_descent(X, y, 0.1, 8, 12);
    EXPECT_EQ(convex.scope, Scope::network);
    EXPECT_GE(descent, convex.lower_bound) << "a network beats the proven bound: seed " << seed;
    EXPECT_NEAR(descent, convex.objective, 1e-3 * convex.objective) << "seed " << seed;
  }
}

// Eq. dual: max over |u| = 1 of |nu'(Xu)_+| <= beta, scanned over all directions of the plane, certifies the same bound
// without patterns, multipliers or cones.
TEST(InteriorPoint, HasADualPointThatBoundsEveryNetworkOfTheSemiInfiniteProblem) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto [X, y] = random_points(9, 2, true, false, seed);
    const double beta = 0.05;
    const Solution solution = solve(exact_program(X, y, "squared", beta), 1e-9);
    const Vector& nu = solution.dual.nu;
    double largest = 0;
    for (int i = 0; i < 200000; ++i) {
      const double angle = 2 * M_PI * i / 200000;
      const Vector hidden = (X * Eigen::Vector2d(std::cos(angle), std::sin(angle))).cwiseMax(0.0);
      largest = std::max(largest, std::abs(nu.dot(hidden)));
    }
    const double t = std::min(1.0, beta / largest);
    const double bound = -(0.5 * t * t * nu.squaredNorm() + t * nu.dot(y));
    EXPECT_NEAR(bound, solution.certificate.objective, 1e-6 * solution.certificate.objective);
  }
}

// Networks that fit twelve points almost exactly: what is left of the loss is next to nothing, and so are its slopes,
// of which the dual point is made. One start is not enough for about one of ten.
TEST(InteriorPoint, ProvesFitsThatLeaveNextToNoLoss) {
  for (const char* loss : {"squared", "huber", "absolute"}) {
    for (const Method method : {Method::cones, Method::reduced, Method::gated, Method::separate}) {
      for (std::uint64_t seed = 0; seed < problems::repetitions(15, 100); ++seed) {
        const double beta = std::pow(10.0, -4 + 3 * static_cast<double>(seed % 7) / 6);
        const Program program = problems::random_program({.loss = loss, .method = method}, 12, 4, 5, beta, seed);
        const Certificate certificate = InteriorPoint().solve(program).certificate;
        EXPECT_LE(certificate.relative_gap(), 1e-6) << loss << ", " << to_string(method) << ", seed " << seed;
      }
    }
  }
}

TEST(InteriorPoint, SolvesDataThatIsNotInGeneralPosition) {
  Matrix X(10, 4);
  X << 1, 0, 0, 1, 1, 0, 0, 1, 2, 0, 0, 1, -1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0, 2, 0, 1, 3,
      3, 0, 1;
  const Vector labels = (Vector(10) << 1, -1, 1, 1, 1, -1, -1, -1, 1, 1).finished();
  for (const std::string& loss : loss_names()) {
    const Solution solution = solve(exact_program(X, labels, loss, 1e-3), 1e-8);
    EXPECT_LE(solution.certificate.relative_gap(), 1e-8) << loss;
    const Solution equal = solve(exact_program(X, Vector::Ones(10), loss, 1e-3), 1e-8);
    EXPECT_LE(equal.certificate.relative_gap(), 1e-8) << loss << ", all labels equal";
  }
}

// Points far from the origin have narrow cones; starting in their centres is what makes these solvable.
TEST(InteriorPoint, SolvesDataFarFromTheOrigin) {
  for (const std::string& loss : loss_names()) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      problems::Points points = random_points(12, 3, true, make_loss(loss)->is_margin_loss(), seed);
      points.X.leftCols(2).array() += 30;
      const Solution solution = solve(exact_program(points.X, points.y, loss, 3e-3), 1e-5);
      EXPECT_LE(solution.certificate.relative_gap(), 1e-5) << loss << " " << seed;
    }
  }
}

// Three points 1/8 apart at 2^20, weights 1, 2, 1: a network of three neurons reaches 0.1007, yet most cones are too
// narrow for double precision. Whatever is proven then, it must not be a bound for every network above that.
TEST(InteriorPoint, DoesNotClaimAllNetworksWhenCellsAreTooNarrowToCertify) {
  for (const Index zeros : {0, 20, 200}) {
    Matrix X = Matrix::Zero(3, zeros + 2);
    X.col(0) = Eigen::Vector3d(1048576 - 0.125, 1048576, 1048576 + 0.125);
    X.col(zeros + 1).setOnes();
    const Program program = exact_program(X, Eigen::Vector3d(1, -1, 1), "hinge", 3e-9, Eigen::Vector3d(1, 2, 1));
    const Certificate certificate = solve(program).certificate;
    if (certificate.scope == Scope::network) {
      EXPECT_LE(certificate.lower_bound, 0.10067) << zeros;
    }
    EXPECT_EQ(program.patterns() + program.narrow_patterns() + program.thin_patterns() + 1, program.given_patterns());
  }
}

TEST(InteriorPoint, ReturnsTheZeroNetworkWithProofWhenNoPatternIsLive) {
  const auto [X, y] = random_points(5, 2, true, true, 1);
  const Program program(X, y, Vector(), make_loss("hinge"), 0.1, PatternSet(5));
  const Solution solution = solve(program);
  EXPECT_EQ(solution.blocks.cols(), 0);
  EXPECT_NEAR(solution.certificate.objective, 1.0, 1e-14);
  EXPECT_LE(solution.certificate.relative_gap(), 1e-12);
}

// Each part of a solve takes some time, and all parts together no more than the whole; standard and robust training go
// through different code.
TEST(InteriorPoint, SaysWhereItsTimeWent) {
  const Matrix X = random_points(60, 4, true, true, 3).X;
  const Vector y = random_points(60, 4, true, true, 3).y;
  PatternRequest request;
  request.all_active = true;
  for (const double eps : {0.0, 0.001}) {
    const Program program(X, y, Vector(), make_loss("hinge"), 0.01, make_patterns("gaussian", X, request).patterns,
                          Threat::uniform(Norm::infinity, eps, X.cols(), false));
    const std::clock_t start = std::clock();
    const Phases phases = solve(program).phases;
    const double whole = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    double sum = 0;
    Phases::visit(phases, [&](const std::string& name, double seconds) {
      const bool before_or_after =
          name == "patterns" || name == "prices" || name == "descent" || name == "global_bound";
      EXPECT_EQ(seconds > 0, !before_or_after) << name << " with eps = " << eps;
      sum += seconds;
    });
    EXPECT_LE(sum, whole + 1e-5) << eps;  // the two clocks tick differently
  }
}

TEST(InteriorPoint, NamesTheSettingThatIsOutOfRange) {
  InteriorPointSettings settings;
  settings.tolerance = 0;
  try {
    InteriorPoint solver(settings);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()), "tolerance: is 0, expected a number from 1e-12 to 1");
  }
}

class StandardCase : public testing::TestWithParam<problems::Case> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(StandardCase);
INSTANTIATE_TEST_SUITE_P(Shared, StandardCase, testing::ValuesIn(problems::standard_cases()),
                         [](const auto& test) { return test.param.name; });

// Independent conic solvers bracket the optimum of these; so must we, at every iterate, and to 1e-6 at the end.
TEST_P(StandardCase, AgreesWithIndependentSolvers) {
  const problems::Case& reference = GetParam();
  const Program program = problems::load_program(reference);
  const Solution solution = InteriorPoint().solve(program, [&](const Progress& progress) {
    EXPECT_LE(progress.lower_bound, reference.objective);
    EXPECT_GE(progress.objective, reference.proven_lower_bound);
    return true;
  });
  EXPECT_LE(solution.certificate.relative_gap(), 1e-6);
  EXPECT_LE(solution.certificate.objective, reference.objective * (1 + 1e-6));
  EXPECT_GE(solution.certificate.objective, reference.proven_lower_bound * (1 - 1e-6));
  EXPECT_LE(solution.certificate.lower_bound, reference.objective);
  EXPECT_NEAR(network_objective(program, recover_network(solution.blocks, false), false),
              solution.certificate.objective, 1e-9 * solution.certificate.objective);
}

// The same patterns as gates and no constraints: never above Alg 1.
TEST_P(StandardCase, IsDominatedByItsGatedProgram) {
  const Program program = problems::load_program(GetParam(), Method::gated);
  const Solution solution = InteriorPoint().solve(program);
  EXPECT_LE(solution.certificate.objective, GetParam().objective * (1 + 1e-6));
  EXPECT_LE(network_objective(program, recover_network(solution.blocks, false), false),
            solution.certificate.objective * (1 + 1e-9));
}

TEST(StandardCases, AreThere) {
  if (problems::standard_cases().empty()) {
    GTEST_SKIP() << "no reference cases at " << CONELU_SHARED_DIR
                 << "/cases: the comparison with other solvers is not run";
  }
}

// Rows are worked on a thousand at a time; which of them come first makes no difference.
TEST(InteriorPoint, GivesEveryRowOfManyItsDue) {
  const problems::Points points = random_points(1100, 4, true, true, 5);
  const Matrix directions = random_points(5, 4, false, true, 6).X;
  const auto program = [&](const Matrix& X, const Vector& y) {
    PatternSet patterns(X.rows());
    for (Index i = 0; i < directions.rows(); ++i) patterns.add(X * directions.row(i).transpose());
    return Program(X, y, Vector(), make_loss("hinge"), 1e-3, patterns);
  };
  expect_same_optimum(program(points.X, points.y), program(points.X.colwise().reverse(), points.y.reverse()));
}

}  // namespace
}  // namespace conelu
