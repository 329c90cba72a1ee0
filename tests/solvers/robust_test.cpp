#include <gtest/gtest.h>

#include <numeric>

#include "conelu/interior_point.hpp"
#include "conelu/train.hpp"
#include "linalg/random.hpp"
#include "problems/problems.hpp"
#include "solvers/ipm/norm_cones.hpp"

namespace conelu {
namespace {

using Setting = std::tuple<std::string, Norm, Method>;

/// Random points with thresholds for patterns, of which some are live under the threat and some are not.
struct Problem {
  Matrix X;
  Vector y;
  PatternSet patterns;
  double beta = 0.02;
};

Problem random_problem(const std::string& loss, std::uint64_t seed, Index n = 14, Index d = 3, Index count = 12) {
  const problems::Points points = problems::random_points(n, d, true, make_loss(loss)->is_margin_loss(), seed);
  PatternRequest request;
  request.count = count;
  request.seed = seed;
  request.all_active = true;
  return {points.X, points.y, make_patterns("gaussian", points.X, request).patterns};
}

Solution solve(const Problem& problem, const std::string& loss, const Threat& threat, Method method) {
  const Program program(problem.X, problem.y, Vector(), make_loss(loss), problem.beta, problem.patterns, threat,
                        method);
  InteriorPointSettings settings;
  settings.tolerance = 1e-7;
  return InteriorPoint(settings).solve(program);
}

/// Certified to lie between its bounds; the tests below compare such intervals.
void expect_same_optimum(const Solution& a, const Solution& b) {
  EXPECT_LE(a.certificate.relative_gap(), 1e-6);
  EXPECT_LE(b.certificate.relative_gap(), 1e-6);
  EXPECT_LE(a.certificate.lower_bound, b.certificate.objective);
  EXPECT_LE(b.certificate.lower_bound, a.certificate.objective);
}

class EveryRobustSetting : public testing::TestWithParam<Setting> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryRobustSetting,
                         testing::Combine(testing::ValuesIn(loss_names()),
                                          testing::Values(Norm::infinity, Norm::two, Norm::one),
                                          testing::Values(Method::cones, Method::reduced)),
                         [](const auto& setting) {
                           return problems::test_name(std::get<0>(setting.param) + "_" +
                                                      to_string(std::get<2>(setting.param)) + "_l" +
                                                      to_string(std::get<1>(setting.param)));
                         });

TEST_P(EveryRobustSetting, NeverHasALargerOptimumWithFewerConstraints) {
  const auto& [loss, norm, method] = GetParam();
  if (method == Method::reduced) GTEST_SKIP() << "compared with cones already";
  for (std::uint64_t seed = 0; seed < problems::repetitions(5, 100); ++seed) {
    const Problem problem = random_problem(loss, seed);
    const Threat threat = Threat::uniform(norm, 0.1, 2, true);
    const Solution cones = solve(problem, loss, threat, Method::cones);
    const Solution reduced = solve(problem, loss, threat, Method::reduced);
    EXPECT_LE(reduced.certificate.lower_bound, cones.certificate.objective) << seed;
    EXPECT_LE(reduced.certificate.objective, cones.certificate.objective * (1 + 1e-6)) << seed;
    const Solution hybrid = solve(problem, loss, threat, Method::hybrid);
    EXPECT_LE(hybrid.certificate.lower_bound, reduced.certificate.objective) << seed;
    EXPECT_LE(hybrid.certificate.objective, reduced.certificate.objective * (1 + 1e-6)) << seed;
  }
}

TEST_P(EveryRobustSetting, NeverHasALargerOptimumGatedThanWithConesIfNobodyAttacks) {
  const auto& [loss, norm, method] = GetParam();
  if (method == Method::reduced) GTEST_SKIP() << "compared with cones already";
  for (std::uint64_t seed = 0; seed < problems::repetitions(5, 100); ++seed) {
    const Problem problem = random_problem(loss, seed);
    const Solution cones = solve(problem, loss, {}, Method::cones);
    for (const Method free : {Method::gated, Method::hybrid, Method::separate}) {
      const Solution other = solve(problem, loss, {}, free);
      EXPECT_LE(other.certificate.lower_bound, cones.certificate.objective) << seed;
      EXPECT_LE(other.certificate.objective, cones.certificate.objective * (1 + 1e-6)) << seed;
    }
  }
}

TEST_P(EveryRobustSetting, NeverLowersTheOptimumWithALargerRadiusOrFewerPatterns) {
  const auto& [loss, norm, method] = GetParam();
  for (std::uint64_t seed = 0; seed < problems::repetitions(2, 30); ++seed) {
    const Problem problem = random_problem(loss, seed);
    double previous = 0;
    for (const double radius : {0.0, 0.05, 0.1, 0.3}) {
      const Solution solution = solve(problem, loss, Threat::uniform(norm, radius, 2, true), method);
      EXPECT_LE(previous, solution.certificate.objective) << seed << ", radius " << radius;
      previous = solution.certificate.lower_bound;
    }
    Problem fewer = problem;
    fewer.patterns = PatternSet(problem.X.rows());
    for (Index i = 0; i < problem.patterns.count(); i += 2) fewer.patterns.add_words(problem.patterns.words(i));
    const Threat threat = Threat::uniform(norm, 0.1, 2, true);
    EXPECT_LE(solve(problem, loss, threat, method).certificate.lower_bound,
              solve(fewer, loss, threat, method).certificate.objective)
        << seed;
  }
}

TEST_P(EveryRobustSetting, HasTheStandardOptimumWhereNothingCanBePerturbed) {
  const auto& [loss, norm, method] = GetParam();
  const Problem problem = random_problem(loss, 3);
  expect_same_optimum(solve(problem, loss, Threat::uniform(norm, 0.0, 2, true), method),
                      solve(problem, loss, {}, method));
  // A radius that is next to nothing goes the robust way and must arrive at the same place.
  const Solution tiny = solve(problem, loss, Threat::uniform(norm, 1e-9, 2, true), method);
  EXPECT_NEAR(tiny.certificate.objective, solve(problem, loss, {}, method).certificate.objective,
              1e-5 * tiny.certificate.objective);
}

TEST_P(EveryRobustSetting, DependsNeitherOnUnitsNorOnTheOrderOfRowsAndColumns) {
  const auto& [loss, norm, method] = GetParam();
  const Problem problem = random_problem(loss, 4, 12, 4);
  Threat threat{norm, Vector(4)};
  threat.radii << 0.1, 0.02, 0.05, 0.0;
  const Solution solution = solve(problem, loss, threat, method);

  Problem scaled = problem;
  scaled.X /= 7;
  scaled.beta /= 7;
  expect_same_optimum(solution, solve(scaled, loss, {norm, threat.radii / 7}, method));

  const std::vector<Index> columns = {2, 0, 3, 1};
  std::vector<Index> rows(12);
  std::iota(rows.begin(), rows.end(), Index{0});
  std::reverse(rows.begin(), rows.end());
  std::swap(rows[2], rows[7]);
  Problem permuted = problem;
  permuted.X = problem.X(rows, columns);
  permuted.y = problem.y(rows);
  permuted.patterns = PatternSet(12);
  const Matrix bits = problem.patterns.to_matrix();
  for (Index i = 0; i < bits.rows(); ++i) {
    permuted.patterns.add(bits.row(i)(rows).transpose().array() - 0.5);
  }
  expect_same_optimum(solution, solve(permuted, loss, {norm, threat.radii(columns)}, method));
}

// A sample at the origin, with and without a bias: its rows hold with equality whatever the blocks are.
TEST_P(EveryRobustSetting, SolvesWithARowOfZeros) {
  const auto& [loss, norm, method] = GetParam();
  for (const double radius : {0.0, 0.05}) {
    for (const bool bias : {false, true}) {
      const Index d = 3;
      problems::Points points = problems::random_points(12, d, bias, make_loss(loss)->is_margin_loss(), 5);
      points.X.row(4).head(bias ? d - 1 : d).setZero();
      PatternRequest request;
      request.count = 10;
      request.all_active = bias;
      const PatternSet patterns = make_patterns("gaussian", points.X, request).patterns;
      const Threat threat = Threat::uniform(norm, radius, bias ? d - 1 : d, bias);
      const Program program(points.X, points.y, Vector(), make_loss(loss), 0.02, patterns, threat, method);
      EXPECT_LE(InteriorPoint().solve(program).certificate.relative_gap(), 1e-6) << radius << (bias ? " bias" : "");
    }
  }
}

TEST_P(EveryRobustSetting, IsNotChangedByDeadPatterns) {
  const auto& [loss, norm, method] = GetParam();
  if (method == Method::reduced) GTEST_SKIP() << "no pattern is dead there with a bias";
  const Problem problem = random_problem(loss, 5);
  const Threat threat = Threat::uniform(norm, 0.3, 2, true);
  Problem living = problem;
  living.patterns = live_patterns(problem.X, problem.patterns, threat);
  ASSERT_LT(living.patterns.count(), problem.patterns.count());
  expect_same_optimum(solve(problem, loss, threat, method), solve(living, loss, threat, method));
}

// Lemma RED_D: with all patterns at hand, the cone of any further one is covered.
TEST_P(EveryRobustSetting, IsNotChangedByRedundantPatternsWhereAllAreThere) {
  const auto& [loss, norm, method] = GetParam();
  if (method == Method::reduced || norm != Norm::infinity) GTEST_SKIP() << "a statement about standard training";
  Problem problem = random_problem(loss, 6, 8, 2);
  problem.patterns = make_patterns("all", problem.X).patterns;
  Problem more = problem;
  Random random(1, 2);
  for (int i = 0; i < 10; ++i) {
    Vector bits(8);
    for (Index k = 0; k < 8; ++k) bits(k) = random.normal();
    more.patterns.add(bits);
  }
  ASSERT_GT(more.patterns.count(), problem.patterns.count());
  expect_same_optimum(solve(problem, loss, {}, method), solve(more, loss, {}, method));
}

class RobustReference : public testing::TestWithParam<problems::Case> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RobustReference);
INSTANTIATE_TEST_SUITE_P(Shared, RobustReference, testing::ValuesIn(problems::robust_cases()),
                         [](const auto& setting) { return setting.param.name; });

