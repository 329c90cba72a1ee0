#include "conelu/dataset.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "data/temporary_files.hpp"

namespace conelu {
namespace {

/// n samples whose only feature is their number; the first `positive` are of class +1.
Dataset numbered(Index n, Index positive) {
  Dataset data;
  data.X = Vector::LinSpaced(n, 0, static_cast<double>(n - 1));
  data.y = Vector::Constant(n, -1);
  data.y.head(positive).setOnes();
  data.weights = data.X.col(0).array() + 1;
  data.features = {"number"};
  data.classes = {"no", "yes"};
  return data;
}

std::vector<double> numbers(const Dataset& data) { return {data.X.col(0).begin(), data.X.col(0).end()}; }

Index positives(const Dataset& data) { return (data.y.array() > 0).count(); }

TEST(Dataset, SelectedRowsKeepEverythingThatBelongsToThem) {
  const Dataset data = numbered(5, 2);
  const Dataset selected = select_rows(data, {4, 1, 1});
  EXPECT_EQ(numbers(selected), (std::vector<double>{4, 1, 1}));
  EXPECT_EQ(selected.y, Vector({{-1, 1, 1}}));
  EXPECT_EQ(selected.weights, Vector({{5, 2, 2}}));
  EXPECT_EQ(selected.features, data.features);
  EXPECT_EQ(selected.classes, data.classes);
}

TEST(Dataset, RowsOfWeightZeroAreNotThere) {
  Dataset data = numbered(4, 2);
  data.weights << 0, 3, 0, 1;
  EXPECT_EQ(numbers(drop_zero_weights(data)), (std::vector<double>{1, 3}));
  EXPECT_EQ(drop_zero_weights(data).weights, Vector({{3, 1}}));
  data.weights.resize(0);
  EXPECT_EQ(drop_zero_weights(data).samples(), 4);
}

TEST(Split, TakesTheFractionAndKeepsEveryRowOnce) {
  for (const Index n : {2, 3, 10, 101}) {
    for (const double fraction : {0.001, 0.2, 0.5, 0.999}) {
      const auto [train, test] = split(numbered(n, n / 2), fraction, 1);
      const Index expected = std::clamp<Index>(std::lround(fraction * static_cast<double>(n)), 1, n - 1);
      EXPECT_EQ(test.samples(), expected) << n << " " << fraction;
      std::vector<double> all = numbers(train);
      const std::vector<double> rest = numbers(test);
      all.insert(all.end(), rest.begin(), rest.end());
      std::sort(all.begin(), all.end());
      EXPECT_EQ(all, numbers(numbered(n, 0))) << n << " " << fraction;
      EXPECT_EQ(train.weights, (train.X.col(0).array() + 1).matrix());
    }
  }
}

TEST(Split, KeepsTheSharesOfTheClasses) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto [train, test] = split(numbered(100, 30), 0.2, seed);
    EXPECT_EQ(positives(test), 6);
    EXPECT_EQ(positives(train), 24);
  }
}

/// Classes of these sizes, one after the other.
Dataset grouped(const std::vector<Index>& sizes) {
  Dataset data = numbered(std::accumulate(sizes.begin(), sizes.end(), Index{0}), 0);
  data.classes.clear();
  Index row = 0;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    data.classes.push_back(std::string(1, static_cast<char>('a' + c)));
    for (Index k = 0; k < sizes[c]; ++k) data.y(row++) = static_cast<double>(c);
  }
  return data;
}

std::vector<Index> sizes_of(const Dataset& data) {
  std::vector<Index> sizes(data.classes.size());
  for (Index k = 0; k < data.samples(); ++k) ++sizes[static_cast<std::size_t>(data.class_of(k))];
  return sizes;
}

TEST(Split, KeepsTheSharesOfManyClasses) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto [train, test] = split(grouped({50, 30, 10, 10}), 0.2, seed);
    EXPECT_EQ(sizes_of(test), (std::vector<Index>{10, 6, 2, 2}));
    EXPECT_EQ(sizes_of(train), (std::vector<Index>{40, 24, 8, 8}));
    EXPECT_EQ(test.classes, (std::vector<std::string>{"a", "b", "c", "d"}));
  }
}

/// sum_c (n x_c - taken s_c)^2
double distance(const std::vector<Index>& x, const std::vector<Index>& sizes, Index taken, Index n) {
  double sum = 0;
  for (std::size_t c = 0; c < x.size(); ++c) sum += std::pow(static_cast<double>(n * x[c] - taken * sizes[c]), 2);
  return sum;
}

