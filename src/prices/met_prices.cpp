#include "prices/met_prices.hpp"

#include <algorithm>
#include <cmath>

namespace conelu {
namespace {

constexpr int kMostSteps = 60;
constexpr double kArrived = 1e-9;

}  // namespace

/// The top of the linear price of each cell; a step there that does not pay is made shorter.
Vector climb_from(const FoldedPrice& price, Vector a, bool negative) {
  const double side = negative ? -1.0 : 1.0;
  a.stableNormalize();
  Vector c = side * price.gradient(a);
  double best = c.dot(a), length = 1;
  for (int step = 0; step < kMostSteps && length > kArrived; ++step) {
    const double size = c.norm();
    if (!(size > best * (1 + kArrived))) break;
    const Vector trial = (a + length * (c / size - a)).stableNormalized();
    const Vector there = side * price.gradient(trial);
    const double value = there.dot(trial);
    if (value > best) {
      best = value;
      a = trial;
      c = there;
      length = std::min(1.0, 1.5 * length);
    } else {
      length *= 0.4;
    }
  }
  return a;
}

void MetPrices::add(const VectorView& a) {
  const Vector u = (Q_ * a).stableNormalized();
  const double price = (X_ * u).cwiseMax(0.0).dot(nu_);
  if (!std::isfinite(price) || !(std::abs(price) > std::min(worth_, largest_))) return;
  largest_ = std::max(largest_, std::abs(price));
  met_.push_back({price, u});
  if (met_.size() > 2 * kMost) thin_out();
}

void MetPrices::thin_out() {
  std::ranges::stable_sort(met_, std::ranges::greater(), [](const Met& met) { return std::abs(met.price); });
  PatternSet patterns(X_.rows());
  std::vector<Met> kept;
  for (Met& met : met_) {
    if (kept.size() == kMost || (!kept.empty() && !(std::abs(met.price) > worth_))) break;
    if (patterns.add(X_ * met.u)) kept.push_back(std::move(met));
  }
  met_ = std::move(kept);
}

PricedDirections MetPrices::sorted() {
  thin_out();
  const auto count = static_cast<Index>(met_.size());
  PricedDirections sorted{Matrix(X_.cols(), count), Vector(count)};
  for (Index j = 0; j < count; ++j) {
    sorted.prices(j) = met_[static_cast<std::size_t>(j)].price;
    sorted.directions.col(j) = met_[static_cast<std::size_t>(j)].u;
  }
  return sorted;
}

}  // namespace conelu