TEST_P(RobustReference, AgreesWithIndependentSolvers) {
  const problems::Case& reference = GetParam();
  const Solution solution = InteriorPoint().solve(problems::load_program(reference));
  EXPECT_LE(solution.certificate.relative_gap(), 1e-6);
  EXPECT_LE(solution.certificate.objective, reference.objective * (1 + 1e-6));
  EXPECT_GE(solution.certificate.objective, reference.proven_lower_bound * (1 - 1e-6));
  EXPECT_LE(solution.certificate.lower_bound, reference.objective);
}

// No constraints at all: never above the paper's cones. (Images would take minutes.)
TEST_P(RobustReference, IsDominatedByItsHybridProgram) {
  const Program program = problems::load_program(GetParam(), Method::hybrid);
  if (program.dimension() > 100) GTEST_SKIP() << "takes minutes";
  const Solution solution = InteriorPoint().solve(program);
  EXPECT_LE(solution.certificate.objective, GetParam().objective * (1 + 1e-6));
  EXPECT_LE(network_objective(program, recover_network(solution.blocks, false), false),
            solution.certificate.objective * (1 + 1e-9));
}

// A step's parts, put together from kappa, anchor, S, shift and l, solve the cone's own linearised equations.
// A table of small integers with a large penalty: products that Mehrotra's correction drove apart, in all five, and
// slopes of a logistic loss that ran into their limit, in four.
TEST(RobustTraining, SolvesPartsOfMammographicMasses) {
  const Dataset all = problems::mammographic_masses();
  if (all.samples() == 0) GTEST_SKIP() << "no Mammographic Masses in " << CONELU_SHARED_DIR;
  for (Index fold = 0; fold < 5; ++fold) {
    std::vector<Index> rows;
    for (Index k = 1; k < all.samples(); k += 4) {
      if (k / 4 % 5 != fold) rows.push_back(k);
    }
    TrainSettings settings;
    settings.method = "cones";
    settings.standardize = true;
    settings.beta = 0.3;
    settings.request.count = 40;
    for (const auto& [loss, eps] : {std::pair("hinge", 0.1), std::pair("logistic", 0.02)}) {
      settings.loss = loss;
      settings.eps = {eps};
      EXPECT_EQ(train(select_rows(all, rows), settings).model.training.status, "optimal") << loss << ", fold " << fold;
    }
  }
}