/// The least distance of whole numbers x that sum to `taken`, 0 <= x_c <= most_c, by trying all.
double least_distance(const std::vector<Index>& sizes, const std::vector<Index>& most, Index taken, Index n) {
  std::vector<Index> x(sizes.size(), 0);
  double least = std::numeric_limits<double>::infinity();
  while (true) {
    if (std::accumulate(x.begin(), x.end(), Index{0}) == taken) {
      least = std::min(least, distance(x, sizes, taken, n));
    }
    std::size_t c = 0;
    while (c < x.size() && x[c] == most[c]) x[c++] = 0;
    if (c == x.size()) return least;
    ++x[c];
  }
}

TEST(Split, ComesAsNearToTheSharesAsLeavingARowOfEachClassAllows) {
  std::mt19937 random(1);
  std::uniform_int_distribution<Index> size(1, 6);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Index> sizes(static_cast<std::size_t>(3 + trial % 2));
    for (Index& s : sizes) s = size(random);
    const Dataset data = grouped(sizes);
    const Index n = data.samples();
    const auto [train, test] = split(data, (trial % 19 + 1) / 20.0, 7);
    const Index taken = test.samples();
    std::vector<Index> most = sizes;
    if (taken <= n - static_cast<Index>(sizes.size())) {
      for (Index& m : most) --m;
    }
    const std::vector<Index> share = sizes_of(test);
    for (std::size_t c = 0; c < sizes.size(); ++c) EXPECT_LE(share[c], most[c]);
    EXPECT_EQ(distance(share, sizes, taken, n), least_distance(sizes, most, taken, n)) << "trial " << trial;
  }
}

TEST(Dataset, OfManyClassesSetsOneAgainstTheRest) {
  const Dataset data = grouped({1, 2, 1});
  const Dataset second = one_against_rest(data, 1);
  EXPECT_EQ(second.y, Vector({{-1, 1, 1, -1}}));
  EXPECT_EQ(second.X, data.X);
  EXPECT_EQ(second.weights, data.weights);
  EXPECT_EQ(second.classes, (std::vector<std::string>{"not b", "b"}));
  expect_refusal([&] { one_against_rest(data, 3); }, {"class 3 of 3"});
  expect_refusal([&] { one_against_rest(numbered(3, 1), 0); }, {"more than two"});
}

TEST(Split, LeavesBothClassesInTrainingIfItCan) {
  for (const Index positive : {1, 9}) {
    const auto [train, test] = split(numbered(10, positive), 0.8, 3);
    EXPECT_EQ(train.samples(), 2);
    EXPECT_EQ(positives(train), 1);
  }
}

TEST(Split, DependsOnTheSeedAlone) {
  const Dataset data = numbered(60, 20);
  EXPECT_EQ(numbers(split(data, 0.3, 5).second), numbers(split(data, 0.3, 5).second));
  EXPECT_NE(numbers(split(data, 0.3, 5).second), numbers(split(data, 0.3, 6).second));
}

// Regression has no classes to keep in balance: every row is equally likely to be taken.
TEST(Split, OfRegressionDataTakesEveryRowEquallyOften) {
  Dataset data = numbered(10, 5);
  data.classes.clear();
  std::vector<int> taken(10);
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    for (const double number : numbers(split(data, 0.3, seed).second)) ++taken[static_cast<std::size_t>(number)];
  }
  for (const int count : taken) EXPECT_NEAR(count, 1200, 5 * std::sqrt(4000 * 0.3 * 0.7));
}

TEST(Split, WorksOnOneClassAndWithoutTargets) {
  EXPECT_EQ(split(numbered(10, 0), 0.3, 1).second.samples(), 3);
  EXPECT_EQ(split(numbered(10, 10), 0.3, 1).second.samples(), 3);
  Dataset data = numbered(10, 3);
  data.y.resize(0);
  EXPECT_EQ(split(data, 0.3, 1).second.samples(), 3);
}

