#include "evaluate/attacks/projection.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/random.hpp"

namespace conelu::attacks {
namespace {

struct Projection {
  const char* name;
  void (*project)(const VectorView&, const VectorView&, Eigen::Ref<Vector>);
  double (*size)(const Vector&);
};

const Projection kProjections[] = {
    {"two", project_two, [](const Vector& z) { return z.norm(); }},
    {"one", project_one, [](const Vector& z) { return z.lpNorm<1>(); }},
};

void PrintTo(const Projection& projection, std::ostream* out) { *out << projection.name; }

class EveryProjection : public testing::TestWithParam<Projection> {
 protected:
  /// Bounds around 0: infinite, finite or 0 on either side.
  void draw_bounds(Index d, Random& random) {
    const auto draw = [&] {
      const double kind = random.uniform();
      return kind < 0.4 ? HUGE_VAL : kind < 0.5 ? 0.0 : random.uniform();
    };
    lower = -Vector::NullaryExpr(d, draw);
    upper = Vector::NullaryExpr(d, draw);
  }

  Vector projected(Vector z) const {
    GetParam().project(lower, upper, z);
    return z;
  }

  /// Any point of the set: on its surface, inside, at bounds.
  Vector feasible_point(Random& random) const {
    Vector z = Vector::NullaryExpr(lower.size(), [&] { return random.normal(); });
    if (random.uniform() < 0.3) z = Vector::Unit(z.size(), random.below(z.size())) * (random.uniform() < 0.5 ? -1 : 1);
    z *= (random.uniform() < 0.5 ? 1.0 : random.uniform()) / GetParam().size(z);
    z = z.cwiseMin(upper).cwiseMax(lower);
    return z;
  }

  Vector lower, upper;
};
INSTANTIATE_TEST_SUITE_P(Norms, EveryProjection, testing::ValuesIn(kProjections),
                         [](const auto& test) { return test.param.name; });

// z is the nearest point of a convex set to v if and only if (v - z)'(w - z) <= 0 for all its points w.
TEST_P(EveryProjection, IsTheNearestPoint) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Index d = 1 + static_cast<Index>(seed % 6);
    draw_bounds(d, random);
    const Vector v = Vector::NullaryExpr(d, [&] { return (seed % 2 == 0 ? 1.0 : 0.3) * random.normal(); });
    const Vector z = projected(v);
    EXPECT_LE(GetParam().size(z), 1 + 1e-14);
    EXPECT_TRUE((z.array() >= lower.array()).all() && (z.array() <= upper.array()).all());
    for (int trial = 0; trial < 100; ++trial) {
      EXPECT_LE((v - z).dot(feasible_point(random) - z), 1e-13 * (1 + v.squaredNorm())) << "seed " << seed;
    }
    // Towards every bound and corner from z, too: random points rarely come near them.
    for (Index a = 0; a < d; ++a) {
      for (const double end : {std::max(-1.0, lower(a)), std::min(1.0, upper(a))}) {
        EXPECT_LE((v - z).dot(end * Vector::Unit(d, a) - z), 1e-13 * (1 + v.squaredNorm())) << "seed " << seed;
      }
    }
  }
}

TEST_P(EveryProjection, BeatsAGridInThePlane) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed, 1);
    draw_bounds(2, random);
    const Vector v = 1.5 * Vector::NullaryExpr(2, [&] { return random.normal(); });
    const double distance = (projected(v) - v).norm();
    double least = HUGE_VAL;
    constexpr int kGrid = 400;
    for (int i = -kGrid; i <= kGrid; ++i) {
      for (int j = -kGrid; j <= kGrid; ++j) {
        const Vector w = Eigen::Vector2d(i, j) / kGrid;
        const bool inside =
            GetParam().size(w) <= 1 && (w.array() >= lower.array()).all() && (w.array() <= upper.array()).all();
        if (inside) least = std::min(least, (w - v).norm());
      }
    }
    EXPECT_LE(distance, least + 1e-12);
    EXPECT_GE(distance, least - 3.0 / kGrid);
  }
}

TEST_P(EveryProjection, LeavesWhatIsInside) {
  Random random(7);
  for (int trial = 0; trial < 100; ++trial) {
    draw_bounds(4, random);
    const Vector z = 0.9 * feasible_point(random);
    EXPECT_EQ(projected(z), z);
  }
}

TEST_P(EveryProjection, PutsFarPointsOnTheSurface) {
  Random random(8);
  lower = Vector::Constant(5, -HUGE_VAL);
  upper = Vector::Constant(5, HUGE_VAL);
  for (const double size : {1.0001, 3.0, 1e8}) {
    Vector v = Vector::NullaryExpr(5, [&] { return random.normal(); });
    v *= size / GetParam().size(v);
    EXPECT_NEAR(GetParam().size(projected(v)), 1, 1e-14);
    EXPECT_TRUE((projected(v).array() * v.array() >= 0).all());
  }
}

}  // namespace
}  // namespace conelu::attacks
