#include <gtest/gtest.h>

#include "conelu/gates.hpp"
#include "linalg/random.hpp"
#include "problems/problems.hpp"

namespace conelu {
namespace {

struct GatedPoints {
  Matrix X;
  Vector y;
  LossPointer loss;
  Threat threat;
  Matrix U;
};

GatedPoints random_gated_points(const problems::Setting& setting, Index n, Index d, Index blocks, std::uint64_t seed) {
  GatedPoints result;
  result.loss = make_loss(setting.loss);
  const problems::Points points = problems::random_points(n, d, true, result.loss->is_margin_loss(), seed);
  result.X = points.X;
  result.y = points.y;
  if (setting.radius > 0) result.threat = problems::random_threat(setting.norm, 0.3, d, seed);
  Random random(seed, 20);
  result.U = Matrix::NullaryExpr(d, blocks, [&] { return random.normal(); });
  return result;
}

/// The end of the range that counts, sample by sample; larger is better.
Vector quality(const GatedPoints& points, const Matrix& gates, Method method) {
  const Program program(points.X, points.y, Vector(), points.loss, 0.1, gates, points.threat, method);
  const Matrix range = program.output_range(points.U);
  Vector result(points.y.size());
  for (Index k = 0; k < result.size(); ++k) {
    const double y = points.y(k);
    result(k) = !points.loss->is_margin_loss() ? -std::max(range(k, 1) - y, y - range(k, 0))
                : y > 0                        ? range(k, 0)
                                               : -range(k, 1);
  }
  return result;
}

std::vector<problems::Setting> unconstrained_settings() {
  std::vector<problems::Setting> settings;
  for (const problems::Setting& setting : problems::every_setting()) {
    if (has_gates(setting.method)) settings.push_back(setting);
  }
  return settings;
}

class ChosenGates : public testing::TestWithParam<problems::Setting> {};
INSTANTIATE_TEST_SUITE_P(Registry, ChosenGates, testing::ValuesIn(unconstrained_settings()),
                         [](const auto& test) { return test.param.name(); });

// All 2^6 choices: none is missed by much, and one after another finds the best in most cases.
TEST_P(ChosenGates, AreNextToTheBestThereAre) {
  int best = 0;
  int all = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const GatedPoints points = random_gated_points(GetParam(), 8, 3, 6, seed);
    const Matrix gates = choose_gates(points.X, points.y, *points.loss, points.threat, points.U, GetParam().method);
    ASSERT_TRUE((gates.array() == 0 || gates.array() == 1).all());
    const Vector chosen = quality(points, gates, GetParam().method);
    Vector highest = Vector::Constant(8, -INFINITY);
    for (int choice = 0; choice < 64; ++choice) {
      Matrix other(8, 6);
      for (Index k = 0; k < 8; ++k) {
        for (Index j = 0; j < 6; ++j) {
          const bool against = points.loss->is_margin_loss() && points.y(k) * (j % 2 == 0 ? 1 : -1) < 0;
          other(k, j) = GetParam().method != Method::hybrid && against ? 0 : (choice >> j) & 1;
        }
      }
      highest = highest.cwiseMax(quality(points, other, GetParam().method));
    }
    for (Index k = 0; k < 8; ++k) {
      ++all;
      best += chosen(k) >= highest(k) - 1e-9;
      EXPECT_LE(chosen(k), highest(k) + 1e-9);
    }
  }
  EXPECT_GE(best, all * 9 / 10);
}

// Whatever the gates, the range holds the network's output everywhere in the ball.
TEST_P(ChosenGates, GiveARangeThatHoldsTheNetwork) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const GatedPoints points = random_gated_points(GetParam(), 8, 3, 6, seed);
    const Matrix gates = choose_gates(points.X, points.y, *points.loss, points.threat, points.U, GetParam().method);
    const Vector bound = quality(points, gates, GetParam().method);
    Random random(seed, 21);
    for (Index k = 0; k < 8; ++k) {
      for (int trial = 0; trial < 200; ++trial) {
        Vector x = points.X.row(k);
        if (points.threat.active()) {
          const Vector direction = Vector::NullaryExpr(3, [&] { return random.normal(); });
          x += (trial % 2 == 0 ? 1.0 : random.uniform()) * points.threat.worst_perturbation(direction);
        }
        double f = 0;
        for (Index j = 0; j < 6; ++j) f += (j % 2 == 0 ? 1 : -1) * std::max(0.0, x.dot(points.U.col(j)));
        const double seen = points.loss->is_margin_loss() ? points.y(k) * f : -std::abs(f - points.y(k));
        EXPECT_GE(seen, bound(k) - 1e-9);
      }
    }
  }
}

TEST_P(ChosenGates, AreNeverWorseThanThoseBefore) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    GatedPoints points = random_gated_points(GetParam(), 12, 4, 10, seed);
    points.U.col(3).setZero();
    Random random(seed, 22);
    Matrix before = Matrix::NullaryExpr(12, 10, [&] { return random.uniform() < 0.5 ? 0.0 : 1.0; });
    const Program program(points.X, points.y, Vector(), points.loss, 0.1, before, points.threat, GetParam().method);
    before = program.activations();
    const Matrix gates =
        choose_gates(points.X, points.y, *points.loss, points.threat, points.U, GetParam().method, before);
    EXPECT_GE((quality(points, gates, GetParam().method) - quality(points, before, GetParam().method)).minCoeff(),
              -1e-9);
    EXPECT_EQ(gates.col(3), before.col(3)) << "a block that is 0 keeps its gates";
  }
}

TEST(ChooseGates, NameWhatDoesNotFit) {
  const Matrix X = Matrix::Ones(3, 2);
  const LossPointer loss = make_loss("hinge");
  const auto choose = [&](const Matrix& U, const Matrix& before) {
    choose_gates(X, Vector::Ones(3), *loss, {}, U, Method::hybrid, before);
  };
  EXPECT_THROW(choose(Matrix::Ones(3, 2), Matrix()), std::invalid_argument);
  EXPECT_THROW(choose(Matrix::Ones(2, 3), Matrix()), std::invalid_argument);
  EXPECT_THROW(choose(Matrix::Ones(2, 2), Matrix::Ones(2, 2)), std::invalid_argument);
}

}  // namespace
}  // namespace conelu
