#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "conelu/gates.hpp"
#include "conelu/interior_point.hpp"
#include "linalg/random.hpp"
#include "problems/problems.hpp"

// Solves that start from given blocks: the optimum does not depend on them, and good ones save iterations.
namespace conelu {
namespace {

std::vector<problems::Setting> settings_of_methods(bool with_gates) {
  std::vector<problems::Setting> settings = problems::every_setting();
  std::erase_if(settings, [&](const problems::Setting& setting) { return has_gates(setting.method) != with_gates; });
  return settings;
}

struct StartProblem {
  problems::Setting setting;
  problems::Points points;
  Threat threat;

  StartProblem(const problems::Setting& chosen, std::uint64_t seed)
      : setting(chosen),
        points(problems::random_points(20, 4, true, make_loss(chosen.loss)->is_margin_loss(), seed)),
        threat(problems::random_threat(chosen.norm, chosen.radius, 4, seed)) {}

  template <class Choice>
  Program program(const Choice& choice) const {
    return Program(points.X, points.y, Vector(), make_loss(setting.loss), 0.02, choice, threat, setting.method);
  }
};

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed, 1);
  Matrix M(rows, columns);
  for (double& entry : M.reshaped()) entry = random.normal();
  return M;
}

void expect_the_optimum_of(const Solution& a, const Solution& b) {
  EXPECT_LE(a.certificate.lower_bound, b.certificate.objective);
  EXPECT_LE(b.certificate.lower_bound, a.certificate.objective);
  EXPECT_LT(a.certificate.relative_gap(), 1e-5);
}

class EveryGatedStart : public testing::TestWithParam<problems::Setting> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryGatedStart, testing::ValuesIn(settings_of_methods(true)),
                         [](const auto& setting) { return setting.param.name(); });

/// As in training in rounds: the solution of a program, and the program of the gates that suit it best.
std::pair<Matrix, Program> next_round(const problems::Setting& setting, std::uint64_t seed) {
  const StartProblem problem(setting, seed);
  const Matrix gates = (random_matrix(20, 8, seed).array() > 0).cast<double>();
  const Matrix U = InteriorPoint().solve(problem.program(gates)).blocks;
  return {U, problem.program(choose_gates(problem.points.X, problem.points.y, *make_loss(setting.loss), problem.threat, U,
                                          setting.method, gates))};
}

TEST_P(EveryGatedStart, LeadsToTheOptimumFromTheSolutionForOtherGates) {
  const InteriorPoint solver;
  for (std::uint64_t seed = 0; seed < problems::repetitions(4, 40); ++seed) {
    SCOPED_TRACE(seed);
    const auto [U, program] = next_round(GetParam(), seed);
    expect_the_optimum_of(solver.solve(program, U), solver.solve(program));
  }
}

TEST(WarmStart, SavesIterationsOfMarginLossesUnderAttack) {
  int cold = 0, warm = 0;
  const InteriorPoint solver;
  for (const problems::Setting& setting : settings_of_methods(true)) {
    if (setting.radius == 0 || !make_loss(setting.loss)->is_margin_loss()) continue;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const auto [U, program] = next_round(setting, seed);
      warm += solver.solve(program, U).iterations;
      cold += solver.solve(program).iterations;
    }
  }
  EXPECT_LT(warm, 0.95 * cold);
}

TEST_P(EveryGatedStart, LeadsToTheOptimumFromAnyBlocks) {
  const StartProblem problem(GetParam(), 7);
  const Program program = problem.program(Matrix((random_matrix(20, 8, 7).array() > 0).cast<double>()));
  const InteriorPoint solver;
  const Solution cold = solver.solve(program);
  for (const double size : {1e-3, 1.0, 100.0}) {
    SCOPED_TRACE(size);
    expect_the_optimum_of(solver.solve(program, size * random_matrix(program.dimension(), 8, 8)), cold);
  }
}

class EveryConstrainedStart : public testing::TestWithParam<problems::Setting> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryConstrainedStart, testing::ValuesIn(settings_of_methods(false)),
                         [](const auto& setting) { return setting.param.name(); });

TEST_P(EveryConstrainedStart, IsFromScratchWhateverTheBlocks) {
  const StartProblem problem(GetParam(), 3);
  PatternRequest request;
  request.count = 4;
  request.seed = 3;
  request.threat = problem.threat;
  const Program program = problem.program(make_patterns("gaps", problem.points.X, request).patterns);
  const InteriorPoint solver;
  const Matrix blocks = random_matrix(program.dimension(), program.blocks(), 4);
  EXPECT_EQ(solver.solve(program, program.unconstrained() ? Matrix(0 * blocks) : blocks).blocks,
            solver.solve(program).blocks);
}

TEST(WarmStart, RefusesBlocksThatDoNotFit) {
  const StartProblem problem(settings_of_methods(true).front(), 1);
  const Program program = problem.program(Matrix(Matrix::Ones(20, 8)));
  const InteriorPoint solver;
  EXPECT_THROW(solver.solve(program, Matrix(Matrix::Ones(program.dimension(), 6))), std::invalid_argument);
  Matrix broken = Matrix::Ones(program.dimension(), 8);
  broken(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(solver.solve(program, broken), std::invalid_argument);
}

}  // namespace
}  // namespace conelu
