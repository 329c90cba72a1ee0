#include "conelu/dataset.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "data/missing_values.hpp"
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

/// Rows by class, in their order; regression has one group.
std::vector<std::vector<Index>> rows_by_class(const Dataset& data) {
  const bool stratified = !data.classes.empty() && data.y.size() == data.samples();
  std::vector<std::vector<Index>> groups(stratified ? std::max<std::size_t>(data.classes.size(), 2) : 1);
  for (Index k = 0; k < data.samples(); ++k) {
    groups[stratified ? static_cast<std::size_t>(data.class_of(k)) : 0].push_back(k);
  }
  return groups;
}

std::vector<MissingCell> select_cells(const Dataset& data, const std::vector<Index>& rows) {
  if (data.missing_cells.empty()) return {};
  std::vector<std::vector<Index>> places(static_cast<std::size_t>(data.samples()));  // a row may be wanted twice
  for (std::size_t k = 0; k < rows.size(); ++k) {
    places[static_cast<std::size_t>(rows[k])].push_back(static_cast<Index>(k));
  }
  std::vector<MissingCell> cells;
  for (const MissingCell& cell : data.missing_cells) {
    for (const Index place : places[static_cast<std::size_t>(cell.row)]) cells.push_back({place, cell.feature});
  }
  return cells;
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
  result.target_position = data.target_position;
  result.encodings = data.encodings;
  result.missing = data.missing;
  result.fill = data.fill;
  result.missing_cells = select_cells(data, rows);
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

std::pair<Dataset, Dataset> split_off(const Dataset& data, std::vector<Index> test) {
  std::sort(test.begin(), test.end());
  const bool known = test.empty() || (test.front() >= 0 && test.back() < data.samples());
  if (!known || std::adjacent_find(test.begin(), test.end()) != test.end()) {
    throw std::invalid_argument("test: expected numbers of rows, each once");
  }
  std::vector<Index> all(static_cast<std::size_t>(data.samples()));
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<Index> train;
  std::set_difference(all.begin(), all.end(), test.begin(), test.end(), std::back_inserter(train));
  if (train.empty() || test.empty()) {
    throw std::invalid_argument(
        fmt::format("test: {} of {} rows; expected some to train on and some to test on", test.size(), all.size()));
  }
  std::pair<Dataset, Dataset> parts = {select_rows(data, train), select_rows(data, test)};
  if (data.fill.size() == 0) return parts;
  empty_missing_cells(parts.first);
  fill_missing_values(parts.first, "the rows to train on");
  empty_missing_cells(parts.second);
  parts.second.fill = parts.first.fill;
  fill_missing_values(parts.second, "the rows to test on");
  return parts;
}

std::vector<std::vector<Index>> make_folds(const Dataset& data, Index folds, std::uint64_t seed) {
  if (folds < 2 || folds > data.samples()) {
    throw std::invalid_argument(fmt::format(
        "folds: {} for {} rows, expected 2 at least and no more than there are rows", folds, data.samples()));
  }
  std::vector<std::vector<Index>> parts(static_cast<std::size_t>(folds));
  Random random(seed);
  std::size_t next = 0;  // goes on from class to class: otherwise the first parts would get all that is left over
  for (std::vector<Index>& group : rows_by_class(data)) {
    draw_to_front(group, static_cast<Index>(group.size()), random);
    for (const Index row : group) parts[next++ % parts.size()].push_back(row);
  }
  for (std::vector<Index>& part : parts) std::sort(part.begin(), part.end());
  return parts;
}

std::pair<Dataset, Dataset> split(const Dataset& data, double test_fraction, std::uint64_t seed) {
  const Index n = data.samples();
  if (!(test_fraction > 0 && test_fraction < 1)) {
    throw std::invalid_argument(
        fmt::format("the fraction to split off must be between 0 and 1, not {}", test_fraction));
  }
  if (n < 2) throw std::invalid_argument(fmt::format("cannot split {} sample(s) in two", n));
  const Index taken = std::clamp<Index>(std::lround(test_fraction * static_cast<double>(n)), 1, n - 1);

  std::vector<std::vector<Index>> groups = rows_by_class(data);
  const std::vector<Index> share = shares(taken, groups);

  std::vector<Index> test;
  Random random(seed);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    draw_to_front(groups[g], share[g], random);
    test.insert(test.end(), groups[g].begin(), groups[g].begin() + share[g]);
  }
  return split_off(data, std::move(test));
}

void require_every_class(const Dataset& train, const std::string& split) {
  std::vector<bool> present(train.classes.size(), false);
  for (Index k = 0; k < train.samples() && !present.empty(); ++k) {
    const bool counts = train.weights.size() == 0 || train.weights(k) > 0;
    if (counts) present[static_cast<std::size_t>(train.class_of(k))] = true;
  }
  const auto missing = std::find(present.begin(), present.end(), false);
  if (missing == present.end()) return;
  throw std::invalid_argument(fmt::format("{} leaves no row of class {} to train on; training needs all classes", split,
                                          train.classes[static_cast<std::size_t>(missing - present.begin())]));
}

}  // namespace conelu
