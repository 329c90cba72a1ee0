// Packed patterns: drawing distinct ones, and asking whether one is there.

#include <benchmark/benchmark.h>

#include "random_program.hpp"

namespace conelu {
namespace {

void draw_patterns(benchmark::State& state) {
  const Matrix X = random_rows(state.range(0), state.range(1), 3);
  PatternRequest request;
  request.count = state.range(2);
  for (auto _ : state) benchmark::DoNotOptimize(make_patterns("gaussian", X, request).patterns.count());
}

void find_patterns(benchmark::State& state) {
  PatternRequest request;
  request.count = state.range(1);
  const PatternSet patterns = make_patterns("gaussian", random_rows(state.range(0), 20, 3), request).patterns;
  Index i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(patterns.contains(patterns.words(i)));
    i = (i + 1) % patterns.count();
  }
}

BENCHMARK(draw_patterns)->ArgNames({"n", "d", "P"})->Args({600, 147, 36})->Args({10000, 20, 1000});
BENCHMARK(find_patterns)->ArgNames({"n", "P"})->Args({600, 1000})->Args({10000, 1000});

}  // namespace
}  // namespace conelu
