#include <gtest/gtest.h>

#include <cmath>

#include "conelu/solvers.hpp"
#include "problems/problems.hpp"

// What every solver must do with every kind of program. A new solver, loss, norm or method is tried without an edit.

namespace conelu {
namespace {

class EverySolver : public testing::TestWithParam<std::tuple<std::string, problems::Setting>> {
 protected:
  std::unique_ptr<Solver> make(const InteriorPointSettings& settings = {}) const {
    return make_solver(std::get<0>(GetParam()), settings);
  }
  Program program(std::uint64_t seed) const {
    return problems::random_program(std::get<1>(GetParam()), 12 + static_cast<Index>(seed), 3, 6, 0.02, seed);
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, EverySolver,
                         testing::Combine(testing::ValuesIn(solver_names()),
                                          testing::ValuesIn(problems::every_setting())),
                         [](const auto& test) {
                           return problems::test_name(std::get<0>(test.param) + "_" + std::get<1>(test.param).name());
                         });

/// Nothing that the solver says is believed: the certificate is made again from its point.
void expect_honest(const Program& program, const Solution& solution) {
  Matrix blocks = solution.blocks;
  const Certificate again = certify(program, blocks, solution.dual);
  EXPECT_EQ(again.violation, 0);
  EXPECT_NEAR(again.objective, solution.certificate.objective, 1e-12 * again.objective);
  EXPECT_NEAR(again.lower_bound, solution.certificate.lower_bound, 1e-12 * again.objective);
  EXPECT_TRUE(solution.blocks.allFinite());
}

TEST_P(EverySolver, CertifiesTheToleranceItIsAskedFor) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Program problem = program(seed);
    const Solution solution = make()->solve(problem);
    EXPECT_EQ(solution.stop, Stop::converged);
    EXPECT_LE(solution.certificate.relative_gap(), InteriorPointSettings().tolerance);
    expect_honest(problem, solution);
  }
}

TEST_P(EverySolver, ReportsBoundsThatNeverGetWorseAndNeverCross) {
  const Program problem = program(4);
  Progress last;
  last.objective = std::numeric_limits<double>::infinity();
  const Solution solution = make()->solve(problem, [&](const Progress& now) {
    EXPECT_LE(now.lower_bound, now.objective);
    EXPECT_LE(now.objective, last.objective);
    EXPECT_GE(now.lower_bound, last.lower_bound);
    last = now;
    return true;
  });
  EXPECT_EQ(last.objective, solution.certificate.objective);
  // Bounds of the way are bounds of the optimum: no later objective was below one of them.
  EXPECT_LE(last.lower_bound, solution.certificate.objective);
}

TEST_P(EverySolver, StopsWhenToldWithAnHonestPoint) {
  const Program problem = program(5);
  const Solution cancelled = make()->solve(problem, [](const Progress& now) { return now.iteration < 2; });
  EXPECT_EQ(cancelled.stop, Stop::cancelled);
  expect_honest(problem, cancelled);

  InteriorPointSettings none;
  none.max_iterations = 0;
  const Solution zero = make(none)->solve(problem);
  EXPECT_EQ(zero.stop, Stop::iteration_limit);
  expect_honest(problem, zero);
}

TEST(Solvers, AreKnownByTheirNames) {
  for (const std::string& name : solver_names()) EXPECT_EQ(make_solver(name)->name(), name);
  EXPECT_THROW(make_solver("simplex"), std::invalid_argument);
}

}  // namespace
}  // namespace conelu