TEST(Split, RefusesWhatCannotBeSplit) {
  for (const double fraction : {0.0, 1.0, -0.1, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    expect_refusal([&] { split(numbered(10, 5), fraction, 0); }, {"between 0 and 1"});
  }
  expect_refusal([] { split(numbered(1, 1), 0.5, 0); }, {"1 sample"});
}

// 17 rows, 7 of them positive, in 5 folds: 3 or 4 rows each, 1 or 2 positive.
TEST(Folds, HoldEveryRowOnceAndKeepTheSharesOfTheClasses) {
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    const Dataset data = numbered(17, 7);
    std::vector<Index> seen;
    for (const std::vector<Index>& fold : make_folds(data, 5, seed)) {
      EXPECT_TRUE(fold.size() == 3 || fold.size() == 4) << fold.size();
      EXPECT_TRUE(std::is_sorted(fold.begin(), fold.end()));
      const Index yes = positives(select_rows(data, fold));
      EXPECT_TRUE(yes == 1 || yes == 2) << yes;
      seen.insert(seen.end(), fold.begin(), fold.end());
    }
    std::sort(seen.begin(), seen.end());
    std::vector<Index> all(17);
    std::iota(all.begin(), all.end(), Index{0});
    EXPECT_EQ(seen, all);
  }
  EXPECT_EQ(make_folds(numbered(17, 7), 5, 3), make_folds(numbered(17, 7), 5, 3));
  EXPECT_NE(make_folds(numbered(17, 7), 5, 3), make_folds(numbered(17, 7), 5, 4));
}

TEST(Folds, AreNotMoreThanThereAreRows) {
  EXPECT_EQ(make_folds(numbered(4, 2), 4, 0).size(), 4U);
  expect_refusal([] { make_folds(numbered(4, 2), 5, 0); }, {"folds", "5", "4"});
  expect_refusal([] { make_folds(numbered(4, 2), 1, 0); }, {"folds", "1"});
}

// Means of 0, 1, 2, 3 without row 1 are those of what is left: the tested rows have no say.
TEST(SplitOff, FillsMissingValuesWithMeansOfTheTrainingRows) {
  Dataset data = numbered(5, 2);
  data.missing_cells = {{1, 0}, {4, 0}};
  data.fill = Vector{{(0 + 2 + 3) / 3.0}};
  data.X(1, 0) = data.X(4, 0) = data.fill(0);
  const auto [train, test] = split_off(data, {3, 1});
  EXPECT_EQ(numbers(train), (std::vector<double>{0, 2, 1}));
  EXPECT_EQ(numbers(test), (std::vector<double>{1, 3}));
  EXPECT_EQ(train.fill, Vector({{1.0}}));
  EXPECT_EQ(test.fill, train.fill);
  EXPECT_EQ(train.missing_cells, (std::vector<MissingCell>{{2, 0}}));
  EXPECT_EQ(test.missing_cells, (std::vector<MissingCell>{{0, 0}}));
  EXPECT_EQ(select_rows(data, {4, 0, 4}).missing_cells, (std::vector<MissingCell>{{0, 0}, {2, 0}}));
  expect_refusal([&] { split_off(data, {0, 2, 3}); }, {"rows to train on", "number", "no mean"});
}

TEST(SplitOff, RefusesRowsThatAreNotThere) {
  const Dataset data = numbered(3, 1);
  for (const std::vector<Index>& rows : std::vector<std::vector<Index>>{{}, {0, 1, 2}, {3}, {-1}, {1, 1}}) {
    expect_refusal([&] { split_off(data, rows); }, {"test"});
  }
}

TEST(Dataset, EqualSamplesAreOneOfTheirWeightTogether) {
  Dataset repeated = select_rows(numbered(4, 2), {3, 1, 1, 2, 3, 1});
  repeated.weights.resize(0);
  Dataset weighted = numbered(4, 2);
  weighted.weights = Vector{{0, 3, 1, 2}};
  for (const Dataset& data : {distinct_samples(repeated), distinct_samples(weighted)}) {
    EXPECT_EQ(numbers(data), (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(data.y, Vector({{1, -1, -1}}));
    EXPECT_EQ(data.weights, Vector({{3, 1, 2}}));
  }
}

TEST(Dataset, EqualFeaturesOfDifferentTargetsStayApart) {
  Dataset data = numbered(2, 1);
  data.X.setZero();
  EXPECT_EQ(distinct_samples(data).samples(), 2);
}

TEST(Dataset, DistinctSamplesWithoutWeightsStayWhereTheyAre) {
  Dataset data = select_rows(numbered(4, 2), {3, 0, 2});
  data.weights.resize(0);
  EXPECT_EQ(numbers(distinct_samples(data)), (std::vector<double>{3, 0, 2}));
  EXPECT_EQ(distinct_samples(data).weights.size(), 0);
}

}  // namespace
}  // namespace conelu
