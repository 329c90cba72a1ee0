// Hessians of all blocks and their Cholesky factors: J (n d^2 + d^3 / 3) flops.

#include <benchmark/benchmark.h>

#include "random_program.hpp"
#include "solvers/ipm/block_factors.hpp"

namespace conelu {
namespace {

void block_hessians(benchmark::State& state) {
  const Started it(random_program(state.range(0), state.range(1), state.range(2), 0));
  ipm::ConeScaling cones(it.problem.dimension(), it.problem.blocks());
  cones.update(ipm::penalty_cones(it.at));
  ipm::BlockFactors blocks(it.problem, 1);
  blocks.weights() = it.at.lambda.cwiseQuotient(it.at.s);
  for (auto _ : state) {
    blocks.factor(cones, nullptr);
    benchmark::DoNotOptimize(blocks.lower(0).data());
  }
  const auto n = static_cast<double>(it.problem.cone_rows());
  const auto d = static_cast<double>(it.problem.dimension());
  const double flops = static_cast<double>(it.problem.blocks()) * d * d * (n + d / 3);
  state.counters["flops"] = benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK(block_hessians)->ArgNames({"n", "d", "P"})->Args({581, 6, 120})->Args({600, 147, 36})->Args({10000, 20, 20});

}  // namespace
}  // namespace conelu
