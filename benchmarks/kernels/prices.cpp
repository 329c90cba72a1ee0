// The ascent of prices beside the products of matrices that it is made of.

#include "conelu/prices.hpp"

#include <benchmark/benchmark.h>

#include "linalg/dense.hpp"
#include "linalg/random.hpp"

namespace conelu {
namespace {

constexpr Index kStarts = 1024, kTile = 64;
constexpr int kSteps = 20;

Matrix normal_rows(Index n, Index d) {
  Random random(5);
  Matrix X(n, d);
  for (double& entry : X.reshaped()) entry = random.normal();
  return X;
}

/// All starts take all steps: with a fifth of the steps that are asked for, none is given up.
void ascent(benchmark::State& state) {
  const Matrix X = normal_rows(state.range(0), state.range(1));
  const Vector nu = X.col(0).array().sin();
  int steps = 0;
  const auto count_steps = [&] { return ++steps <= kSteps; };
  for (auto _ : state) {
    steps = 0;
    benchmark::DoNotOptimize(find_prices(X, nu, {.starts = kStarts, .steps = 5 * kSteps}, Matrix(), count_steps));
  }
}

void products_of_ascent(benchmark::State& state) {
  const Matrix X = normal_rows(state.range(0), state.range(1));
  const Matrix U = normal_rows(state.range(1), kTile);
  Matrix products(X.rows(), kTile), gradients(X.cols(), kTile);
  for (auto _ : state) {
    for (int step = 0; step < kSteps * kStarts / kTile; ++step) {
      dense::multiply(1.0, dense::Op::none, X, dense::Op::none, U, 0.0, products);
      dense::multiply(1.0, dense::Op::transpose, X, dense::Op::none, products, 0.0, gradients);
      benchmark::DoNotOptimize(gradients.data());
    }
  }
}

BENCHMARK(ascent)->Args({581, 6})->Args({600, 148})->Args({10000, 20})->Unit(benchmark::kMillisecond);
BENCHMARK(products_of_ascent)->Args({581, 6})->Args({600, 148})->Args({10000, 20})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace conelu
