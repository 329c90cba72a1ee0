// Cones of directions per second in the search for the largest price, and what comes before the first of them.

#include "conelu/price_bound.hpp"

#include <benchmark/benchmark.h>

#include "linalg/random.hpp"
#include "prices/folded_price.hpp"

namespace conelu {
namespace {

/// Features on a coarse grid, like those of a questionnaire, with a constant. Multipliers like those of a hinge loss at
/// its optimum: a third of the samples is far enough on its side and has none, most others have 1 / n, some are
/// between; both classes have as much, and no direction tells what is left of them apart.
struct PricedSamples {
  Matrix X;
  Vector nu;

  PricedSamples(Index n, Index d) : X(n, d), nu(n) {
    Random random(5);
    double sums[2] = {0, 0};
    for (Index k = 0; k < n; ++k) {
      const double label = k % 2 == 0 ? 1 : -1;
      for (Index a = 0; a < d - 1; ++a) X(k, a) = std::round(2 * random.normal()) / 2;
      X(k, d - 1) = 1;
      const double draw = random.uniform();
      nu(k) = draw < 0.33 ? 0 : draw < 0.85 ? label : label * random.uniform();
      sums[k % 2] += std::abs(nu(k));
    }
    for (Index k = 0; k < n; ++k) nu(k) /= sums[k % 2] * 2;
  }
};

void price_nodes(benchmark::State& state) {
  const PricedSamples samples(state.range(0), state.range(1));
  Index nodes = 0;
  for (auto _ : state) {
    nodes += bound_prices(samples.X, samples.nu, 1, {.tolerance = 0.01, .node_limit = 200000, .threads = 1}).nodes;
  }
  state.counters["time/node"] =
      benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["nodes"] = static_cast<double>(nodes) / static_cast<double>(state.iterations());
}

void fold(benchmark::State& state) {
  const PricedSamples samples(state.range(0), state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(spectral_price_bound(fold_price(samples.X, samples.nu)));
}

BENCHMARK(price_nodes)->Args({581, 4})->Args({581, 6})->Args({581, 9})->Args({5000, 6})->Unit(benchmark::kMillisecond);
BENCHMARK(fold)->Args({581, 6})->Args({600, 148})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace conelu
