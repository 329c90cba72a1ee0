#include "conelu/dataset.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "linalg/random.hpp"

namespace conelu {
namespace {

/// The first `count` become a uniformly random selection (Fisher-Yates).
void draw_to_front(std::vector<Index>& rows, Index count, Random& random) {
  const auto size = static_cast<Index>(rows.size());
  for (Index i = 0; i < count; ++i) {
    std::swap(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(i + random.below(size - i))]);
  }
}

/// How many of `taken` samples come from the first of two groups so that both keep their shares as nearly as possible,
/// and neither is used up if that can be avoided.
Index first_share(Index taken, Index first, Index second) {
  const double share = static_cast<double>(taken) * static_cast<double>(first) / static_cast<double>(first + second);
  const Index nearest = std::clamp(std::lround(share), std::max<Index>(taken - second, 0), std::min(first, taken));
  const Index lower = std::max<Index>(taken - (second - 1), 0);
  const Index upper = std::min(first - 1, taken);
  return lower <= upper ? std::clamp(nearest, lower, upper) : nearest;
}

}  // namespace

Dataset select_rows(const Dataset& data, const std::vector<Index>& rows) {
  Dataset result;
  result.X = data.X(rows, Eigen::all);
  if (data.y.size() > 0) result.y = data.y(rows);
  if (data.weights.size() > 0) result.weights = data.weights(rows);
  result.features = data.features;
  result.classes = data.classes;
  return result;
}

Dataset drop_zero_weights(const Dataset& data) {
  if (data.weights.size() == 0) return data;
  std::vector<Index> rows;
  for (Index k = 0; k < data.samples(); ++k) {
    if (data.weights[k] != 0) rows.push_back(k);
  }
  return select_rows(data, rows);
}

std::pair<Dataset, Dataset> split(const Dataset& data, double test_fraction, std::uint64_t seed) {
  const Index n = data.samples();
  if (!(test_fraction > 0 && test_fraction < 1)) {
    throw std::invalid_argument(
        fmt::format("the fraction to split off must be between 0 and 1, not {}", test_fraction));
  }
  if (n < 2) throw std::invalid_argument(fmt::format("cannot split {} sample(s) in two", n));
  const Index taken = std::clamp<Index>(std::lround(test_fraction * static_cast<double>(n)), 1, n - 1);

  // Regression has one group: the second stays empty.
  std::array<std::vector<Index>, 2> groups;
  const bool stratified = !data.classes.empty() && data.y.size() == n;
  for (Index k = 0; k < n; ++k) groups[stratified && data.y[k] > 0 ? 1 : 0].push_back(k);
  const std::array<Index, 2> sizes = {static_cast<Index>(groups[0].size()), static_cast<Index>(groups[1].size())};
  const Index first = sizes[0] == 0 ? 0 : sizes[1] == 0 ? taken : first_share(taken, sizes[0], sizes[1]);
  const std::array<Index, 2> shares = {first, taken - first};

  std::vector<Index> train, test;
  Random random(seed);
  for (std::size_t g = 0; g < 2; ++g) {
    draw_to_front(groups[g], shares[g], random);
    test.insert(test.end(), groups[g].begin(), groups[g].begin() + shares[g]);
    train.insert(train.end(), groups[g].begin() + shares[g], groups[g].end());
  }
  std::sort(train.begin(), train.end());
  std::sort(test.begin(), test.end());
  return {select_rows(data, train), select_rows(data, test)};
}

}  // namespace conelu
