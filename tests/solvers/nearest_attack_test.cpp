#include "solvers/nearest_attack.hpp"

#include <gtest/gtest.h>

#include "linalg/random.hpp"
#include "problems/problems.hpp"

namespace conelu {
namespace {

double size_of(const Threat& threat, const Vector& attack) {
  Vector parts = Vector::Zero(attack.size());
  for (Index a = 0; a < attack.size(); ++a) {
    if (threat.radii(a) > 0) {
      parts(a) = attack(a) / threat.radii(a);
    } else {
      EXPECT_EQ(attack(a), 0);
    }
  }
  switch (threat.norm) {
    case Norm::infinity:
      return parts.lpNorm<Eigen::Infinity>();
    case Norm::two:
      return parts.norm();
    case Norm::one:
      break;
  }
  return parts.lpNorm<1>();
}

class NearestAttack : public testing::TestWithParam<Norm> {};
INSTANTIATE_TEST_SUITE_P(EveryNorm, NearestAttack, testing::Values(Norm::infinity, Norm::two, Norm::one),
                         [](const auto& norm) { return std::string("l") + to_string(norm.param); });

/// What is nearest is in reach, and from there the attack lies away from everything in reach: (a - b)'(c - b) <= 0.
TEST_P(NearestAttack, IsInReachAndNearerThanAnythingElseThere) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(60, 2000); ++seed) {
    const Index d = 1 + static_cast<Index>(seed % 7);
    const Threat threat = problems::random_threat(GetParam(), 0.3, d, seed);
    Random random(seed, 5);
    const auto draw = [&] { return Vector(Vector::NullaryExpr(d, [&] { return random.normal(); })); };
    const double size = 0.1 + 3 * random.uniform();
    const Vector attack = draw();
    Vector nearest = attack;
    move_into_reach(threat, size, nearest);
    EXPECT_LE(size_of(threat, nearest), size * (1 + 1e-9));
    for (int other = 0; other < 50; ++other) {
      Vector inside = threat.radii.cwiseProduct(draw());
      const double length = size_of(threat, inside);
      if (length > size) inside *= size / length;
      EXPECT_LE((attack - nearest).dot(inside - nearest), 1e-9) << seed;
    }
    Vector again = nearest;
    move_into_reach(threat, size * (1 + 1e-9), again);
    EXPECT_EQ(again, nearest);
    move_into_reach(threat, 0, again);
    EXPECT_EQ(again, Vector::Zero(d));
  }
}

}  // namespace
}  // namespace conelu
