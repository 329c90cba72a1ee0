#include "conelu/dataset.hpp"

#include <fmt/core.h>

#include <algorithm>
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

/// How many of `taken` samples come from each group so that all keep their shares as nearly as possible, and none is
/// used up if that can be avoided. What is left of the whole shares goes to the groups that miss most.
std::vector<Index> shares(Index taken, const std::vector<std::vector<Index>>& groups) {
  Index total = 0;
  Index spare = 0;
  for (const auto& group : groups) {
    total += static_cast<Index>(group.size());
    spare += std::max<Index>(static_cast<Index>(group.size()) - 1, 0);
  }
  std::vector<Index> share, missing, room;  // `missing` in units of 1 / total: exact
  Index left = taken;
  for (const auto& group : groups) {
    const auto size = static_cast<Index>(group.size());
    const Index most = taken <= spare ? std::max<Index>(size - 1, 0) : size;
    share.push_back(std::min(taken * size / total, most));
    missing.push_back(taken * size - share.back() * total);
    room.push_back(most - share.back());
    left -= share.back();
  }
  for (; left > 0; --left) {
    std::size_t next = groups.size();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (room[g] > 0 && (next == groups.size() || missing[g] > missing[next])) next = g;
    }
    ++share[next];
    --room[next];
    missing[next] -= total;
  }
  return share;
}

}  // namespace

Dataset select_rows(const Dataset& data, const std::vector<Index>& rows) {
  Dataset result;
  result.X = data.X(rows, Eigen::all);
  if (data.y.size() > 0) result.y = data.y(rows);
  if (data.weights.size() > 0) result.weights = data.weights(rows);
  result.features = data.features;
  result.classes = data.classes;
  result.target = data.target;
  result.encodings = data.encodings;
  result.missing = data.missing;
  result.fill = data.fill;
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

Dataset one_against_rest(const Dataset& data, Index positive) {
  const auto count = static_cast<Index>(data.classes.size());
  if (count <= 2 || positive < 0 || positive >= count) {
    throw std::invalid_argument(fmt::format("class {} of {}: expected one of more than two", positive, count));
  }
  Dataset result = data;
  result.y = (data.y.array() == static_cast<double>(positive)).select(Vector::Ones(data.y.size()), -1.0);
  const std::string& label = data.classes[static_cast<std::size_t>(positive)];
  result.classes = {"not " + label, label};
  return result;
}

std::pair<Dataset, Dataset> split(const Dataset& data, double test_fraction, std::uint64_t seed) {
  const Index n = data.samples();
  if (!(test_fraction > 0 && test_fraction < 1)) {
    throw std::invalid_argument(
        fmt::format("the fraction to split off must be between 0 and 1, not {}", test_fraction));
  }
  if (n < 2) throw std::invalid_argument(fmt::format("cannot split {} sample(s) in two", n));
  const Index taken = std::clamp<Index>(std::lround(test_fraction * static_cast<double>(n)), 1, n - 1);

  // Regression has one group.
  const bool stratified = !data.classes.empty() && data.y.size() == n;
  std::vector<std::vector<Index>> groups(stratified ? std::max<std::size_t>(data.classes.size(), 2) : 1);
  for (Index k = 0; k < n; ++k) groups[stratified ? static_cast<std::size_t>(data.class_of(k)) : 0].push_back(k);
  const std::vector<Index> share = shares(taken, groups);

  std::vector<Index> train, test;
  Random random(seed);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    draw_to_front(groups[g], share[g], random);
    test.insert(test.end(), groups[g].begin(), groups[g].begin() + share[g]);
    train.insert(train.end(), groups[g].begin() + share[g], groups[g].end());
  }
  std::sort(train.begin(), train.end());
  std::sort(test.begin(), test.end());
  return {select_rows(data, train), select_rows(data, test)};
}

}  // namespace conelu
