#include "conelu/synthetic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/temporary_files.hpp"

namespace conelu {
namespace {

/// The most samples that one line gets right. Some best line is a line through two samples moved or turned a little,
/// and by that the two can be put on any sides: they always count as right.
Index best_linear_count(const Dataset& data) {
  const Index n = data.samples();
  Index best = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) {
      const Eigen::RowVector2d along = data.X.row(i) - data.X.row(j);
      Index above = 0, below = 0;
      for (Index k = 0; k < n; ++k) {
        if (k == i || k == j) continue;
        const Eigen::RowVector2d to = data.X.row(k) - data.X.row(j);
        const bool left = along[0] * to[1] - along[1] * to[0] > 0;
        (left == (data.y[k] > 0) ? above : below) += 1;
      }
      best = std::max({best, above + 2, below + 2});
    }
  }
  return best;
}

TEST(PlaneDataset, FillsTheSquareWithTwoClasses) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Dataset data = plane_dataset(34, seed);
    ASSERT_EQ(data.X.rows(), 34);
    ASSERT_EQ(data.X.cols(), 2);
    EXPECT_LE(data.X.cwiseAbs().maxCoeff(), 2);
    EXPECT_GT(data.X.maxCoeff(), 1);
    EXPECT_LT(data.X.minCoeff(), -1);
    EXPECT_TRUE((data.y.array().abs() == 1).all());
    const Index positive = (data.y.array() > 0).count();
    EXPECT_GE(positive, 9) << seed;
    EXPECT_LE(positive, 25) << seed;
    EXPECT_EQ(data.features, (std::vector<std::string>{"x1", "x2"}));
    EXPECT_EQ(data.classes, (std::vector<std::string>{"0", "1"}));
  }
}

TEST(PlaneDataset, IsFittedByNoLineBarringRareAccidentsOfFewSamples) {
  int accidents = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) accidents += best_linear_count(plane_dataset(34, seed)) == 34;
  EXPECT_LE(accidents, 6);
  for (std::uint64_t seed = 0; seed < 10; ++seed) EXPECT_LT(best_linear_count(plane_dataset(200, seed)), 190) << seed;
}

TEST(PlaneDataset, HasClassesThatAGapSeparates) {
  const Dataset data = plane_dataset(1000, 1);
  for (Index i = 0; i < data.samples(); ++i) {
    for (Index j = 0; j < i; ++j) {
      if (data.y[i] == data.y[j]) continue;
      EXPECT_GT((data.X.row(i) - data.X.row(j)).norm(), 0.1) << i << " " << j;
    }
  }
}

TEST(PlaneDataset, DependsOnTheSeedAlone) {
  EXPECT_EQ(plane_dataset(34, 3).X, plane_dataset(34, 3).X);
  EXPECT_NE(plane_dataset(34, 3).X, plane_dataset(34, 4).X);
}

TEST(PlaneDataset, HasBothClassesHoweverSmall) {
  for (const Index n : {2, 3, 4, 5}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) EXPECT_LT(std::abs(plane_dataset(n, seed).y.sum()), n);
  }
  for (const Index n : {-1, 0, 1}) {
    expect_refusal([&] { plane_dataset(n, 0); }, {"at least 2"});
  }
}

}  // namespace
}  // namespace conelu
