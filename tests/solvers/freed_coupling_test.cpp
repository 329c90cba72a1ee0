#include "solvers/ipm/freed_coupling.hpp"

#include <gtest/gtest.h>

#include "linalg/random.hpp"
#include "problems/problems.hpp"
#include "solvers/ipm/block_coupling.hpp"
#include "solvers/ipm/spring_coupling.hpp"
#include "solvers/ipm/start.hpp"

namespace conelu::ipm {
namespace {

using Kind = std::tuple<std::string, Norm>;

/// A Newton system of `reduced` away from the central path: at the starting point, its multipliers multiplied by random
/// numbers between 1 / spread and spread; those of the norms of s `stiff` times as large.
struct System {
  System(const Program& program, double spread, std::uint64_t seed, double stiff = 1)
      : problem(program),
        samples(problem),
        norms(problem),
        cones(problem.dimension(), problem.blocks()),
        blocks(problem, 1),
        cells(problem),
        freed(problem) {
    Iterate at(problem);
    at.tau = norms.blocks->make_point();
    at.rho = norms.cells->make_point();
    start(problem, samples, norms, 1, at);
    Random random(seed, 7);
    const auto shake = [&](double value) { return value * std::pow(spread, 2 * random.uniform() - 1); };
    at.lambda = at.lambda.unaryExpr(shake);
    at.omega = at.omega.unaryExpr(shake);
    for (Matrix* multipliers : {&at.rho.lower_dual, &at.rho.upper_dual, &at.rho.dual}) *multipliers *= stiff;
    at.rho.dual_rho *= stiff;
    cones.update(penalty_cones(at));
    norms.blocks->update(at.tau);
    norms.cells->update(at.rho);
    samples.linearize(at);
    Matrix theta = samples.side_theta();
    Vector across = samples.across_theta();
    blocks.weights() = at.lambda.cwiseQuotient(at.s);
    for (Index j = 0; j < problem.blocks(); ++j) {
      for (Index g = 0; g < problem.groups(); ++g) blocks.weights()(g, j) *= problem.pair(g, j) == Pair::kept;
    }
    freed.linearize(at, blocks.weights());
    freed.put_in_series(theta, across);
    blocks.factor(cones, norms.blocks.get());
    cells.linearize(theta, across, norms.cells.get());
  }

  ScaledProblem problem;
  SampleTerms samples;
  Norms norms;
  ConeScaling cones;
  BlockFactors blocks;
  CellTerms cells;
  FreedPairs freed;
};

struct Answer {
  Matrix du, N, springs;
  Vector dtau;
};

Answer solve(FreedCoupling& coupling, System& system, std::uint64_t seed, bool careful = false) {
  const ScaledProblem& problem = system.problem;
  Random random(seed, 8);
  const auto draw = [&](Index rows, Index columns) {
    return Matrix(Matrix::NullaryExpr(rows, columns, [&] { return random.normal(); }));
  };
  Matrix R = draw(problem.dimension(), problem.blocks());
  Vector R_tau = draw(problem.blocks(), 1);
  Matrix multiplier_residual = draw(problem.groups(), 2);
  Matrix spring_residual = draw(problem.dimension(), problem.cells());
  Answer answer{R, multiplier_residual, spring_residual, R_tau};
  EXPECT_TRUE(coupling.factor(system.blocks, system.norms.cells.get(), 1e-16, careful));
  coupling.solve(system.blocks, R, R_tau, multiplier_residual, spring_residual, answer.du, answer.dtau, answer.N,
                 answer.springs);
  return answer;
}

class EveryCoupling : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryCoupling,
                         testing::Combine(testing::ValuesIn(loss_names()),
                                          testing::Values(Norm::infinity, Norm::two, Norm::one)),
                         [](const auto& kind) {
                           return problems::test_name(std::get<0>(kind.param) + "_l" +
                                                      to_string(std::get<1>(kind.param)));
                         });

// Differences and rows of samples one after the other, or all unknowns of the blocks at once: it is one system.
TEST_P(EveryCoupling, GivesTheSameStep) {
  const auto& [loss, norm] = GetParam();
  for (std::uint64_t seed = 0; seed < problems::repetitions(4, 50); ++seed) {
    for (const double spread : {1.0, 100.0}) {
      const Program program = problems::random_program({loss, Method::reduced, norm, 0.1}, 12, 4, 4, 0.02, seed);
      System system(program, spread, seed);
      SpringCoupling by_springs(system.problem, system.cells, system.freed, 1);
      BlockCoupling by_blocks(system.problem, system.cells, system.freed, 1);
      const Answer a = solve(by_springs, system, seed);
      const Answer b = solve(by_blocks, system, seed);
      EXPECT_LE((a.du - b.du).norm(), 1e-7 * b.du.norm()) << seed;
      EXPECT_LE((a.dtau - b.dtau).norm(), 1e-7 * b.dtau.norm()) << seed;
      EXPECT_LE((a.N - b.N).norm(), 1e-7 * b.N.norm()) << seed;
      EXPECT_LE((a.springs - b.springs).norm(), 1e-7 * b.springs.norm()) << seed;
    }
  }
}

// Multipliers 1e9 times what they were, where the norms of s bind: their springs tower above the blocks.
TEST_P(EveryCoupling, KeepsHeavySpringsApart) {
  const auto& [loss, norm] = GetParam();
  Index heavy = 0;
  for (std::uint64_t seed = 0; seed < problems::repetitions(4, 50); ++seed) {
    const Program program = problems::random_program({loss, Method::reduced, norm, 0.1}, 12, 4, 4, 0.02, seed);
    System system(program, 1.0, seed, 1e9);
    SpringCoupling by_springs(system.problem, system.cells, system.freed, 1);
    BlockCoupling by_blocks(system.problem, system.cells, system.freed, 1);
    const Answer a = solve(by_springs, system, seed, true);
    const Answer b = solve(by_blocks, system, seed, true);
    heavy += by_springs.heavy_springs();
    EXPECT_LE((a.du - b.du).norm(), 1e-5 * b.du.norm()) << seed;
    EXPECT_LE((a.dtau - b.dtau).norm(), 1e-5 * b.dtau.norm()) << seed;
  }
  EXPECT_GT(heavy, 0);
}

TEST(CouplingKind, IsTheCheapestThatFits) {
  const auto kind = [](bool joint, Index n, Index d, Index patterns, Index blocks) {
    return freed_coupling_kind(CouplingSize::of(joint, true, n, d, patterns, blocks));
  };
  EXPECT_EQ(kind(true, 600, 148, 36, 72), CouplingKind::springs);
  EXPECT_EQ(kind(true, 600, 148, 12, 24), CouplingKind::springs);
  EXPECT_EQ(kind(true, 600, 148, 72, 72), CouplingKind::iterative) << "no pattern has two blocks";
  EXPECT_EQ(kind(true, 2000, 3, 20, 40), CouplingKind::blocks) << "many samples, few unknowns";
  EXPECT_EQ(kind(true, 600, 148, 100, 200), CouplingKind::iterative);
  EXPECT_EQ(kind(false, 600, 148, 36, 72), CouplingKind::sides);
}

}  // namespace
}  // namespace conelu::ipm
