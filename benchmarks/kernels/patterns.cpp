// Packed patterns: drawing distinct ones, asking whether one is there, and counting what pairs have in common; beside it
// the same counts as a product of matrices of 0 and 1.

#include <benchmark/benchmark.h>

#include "linalg/dense.hpp"
#include "random_program.hpp"

namespace conelu {
namespace {

void draw_patterns(benchmark::State& state) {
  const Matrix X = random_rows(state.range(0), state.range(1), 3);
  PatternRequest request;
  request.count = state.range(2);
  for (auto _ : state) benchmark::DoNotOptimize(make_patterns("gaussian", X, request).patterns.count());
}

PatternSet some_patterns(Index samples, Index count) {
  PatternRequest request;
  request.count = count;
  return make_patterns("gaussian", random_rows(samples, 20, 3), request).patterns;
}

void find_patterns(benchmark::State& state) {
  const PatternSet patterns = some_patterns(state.range(0), state.range(1));
  Index i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(patterns.contains(patterns.words(i)));
    i = (i + 1) % patterns.count();
  }
}

void popcount_gram(benchmark::State& state) {
  const PatternSet patterns = some_patterns(state.range(0), state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(patterns.gram().sum());
}

void product_gram(benchmark::State& state) {
  const Matrix activations = some_patterns(state.range(0), state.range(1)).to_matrix();
  Matrix common(activations.rows(), activations.rows());
  for (auto _ : state) {
    dense::multiply(1.0, dense::Op::none, activations, dense::Op::transpose, activations, 0.0, common);
    benchmark::DoNotOptimize(common.sum());
  }
}

BENCHMARK(draw_patterns)->ArgNames({"n", "d", "P"})->Args({600, 147, 36})->Args({10000, 20, 1000});
BENCHMARK(find_patterns)->ArgNames({"n", "P"})->Args({600, 1000})->Args({10000, 1000});
BENCHMARK(popcount_gram)->ArgNames({"n", "P"})->Args({600, 120})->Args({600, 1000})->Args({10000, 1000});
BENCHMARK(product_gram)->ArgNames({"n", "P"})->Args({600, 120})->Args({600, 1000})->Args({10000, 1000});

}  // namespace
}  // namespace conelu