TEST(NormCones, CompleteStepsThatSolveTheirLinearisedConditions) {
  for (const Norm norm : {Norm::infinity, Norm::one}) {
    Random random(1, 3);
    Vector radii(4), x(4), dx(4);
    radii << 0.3, 0, 0.7, 0.2;
    const auto cones = ipm::make_norm_cones(norm, radii, 1);
    ipm::NormPoint at = cones->make_point();
    for (Index a = 0; a < 4; ++a) x(a) = random.normal(), dx(a) = random.normal();
    cones->start(0, x, 3.0, 0.5, at);
    for (Matrix* duals : {&at.lower_dual, &at.upper_dual}) {
      for (Index i = 0; i < duals->size(); ++i) (*duals)(i) *= 0.5 + random.uniform();
    }
    cones->update(at);
    cones->set_target(at, 0.3, nullptr);
    const double drho = random.normal();
    Vector spring = Vector::Zero(4);
    cones->apply_hessian(0, dx, spring);
    const double chi = -cones->kappa()(0) * (drho - cones->anchors().col(0).dot(dx) - cones->shifts()(0));
    ipm::NormPoint step = cones->make_point();
    cones->complete(at, 0, dx, drho, chi, spring, step);

    const auto complementarity = [](const Matrix& s, const Matrix& z, const Matrix& ds, const Matrix& dz) {
      return (s.cwiseProduct(dz) + z.cwiseProduct(ds) + s.cwiseProduct(z)).array() - 0.3;
    };
    EXPECT_LE(complementarity(at.lower, at.lower_dual, step.lower, step.lower_dual).abs().maxCoeff(), 1e-12);
    EXPECT_LE(complementarity(at.upper, at.upper_dual, step.upper, step.upper_dual).abs().maxCoeff(), 1e-12);
    const Vector t = 0.5 * (step.upper + step.lower);
    const Vector v = 0.5 * (step.upper - step.lower);
    const std::vector<Index> reach = {0, 2, 3};
    EXPECT_LE((v - radii.cwiseProduct(dx)(reach)).norm(), 1e-12);
    if (norm == Norm::infinity) {
      EXPECT_NEAR(t.sum(), drho, 1e-12);
    } else {
      EXPECT_LE((t.array() - drho).abs().maxCoeff(), 1e-12);
    }
    Matrix H = Matrix::Zero(4, 4), B(4, 4);
    cones->add_hessian(0, H);
    cones->set_root(0, B);
    const Matrix S = H.selfadjointView<Eigen::Lower>();
    EXPECT_LE((S * dx - spring).norm(), 1e-12);
    EXPECT_LE((B.transpose() * B - S).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace conelu
