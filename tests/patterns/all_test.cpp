#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <set>

#include "conelu/liveness.hpp"
#include "conelu/patterns.hpp"
#include "data/temporary_files.hpp"
#include "patterns/samples.hpp"

// The patterns of X are the sign vectors of X u over all u that no non-zero row is orthogonal to: the cells of the
// arrangement of hyperplanes x_k'u = 0.
namespace conelu {
namespace {

using test::margin;
using test::normal_samples;
using test::plane_samples;
using test::signs_of;

PatternSet enumerate(const Matrix& X, Index limit = 1000000) {
  return make_patterns("all", X, {.enumeration_limit = limit}).patterns;
}

double formula(Index n, Index r) {
  double sum = 0;
  double binomial = 1;
  for (Index k = 0; k < r; ++k) {
    sum += binomial;
    binomial *= static_cast<double>(n - 1 - k) / static_cast<double>(k + 1);
  }
  return 2 * sum;
}

/// Cells of an integer arrangement by deletion and restriction, cells(A) = cells(A - h) + cells(A cut by h), in exact
/// arithmetic. Shares nothing with the library.
using IntegerRow = std::vector<std::int64_t>;

void insert_reduced(std::set<IntegerRow>& rows, IntegerRow row) {
  std::int64_t divisor = 0;
  for (const std::int64_t entry : row) divisor = std::gcd(divisor, entry);
  if (divisor == 0) return;
  for (const std::int64_t entry : row) {
    if (entry == 0) continue;
    if (entry < 0) divisor = -divisor;
    break;
  }
  for (std::int64_t& entry : row) entry /= divisor;
  rows.insert(row);
}

std::int64_t count_cells(std::set<IntegerRow> rows) {
  std::int64_t cells = 1;
  while (!rows.empty()) {
    const IntegerRow h = *rows.begin();
    rows.erase(rows.begin());
    const auto pivot = static_cast<std::size_t>(
        std::distance(h.begin(), std::ranges::find_if(h, [](std::int64_t entry) { return entry != 0; })));
    std::set<IntegerRow> restricted;
    for (const IntegerRow& row : rows) {
      IntegerRow cut;
      for (std::size_t a = 0; a < h.size(); ++a) {
        if (a != pivot) cut.push_back(h[pivot] * row[a] - row[pivot] * h[a]);
      }
      insert_reduced(restricted, cut);
    }
    cells += count_cells(restricted);
  }
  return cells;
}

std::int64_t count_cells(const Matrix& X) {
  std::set<IntegerRow> rows;
  for (Index k = 0; k < X.rows(); ++k) {
    IntegerRow row;
    for (Index a = 0; a < X.cols(); ++a) row.push_back(static_cast<std::int64_t>(X(k, a)));
    insert_reduced(rows, row);
  }
  return count_cells(rows);
}

Matrix integer_samples(Index n, Index d, Index range, std::uint64_t seed) {
  Random random(seed);
  return Matrix::NullaryExpr(n, d, [&] { return static_cast<double>(random.below(2 * range + 1) - range); });
}

Matrix grid(Index side) {
  Matrix X(side * side, 3);
  for (Index k = 0; k < X.rows(); ++k) X.row(k) << static_cast<double>(k / side), static_cast<double>(k % side), 1;
  return X;
}

Matrix boolean_cube(Index variables) {
  Matrix X(Index{1} << variables, variables + 1);
  for (Index k = 0; k < X.rows(); ++k) {
    for (Index a = 0; a < variables; ++a) X(k, a) = static_cast<double>((k >> a) & 1);
  }
  X.col(variables).setOnes();
  return X;
}

TEST(AllPatterns, AreAsManyAsTheFormulaSaysInGeneralPosition) {
  const std::vector<std::array<Index, 2>> cases = {{1, 1}, {7, 1},  {1, 3},  {2, 2},  {9, 2},  {100, 2}, {2, 3},
                                                   {3, 3}, {10, 3}, {65, 3}, {10, 4}, {24, 4}, {9, 5},   {13, 5}};
  for (const auto& [n, d] : cases) {
    const Matrix X = normal_samples(n, d, 17);
    const PatternSet patterns = enumerate(X);
    const double expected = formula(n, std::min(n, d));
    EXPECT_EQ(static_cast<double>(patterns.count()), expected) << n << " points of rank " << std::min(n, d);
    EXPECT_EQ(pattern_count_bound(X), expected);
    EXPECT_TRUE(patterns.complete());
  }
}

TEST(AllPatterns, OfFortyPointsWithABiasAre1562) { EXPECT_EQ(enumerate(plane_samples(40, 5)).count(), 1562); }

TEST(AllPatterns, ComeWithDirectionsStrictlyInside) {
  for (const Matrix& X : {plane_samples(40, 5), grid(5), normal_samples(12, 5, 1)}) {
    const PatternSet patterns = enumerate(X);
    for (Index i = 0; i < patterns.count(); ++i) {
      EXPECT_GT(margin(X, signs_of(patterns, i), patterns.witness(i)), 1e-13);
    }
  }
}

// Threshold functions of n Boolean variables: 14, 104, 1882 (OEIS A000609), the classic degenerate arrangement.
TEST(AllPatterns, OfTheBooleanCubeAreTheThresholdFunctions) {
  EXPECT_EQ(enumerate(boolean_cube(2)).count(), 14);
  EXPECT_EQ(enumerate(boolean_cube(3)).count(), 104);
  EXPECT_EQ(enumerate(boolean_cube(4)).count(), 1882);
}

TEST(AllPatterns, OfAGridAreCountedByDeletionAndRestriction) {
  for (const Index side : {2, 3, 5, 7}) EXPECT_EQ(enumerate(grid(side)).count(), count_cells(grid(side))) << side;
}

// Small integers make duplicated, parallel, antiparallel, zero and dependent rows all the time.
TEST(AllPatterns, OfDegenerateIntegersAreCountedByDeletionAndRestriction) {
  for (const auto& [n, d] : std::vector<std::array<Index, 2>>{{30, 2}, {25, 3}, {14, 4}, {10, 5}}) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const Matrix X = integer_samples(n, d, 1 + static_cast<Index>(seed % 3), seed);
      EXPECT_EQ(enumerate(X).count(), count_cells(X)) << n << " x " << d << ", seed " << seed;
      EXPECT_LE(static_cast<double>(count_cells(X)), pattern_count_bound(X));
    }
  }
}

