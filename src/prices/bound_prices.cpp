#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conelu/price_bound.hpp"
#include "linalg/random.hpp"
#include "linalg/thread_count.hpp"
#include "prices/cone_search.hpp"
#include "program/rounding.hpp"
#include "require.hpp"

namespace conelu {
namespace {

constexpr std::uint64_t kWalkStream = 0x77616c6b;

void check_priced(const MatrixView& X, const VectorView& nu) {
  require(nu.size() == X.rows(), fmt::format("nu: has {} entries, expected {}, one per row of X", nu.size(), X.rows()));
  require(X.allFinite(), "X: has an entry that is not finite");
  require(nu.allFinite(), "nu: has an entry that is not finite");
}

}  // namespace

PriceBound bound_prices(const MatrixView& X, const VectorView& nu, double worth, const PriceBoundSettings& settings,
                        const std::function<bool()>& go_on) {
  check_priced(X, nu);
  require(worth >= 0, fmt::format("worth: is {}, expected a number that is not negative", worth));
  PriceBoundSettings::visit(settings, [](const char* name, auto value, auto lowest, auto highest) {
    require(value >= lowest && value <= highest,
            fmt::format("{}: is {}, expected a number from {} to {}", name, value, lowest, highest));
  });
  const ThreadCount threads(settings.threads);
  SearchWatch watch(settings.time_limit, go_on, X.rows());
  const FoldedPrice price = fold_price(X, nu);
  MetPrices met(X, nu, price.Q, worth);
  PriceBound result;
  result.rank = price.rank();
  result.upper = price.restored(spectral_price_bound(price));
  if (price.rank() == 0) {
    result.met = met.sorted();
    return result;
  }
  const double goal = price.reduced(settings.target);
  if (price.rank() <= kMostEdges) {
    ConeSearch search(price, goal, settings.tolerance, price.reduced(worth), met, watch);
    search.run(settings.node_limit);
    result.upper = std::min(result.upper, price.restored(search.upper()));
    result.nodes = search.nodes();
  }
  result.met = met.sorted();
  result.lower = met.largest();
  result.seconds = watch.seconds();
  if (result.upper <= std::max(settings.target, (1 + settings.tolerance) * result.lower)) {
    result.stop = Stop::converged;
  } else if (watch.cancelled()) {
    result.stop = Stop::cancelled;
  } else if (watch.timed_out()) {
    result.stop = Stop::time_limit;
  } else {
    result.stop = result.nodes >= settings.node_limit ? Stop::iteration_limit : Stop::numerical_trouble;
  }
  return result;
}

double price_bound_nodes(const MatrixView& X, const VectorView& nu, double target, Index walks) {
  check_priced(X, nu);
  require(target > 0, fmt::format("target: is {}, expected a positive number", target));
  require(walks > 0, fmt::format("walks: is {}, expected a positive number", walks));
  const FoldedPrice price = fold_price(X, nu);
  const double goal = price.reduced(target), start = price.rank() == 0 ? 0.0 : spectral_price_bound(price);
  if (start <= goal) return 0;
  if (price.rank() > kMostEdges) return rounding::kInfinity;
  const std::vector<ConeSeed> orthants = all_orthants(price.rank(), start);
  ConeStack stack(price);
  Random random(0, kWalkStream);
  double sum = 0;
  for (Index walk = 0; walk < walks; ++walk) {
    stack.start(orthants[static_cast<std::size_t>(random.below(static_cast<Index>(orthants.size())))]);
    double stands_for = static_cast<double>(orthants.size());
    sum += stands_for;
    while (stack.bound(goal) > goal) {
      if (!stack.fork() || stack.middle_price() > goal) return rounding::kInfinity;
      stack.enter(static_cast<int>(random.below(2)));
      stands_for *= 2;
      sum += stands_for;
    }
  }
  return sum / static_cast<double>(walks);
}

}  // namespace conelu
