// `reduced` under an attack, all patterns at once and a few first: the same program, one thread.

#include <benchmark/benchmark.h>

#include "conelu/solvers.hpp"
#include "random_program.hpp"

namespace conelu {
namespace {

/// Features that are alike, as neighbouring pixels are, and labels that a few of them tell: most patterns are of no use.
Program alike_program(Index n, Index d, Index patterns) {
  const Matrix draws = random_rows(n, d, 5);
  Matrix X = draws;
  for (Index a = 1; a + 1 < d; ++a) X.col(a) = 0.8 * X.col(a - 1) + 0.4 * draws.col(a);
  const Vector y = (X.leftCols(3).rowwise().sum().array() + draws.col(d - 2).array() > 0).select(Vector::Ones(n), -1.0);
  PatternRequest request;
  request.count = patterns;
  request.all_active = true;
  request.threat = Threat::uniform(Norm::infinity, 0.1, d - 1, true);
  return Program(X, y, Vector(), make_loss("hinge"), 1e-3, make_patterns("perturbed", X, request).patterns,
                 request.threat, Method::reduced);
}

void solve_reduced(benchmark::State& state, const std::string& solver) {
  const Program program = alike_program(state.range(0), state.range(1), state.range(2));
  InteriorPointSettings settings;
  settings.threads = 1;
  Solution solution;
  for (auto _ : state) solution = make_solver(solver, settings)->solve(program);
  if (solution.certificate.relative_gap() > settings.tolerance) state.SkipWithError("not solved");
  const Eigen::RowVectorXd lengths = solution.blocks.colwise().norm();
  state.counters["used"] = static_cast<double>((lengths.array() > 1e-4 * lengths.maxCoeff()).count());
}

BENCHMARK_CAPTURE(solve_reduced, all_at_once, "interior-point")
    ->ArgNames({"n", "d", "P"})
    ->Args({300, 20, 20})
    ->Args({600, 40, 30});
BENCHMARK_CAPTURE(solve_reduced, few_first, "working-set")
    ->ArgNames({"n", "d", "P"})
    ->Args({300, 20, 20})
    ->Args({600, 40, 30})
    ->Args({10000, 40, 30});

}  // namespace
}  // namespace conelu
