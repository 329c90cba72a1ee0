#include "conelu/preprocessing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/temporary_files.hpp"

namespace conelu {
namespace {

Dataset features(const Matrix& X, const Vector& weights = {}) { return {X, {}, weights, {}, {}}; }

TEST(Standardization, GivesMeanZeroAndVarianceOne) {
  const Matrix X{{1, 100}, {2, -300}, {3, 250}, {6, 7}};
  const Matrix Z = Preprocessing::standardize(features(X)).apply(X);
  for (const Index j : {0, 1}) {
    EXPECT_NEAR(Z.col(j).mean(), 0, 1e-15);
    EXPECT_NEAR(Z.col(j).squaredNorm() / 4, 1, 1e-15);
  }
  // Mean 3, variance (4 + 1 + 0 + 9) / 4, by hand.
  EXPECT_NEAR(Z(3, 0), 3 / std::sqrt(3.5), 1e-15);
}

TEST(Standardization, TreatsWeightTwoAsTheRowTwiceAndWeightZeroAsAbsent) {
  const auto weighted = Preprocessing::standardize(features(Matrix{{1}, {5}, {900}, {2}}, Vector({{2, 1, 0, 1}})));
  const auto repeated = Preprocessing::standardize(features(Matrix{{1}, {1}, {5}, {2}}));
  EXPECT_NEAR(weighted.center[0], repeated.center[0], 1e-15);
  EXPECT_NEAR(weighted.scale[0], repeated.scale[0], 1e-15);
}

// The mean of seven times 0.1 is not 0.1 in binary: its noise must not be blown up to size one.
TEST(Standardization, TurnsAConstantColumnIntoZeros) {
  const Matrix X = Matrix::Constant(7, 1, 0.1);
  const auto preprocessing = Preprocessing::standardize(features(X));
  EXPECT_EQ(preprocessing.scale[0], 1);
  EXPECT_EQ(preprocessing.apply(X), Matrix::Zero(7, 1));
}

TEST(Standardization, SurvivesHugeAndTinyNumbers) {
  const Matrix X{{1e300, 1e-300}, {-1e300, -1e-300}};
  const Matrix Z = Preprocessing::standardize(features(X)).apply(X);
  EXPECT_TRUE(Z.isApprox(Matrix{{1, 1}, {-1, -1}}, 1e-15)) << Z;
}

TEST(Standardization, RefusesDataWithoutSamples) {
  expect_refusal([] { Preprocessing::standardize(features(Matrix(0, 2))); }, {"without samples"});
  expect_refusal([] { Preprocessing::standardize(features(Matrix{{1}}, Vector{{0.0}})); }, {"without samples"});
}

TEST(Preprocessing, DoesNothingWhenEmptyAndRefusesOtherWidths) {
  const Matrix X{{1, 2}, {3, 4}};
  EXPECT_EQ(Preprocessing().apply(X), X);
  EXPECT_EQ((Preprocessing{Vector({{1, 1}}), {}}.apply(X)), (Matrix{{0, 1}, {2, 3}}));
  EXPECT_EQ((Preprocessing{{}, Vector({{2, 2}})}.apply(X)), (Matrix{{0.5, 1}, {1.5, 2}}));
  expect_refusal([&] { Preprocessing{Vector::Ones(3), Vector::Ones(3)}.apply(X); }, {"3 features", "has 2"});
}

Dataset with_text() {
  Dataset data;
  data.X = Matrix{{1, 1, 0, 7}, {3, 0, 1, 7}, {5, 1, 0, 7}};
  data.features = {"a", "t=u", "t=v", "c"};
  data.encodings = {{"t", 1, {"u", "v"}}};
  data.missing = {"?"};
  return data;
}

TEST(Preprocessing, RemembersWhatTheFeaturesWereLike) {
  Dataset data;
  data.X = Matrix{{1, -5}, {4, 7}, {100, 100}};
  data.weights = Vector{{2, 1, 0}};
  for (const Preprocessing& seen :
       {Preprocessing::of(data), Preprocessing::standardize(data), Preprocessing::min_max(data)}) {
    EXPECT_TRUE(seen.seen.mean.isApprox(Vector{{2, -1}}, 1e-15));
    EXPECT_EQ(seen.seen.lowest, (Vector{{1, -5}}));
    EXPECT_EQ(seen.seen.highest, (Vector{{4, 7}}));
  }
  EXPECT_EQ(Preprocessing::of({}).seen.mean.size(), 0);
}

TEST(MinMax, BringsEveryFeatureToTheUnitInterval) {
  const Preprocessing scaling = Preprocessing::min_max(with_text());
  EXPECT_EQ(scaling.apply(with_text().X), (Matrix{{0, 1, 0, 0}, {0.5, 0, 1, 0}, {1, 1, 0, 0}}));
  EXPECT_EQ(scaling.missing, std::vector<std::string>{"?"});
  Dataset weighted = with_text();
  weighted.weights = Vector{{1, 1, 0}};
  EXPECT_EQ(Preprocessing::min_max(weighted).scale(0), 2) << "rows of weight 0 are not there";
}

TEST(MinMax, RefusesWhatHasNoRange) {
  EXPECT_THROW(Preprocessing::min_max(Dataset{}), std::invalid_argument);
  Dataset data;
  data.X = Matrix{{-1.7e308}, {1.7e308}};
  EXPECT_THROW(Preprocessing::min_max(data), std::invalid_argument);
}

TEST(Encoding, StaysZeroAndOneUnderEveryScaling) {
  for (const Preprocessing& p : {Preprocessing::standardize(with_text()), Preprocessing::min_max(with_text())}) {
    EXPECT_EQ(p.apply(with_text().X).middleCols(1, 2), with_text().X.middleCols(1, 2));
  }
  const Preprocessing plain = Preprocessing::of(with_text());
  EXPECT_EQ(plain.center.size() + plain.scale.size(), 0);
  for (Index a = 0; a < 4; ++a) EXPECT_EQ(plain.is_encoded(a), a == 1 || a == 2);
}

// Weights 1, 3: mean 4, variance (1 * 9 + 3 * 1) / 4 = 3.
TEST(TargetScaling, GivesMeanZeroAndVarianceOneByWeight) {
  Dataset data;
  data.X = Matrix::Zero(3, 1);
  data.y = Vector{{1, 5, 99}};
  data.weights = Vector{{1, 3, 0}};
  const TargetScaling scaling = TargetScaling::standardize(data);
  EXPECT_DOUBLE_EQ(scaling.center, 4);
  EXPECT_DOUBLE_EQ(scaling.scale, std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(scaling.apply(data).y(1), 1 / std::sqrt(3.0));
  data.y = Vector::Constant(3, 0.1);
  EXPECT_EQ(TargetScaling::standardize(data).scale, 1);
  EXPECT_EQ(TargetScaling::standardize(data).center, 0.1);
  data.classes = {"a", "b"};
  EXPECT_THROW(TargetScaling::standardize(data), std::invalid_argument);
}

TEST(Bias, IsALastColumnOfOnes) {
  EXPECT_EQ(with_bias(Matrix{{1, 2}, {3, 4}}), (Matrix{{1, 2, 1}, {3, 4, 1}}));
  EXPECT_EQ(with_bias(Matrix(2, 0)), Matrix::Ones(2, 1));
}

}  // namespace
}  // namespace conelu
