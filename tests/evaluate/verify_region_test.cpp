#include <gtest/gtest.h>

#include "evaluate/verify/region.hpp"
#include "evaluate/verify_problems.hpp"
#include "problems/problems.hpp"

namespace conelu::verification {
namespace {

class EveryNormRegion : public testing::TestWithParam<std::string> {
 protected:
  /// Radii of all sizes and some 0; features free, near a limit, at it or outside.
  struct Place {
    Vector x;
    VerifySettings settings;
    Region region() const { return Region(x, settings.threat, settings.lower, settings.upper); }
  };
  Place make(std::uint64_t seed, Random& random) const {
    const Index d = 1 + static_cast<Index>(seed % 7);
    Place place;
    place.x = Vector::NullaryExpr(d, [&] { return random.normal(); });
    place.settings.threat = problems::random_threat(make_norm(GetParam()), 0.5, d, seed);
    if (seed % 2 == 0) return place;
    place.settings.lower = place.x.array() - 0.4 + 0.05 * std::floor(random.uniform() * 10);
    place.settings.upper = place.x.array() + Vector::NullaryExpr(d, [&] { return 0.6 * random.uniform(); }).array();
    if (seed % 3 == 0) place.settings.upper(0) = place.x(0);
    place.settings.lower = place.settings.lower.cwiseMin(place.settings.upper);
    return place;
  }
  static Vector random_weights(Index d, Random& random) {
    return Vector::NullaryExpr(d, [&] { return random.uniform() < 0.2 ? 0.0 : random.normal(); });
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, EveryNormRegion, testing::ValuesIn(norm_names()),
                         [](const auto& test) { return "l" + test.param; });

// min u'(p - x) over the points p that can be reached: none is below, and the minimiser is there.
TEST_P(EveryNormRegion, KnowsTheSmallestValueOfALinearFunction) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(600, 10000); ++seed) {
    Random random(seed, 60);
    const Place place = make(seed, random);
    const Region region = place.region();
    const Vector u = random_weights(place.x.size(), random);
    const Vector r = region.scaled(u);
    const double minimum = region.minimum(r);
    for (int i = 0; i < 200; ++i) {
      EXPECT_GE(u.dot(test::random_point(place.x, place.settings, random) - place.x), minimum - 1e-15)
          << "seed " << seed;
    }
    const Vector v = region.minimiser(r);
    EXPECT_NEAR(r.dot(v), minimum, 1e-12) << "seed " << seed;
    EXPECT_NEAR(u.dot(region.point(v) - place.x), minimum, 1e-12) << "seed " << seed;
    EXPECT_GE(region.reach(r), -minimum * (1 - 1e-13));
  }
}

TEST_P(EveryNormRegion, PutsEveryPointInside) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(600, 10000); ++seed) {
    Random random(seed, 61);
    Place place = make(seed, random);
    // From where a radius is many steps of rounding to where it is less than one.
    const double far = std::pow(10.0, static_cast<double>(seed % 18));
    place.x.array() += far;
    if (place.settings.lower.size() > 0) {
      place.settings.lower.array() += far;
      place.settings.upper.array() += far;
    }
    const Region region = place.region();
    for (int i = 0; i < 20; ++i) {
      const Vector v = region.minimiser(random_weights(region.dimension(), random));
      const Vector p = region.point((i % 2 == 0 ? 1.0 : random.uniform()) * v);
      EXPECT_LE(place.settings.threat.size(p - place.x), 1) << "seed " << seed;
      for (Index a = 0; a < p.size(); ++a) {
        const test::Room room = test::room_of(place.x, place.settings, a);
        EXPECT_LE(p(a), place.x(a) + room.up);
        EXPECT_GE(p(a), place.x(a) - room.down);
      }
    }
  }
}

TEST_P(EveryNormRegion, HasItsCenterStrictlyInside) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed, 62);
    const Region region = make(seed, random).region();
    const Vector c = region.center();
    EXPECT_TRUE((c.array() > region.lowest().array()).all());
    EXPECT_TRUE((c.array() < region.highest().array()).all());
    if (c.size() > 0) {
      EXPECT_LT(Threat::uniform(region.norm(), 1, c.size(), false).size(c), 1);
    }
  }
}

// gain b + min (r + b w)'v is concave in b: a dense grid knows where it is largest.
TEST_P(EveryNormRegion, FindsTheBestMultiplier) {
  int positive = 0;
  for (std::uint64_t seed = 0; seed < problems::repetitions(200, 2000); ++seed) {
    Random random(seed, 63);
    const Region region = make(seed, random).region();
    const Vector r = random_weights(region.dimension(), random);
    const Vector w = random_weights(region.dimension(), random);
    const double gain = 0.7 * random.normal() * region.reach(w);
    const auto value = [&](double b) { return gain * b + region.minimum(r + b * w); };
    const double found = region.best_multiplier(r, w, gain, 1.0);
    if (found > 500) continue;  // it rises for ever
    double best = value(0);
    for (double b = 1e-3; b < 1000; b *= 1.01) best = std::max(best, value(b));
    if (found == 0 && best - value(0) < 1e-3 * region.reach(w)) continue;  // too small to be looked for
    EXPECT_GE(value(found), best - 0.05 * (best - value(0)) - 1e-12) << "seed " << seed;
    if (found > 0) ++positive;
  }
  EXPECT_GT(positive, 20);
}

}  // namespace
}  // namespace conelu::verification
