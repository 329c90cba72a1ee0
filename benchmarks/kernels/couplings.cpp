// The dense system in which the blocks meet, made and factored: in the outputs or in the differences of blocks,
// whichever is smaller, and under attack in the differences.

#include <benchmark/benchmark.h>

#include "random_program.hpp"
#include "solvers/ipm/newton.hpp"

namespace conelu {
namespace {

/// The part of a factorisation that is not the blocks'.
void coupling(benchmark::State& state, double eps) {
  Started it(random_program(state.range(0), state.range(1), state.range(2), eps));
  const auto newton = ipm::make_newton(it.problem, it.samples, it.norms, 1);
  double before = 0;
  for (auto _ : state) {
    if (!newton->factor(it.at, 1e-8)) state.SkipWithError("the factor failed");
    state.SetIterationTime(newton->phases().coupling_factor - before);
    before = newton->phases().coupling_factor;
  }
  state.counters["blocks"] = static_cast<double>(it.problem.blocks());
}

void standard_coupling(benchmark::State& state) { coupling(state, 0); }
void robust_coupling(benchmark::State& state) { coupling(state, 1e-5); }

BENCHMARK(standard_coupling)
    ->ArgNames({"n", "d", "P"})
    ->Args({581, 6, 120})
    ->Args({600, 147, 36})
    ->Args({10000, 20, 20})
    ->UseManualTime();
BENCHMARK(robust_coupling)->ArgNames({"n", "d", "P"})->Args({581, 6, 120})->Args({200, 147, 8})->UseManualTime();

}  // namespace
}  // namespace conelu