// A grid in other units is exactly degenerate no longer, and has to be counted as if it were.
TEST(AllPatterns, DoNotChangeWithUnitsAndOrigin) {
  const Index expected = enumerate(grid(6)).count();
  Matrix X = grid(6);
  X.leftCols(2) *= 0.1;
  EXPECT_EQ(enumerate(X).count(), expected);
  X.leftCols(2).array() += 100.3;
  EXPECT_EQ(enumerate(X).count(), expected);
  X.col(0) *= 1e7;
  X.col(1) *= 1e-9;
  EXPECT_EQ(enumerate(X).count(), expected);
}

TEST(AllPatterns, StayTheSameWhenColumnsAreCombinedIntoMore) {
  const Matrix X = normal_samples(15, 3, 4);
  const Matrix wide = X * normal_samples(3, 7, 5);
  EXPECT_EQ(pattern_count_bound(wide), formula(15, 3));
  const PatternSet patterns = enumerate(wide);
  ASSERT_EQ(patterns.count(), enumerate(X).count());
  for (Index i = 0; i < patterns.count(); ++i) {
    ASSERT_EQ(patterns.witness(i).size(), 7);
    EXPECT_GT(margin(wide, signs_of(patterns, i), patterns.witness(i)), 1e-13);
  }
}

TEST(AllPatterns, OfRepeatedSamplesRepeatTheirActivations) {
  Matrix X = plane_samples(12, 8);
  X.row(5) = X.row(2);
  X.row(6) = -3 * X.row(2);
  X.row(7).setZero();
  const PatternSet patterns = enumerate(X);
  EXPECT_EQ(static_cast<double>(patterns.count()), formula(9, 3));
  for (Index i = 0; i < patterns.count(); ++i) {
    EXPECT_EQ(patterns.active(i, 5), patterns.active(i, 2));
    EXPECT_NE(patterns.active(i, 6), patterns.active(i, 2));
    EXPECT_TRUE(patterns.active(i, 7));
  }
}

// Brute force: of all 2^n sign vectors, exactly the live ones are patterns.
TEST(AllPatterns, AreTheLiveOnesAmongAllSignVectors) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Matrix X = seed % 2 == 0 ? normal_samples(9, 3, seed) : integer_samples(9, 4, 1, seed);
    const PatternSet patterns = enumerate(X);
    for (PatternSet::Word bits = 0; bits < 512; ++bits) {
      const Vector signs = Vector::NullaryExpr(9, [&](Index k) { return (bits >> k) & 1 ? 1.0 : -1.0; });
      const bool zero_rows_active = ((X.rowwise().norm().array() > 0) || (signs.array() > 0)).all();
      const bool live = zero_rows_active && decide_liveness(X, signs).liveness == Liveness::live;
      EXPECT_EQ(patterns.contains({&bits, 1}), live) << "signs " << bits << ", seed " << seed;
    }
  }
}

TEST(AllPatterns, HoldEveryPatternThatSamplingFinds) {
  for (const Matrix& X : {plane_samples(30, 8), grid(5), integer_samples(20, 4, 2, 3)}) {
    const PatternSet all = enumerate(X);
    const SampledPatterns sampled = make_patterns("gaussian", X, {.count = 100000});
    for (Index i = 0; i < sampled.patterns.count(); ++i) EXPECT_TRUE(all.contains(sampled.patterns.words(i)));
  }
}

TEST(AllPatterns, RefuseWithTheirNumberWhenThereAreTooMany) {
  expect_refusal([] { enumerate(plane_samples(40, 5), 1561); }, {"1562", "1561", "gaussian"});
  EXPECT_NO_THROW(enumerate(plane_samples(40, 5), 1562));
}

// "No network of any width" rests on having every cell. Exact duplicates and grids leave no doubt; rows that differ in
// their last bits do, because there is a cell between them that rounding hides.
TEST(AllPatterns, AreCompleteOnlyIfNoCellCanHideInRounding) {
  Matrix X = plane_samples(12, 3);
  EXPECT_TRUE(enumerate(X).complete());
  X.row(5) = X.row(2);
  EXPECT_TRUE(enumerate(X).complete()) << "duplicates";
  X.row(5) = -4 * X.row(2);
  EXPECT_TRUE(enumerate(X).complete()) << "exact multiples";
  X.row(5) = X.row(2);
  X(5, 0) *= 1 + 1e-15;
  EXPECT_FALSE(enumerate(X).complete()) << "a last bit apart";
  Matrix grid(9, 3);
  for (Index k = 0; k < 9; ++k) grid.row(k) << static_cast<double>(k % 3), static_cast<double>(k / 3), 1.0;
  EXPECT_TRUE(enumerate(grid).complete()) << "many points on common lines";
  grid.leftCols(2).array() += 1e14;
  EXPECT_FALSE(enumerate(grid).complete()) << "differences below the rounding of the products";
}

}  // namespace
}  // namespace conelu
