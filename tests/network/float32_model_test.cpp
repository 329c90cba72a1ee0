#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "conelu/export_model.hpp"
#include "data/temporary_files.hpp"
#include "network/export_problems.hpp"

namespace conelu {
namespace {

using test::random_model;
using test::random_rows;
using test::scores_by_hand;

bool is_float(double value) { return static_cast<double>(static_cast<float>(value)) == value; }

TEST(FoldedModel, GivesTheSameOutputsFromRawFeatures) {
  for (const Index classes : {0, 2, 4}) {
    for (const bool scaled : {false, true}) {
      const Model model = random_model(classes, 7, 20, scaled, 1);
      const Matrix raw = random_rows(model, 50, 2);
      const Model folded = folded_model(model);
      EXPECT_EQ(folded.preprocessing.center.size() + folded.preprocessing.scale.size(), 0);
      const Matrix expected = scores_by_hand(model, raw);
      EXPECT_LE((folded.scores(raw) - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff());
      EXPECT_EQ(folded.classes, model.classes);
    }
  }
}

TEST(FoldedModel, FoldsACentreOrAScaleAlone) {
  Model model = random_model(2, 3, 5, true, 3);
  const Matrix raw = random_rows(model, 20, 4);
  model.preprocessing.scale.resize(0);
  EXPECT_LE((folded_model(model).scores(raw) - scores_by_hand(model, raw)).cwiseAbs().maxCoeff(), 1e-8);
  model.preprocessing = {Vector(), Vector{{2, 0.5, -4}}};
  EXPECT_LE((folded_model(model).scores(raw) - scores_by_hand(model, raw)).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(Float32Model, HasTheNearestFloatOfEveryWeight) {
  const Model model = random_model(3, 6, 10, true, 5);
  const Model exported = float32_model(model);
  for (std::size_t k = 0; k < 3; ++k) {
    const Network& network = exported.networks[k];
    EXPECT_TRUE(network.hidden.unaryExpr([](double w) { return is_float(w) ? 1.0 : 0.0; }).isOnes());
    EXPECT_TRUE(network.hidden_bias.unaryExpr([](double w) { return is_float(w) ? 1.0 : 0.0; }).isOnes());
    EXPECT_TRUE(is_float(network.output_bias));
    for (Index j = 0; j < network.neurons(); ++j) {
      EXPECT_EQ(network.output(j), static_cast<double>(static_cast<float>(model.networks[k].output(j))));
      for (Index a = 0; a < 6; ++a) {
        const double exact = model.networks[k].hidden(j, a) / model.preprocessing.scale(a);
        EXPECT_LE(std::abs(network.hidden(j, a) - exact), std::ldexp(std::abs(exact), -24) * (1 + 1e-7));
      }
    }
  }
}

// At the centre z = b, whatever the weights were rounded to: only the bias itself is rounded.
TEST(Float32Model, RoundsWeightsAroundTheCentreOfTheFeatures) {
  Model model = random_model(2, 4, 60, true, 6);
  model.preprocessing.center *= 1e4;
  const Network exported = float32_model(model).networks.front();
  const Vector z = exported.hidden * model.preprocessing.center + exported.hidden_bias;
  for (Index j = 0; j < z.size(); ++j) {
    EXPECT_LE(std::abs(z(j) - model.network().hidden_bias(j)),
              std::ldexp(std::abs(exported.hidden_bias(j)), -24) * (1 + 1e-6));
  }
}

TEST(Float32Model, IsWithinTheBoundOfItsDifference) {
  for (const Index classes : {0, 2, 3}) {
    const Model model = random_model(classes, 5, 30, true, 7);
    for (const Model& exported : {float32_model(model), folded_model(model)}) {
      const double bound = difference_bound(model, exported, 3.0);
      std::mt19937_64 random(8);
      Matrix seen = Matrix::NullaryExpr(4000, 5, [&] { return std::uniform_real_distribution<>(-3, 3)(random); });
      seen.topRows(2000) = 3 * seen.topRows(2000).cwiseSign();  // corners
      Matrix raw = seen * model.preprocessing.scale.asDiagonal();
      raw.rowwise() += model.preprocessing.center.transpose();
      const double found = (scores_by_hand(exported, raw) - scores_by_hand(model, raw)).cwiseAbs().maxCoeff();
      EXPECT_GT(found, 0);
      EXPECT_LE(found, bound);
      // For doubles, what its own rounding may hide is most of the bound.
      EXPECT_LE(bound, std::max(100 * found, 1e-10)) << "a bound, but not a wild one";
      EXPECT_NEAR(largest_difference(model, exported, raw), found, 1e-11);
    }
  }
}

// Every product and sum of z and f is off by at most 2^-24 of its size, and so are the inputs.
TEST(Float32Model, IsEvaluatedInFloat32) {
  const Model model = random_model(3, 5, 30, true, 11);
  const Model exported = float32_model(model);
  const Matrix raw = random_rows(model, 50, 12);
  const Matrix exact = scores_by_hand(exported, raw);
  const Matrix rounded = float32_scores(exported, raw);
  ASSERT_EQ(rounded.rows(), 50);
  ASSERT_EQ(rounded.cols(), 3);
  for (Index k = 0; k < 50; ++k) {
    for (Index c = 0; c < 3; ++c) {
      const Network& network = exported.networks[static_cast<std::size_t>(c)];
      const Vector sizes =
          network.hidden.cwiseAbs() * raw.row(k).transpose().cwiseAbs() + network.hidden_bias.cwiseAbs();
      const double size = network.output.cwiseAbs().dot(sizes) + std::abs(network.output_bias);
      EXPECT_TRUE(is_float(rounded(k, c)));
      EXPECT_LE(std::abs(rounded(k, c) - exact(k, c)), std::ldexp(size, -24) * (5 + 32 + 4));
    }
  }
  EXPECT_NE(rounded, exact);
}

TEST(Float32Model, RefusesWeightsThatFloat32CannotHold) {
  Model model = random_model(2, 3, 4, false, 9);
  model.networks.front().output(2) = 1e39;
  expect_refusal([&] { float32_model(model); }, {"output[2]", "1e+39", "float32"});
  model = random_model(2, 3, 4, true, 9);
  model.preprocessing.scale(1) = 1e-300;
  expect_refusal([&] { float32_model(model); }, {"hidden[0][1]"});
  model.networks.clear();
  expect_refusal([&] { float32_model(model); }, {"no network"});
  model = random_model(2, 3, 4, false, 9);
  model.features.pop_back();
  expect_refusal([&] { float32_model(model); }, {"2 features", "3 inputs"});
  model = random_model(3, 3, 4, false, 9);
  model.networks.pop_back();
  expect_refusal([&] { float32_model(model); }, {"3 classes and 2 networks"});
}

// 32 bits times 32 bits are exact in long double, whose 64 bits are more than a double's.
TEST(RawRadii, AreNeverBelowTheProduct) {
  std::mt19937_64 random(10);
  int inexact = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const double radius = std::ldexp(static_cast<double>(random() >> 32), -40);
    const double scale = std::ldexp(static_cast<double>(random() >> 32), -20);
    const long double product = static_cast<long double>(radius) * static_cast<long double>(scale);
    const double raw = raw_radii(Vector{{radius}}, {Vector(), Vector{{scale}}})(0);
    EXPECT_GE(static_cast<long double>(raw), product);
    EXPECT_LT(static_cast<long double>(std::nextafter(raw, 0.0)), product) << "the smallest double that is not below";
    inexact += static_cast<long double>(raw) != product;
  }
  EXPECT_GT(inexact, 500);
  EXPECT_EQ(raw_radii(Vector{{0, 2}}, {Vector(), Vector{{3, -4}}}), (Vector{{0, 8}}));
  EXPECT_GT(raw_radii(Vector{{1e-200}}, {Vector(), Vector{{1e-200}}})(0), 0) << "underflow";
  EXPECT_EQ(raw_radii(Vector{{0.1, 0.2}}, {}), (Vector{{0.1, 0.2}}));
}

}  // namespace
}  // namespace conelu
