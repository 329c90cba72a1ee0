#include <gtest/gtest.h>

#include <cmath>

#include "conelu/attack.hpp"
#include "linalg/random.hpp"

namespace conelu {
namespace {

// Preprocessing takes the rows back to the points: to the last digits that the features have, and never beyond.
TEST(RawPoints, AreWherePreprocessingLeadsToThePoints) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const auto normal = [&] { return random.normal(); };
    const double offset = seed % 4 == 0 ? 0 : std::pow(10.0, static_cast<double>(seed % 13));
    const Matrix raw = (Matrix::NullaryExpr(20, 3, normal).array() + offset) * (seed % 3 == 0 ? 1e-6 : 1.0);
    Dataset data;
    data.X = raw;
    const Preprocessing preprocessing = Preprocessing::standardize(data);
    const Matrix X = preprocessing.apply(raw);
    Matrix points = X + 0.1 * Matrix::NullaryExpr(20, 3, normal);
    points.col(1) = X.col(1);
    const Matrix moved = raw_points(preprocessing, raw, points);
    EXPECT_EQ(moved.col(1), raw.col(1));
    const Matrix there = preprocessing.apply(moved);
    const double digits = 1e-15 * (1 + raw.cwiseAbs().maxCoeff() / preprocessing.scale.minCoeff());
    EXPECT_LE((there - points).cwiseAbs().maxCoeff(), 8 * digits) << "seed " << seed;
    EXPECT_TRUE(((there - X).array().abs() <= (points - X).array().abs()).all()) << "seed " << seed;
  }
}

TEST(RawPoints, AreThePointsWhereNothingIsPreprocessed) {
  const Matrix raw{{1e9, -0.0}, {0.1, 3}};
  const Matrix points{{1e9 + 1e-6, 0.2}, {0.1 + 1e-17, 2}};
  EXPECT_EQ(raw_points({}, raw, points), points);
}

}  // namespace
}  // namespace conelu
