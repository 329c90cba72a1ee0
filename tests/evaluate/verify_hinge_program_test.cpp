#include <gtest/gtest.h>

#include "evaluate/verify/hinge_program.hpp"
#include "evaluate/verify_problems.hpp"
#include "problems/problems.hpp"

namespace conelu::verification {
namespace {

class EveryNormHingeProgram : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryNormHingeProgram, testing::ValuesIn(norm_names()),
                         [](const auto& test) { return "l" + test.param; });

// minimise s'v + sum alpha (t + W'v)_+: both sides are computed here once more, at the solver's point and multipliers.
// They bound the optimum whatever the solver does, so that it is found if they meet.
TEST_P(EveryNormHingeProgram, ClosesTheGapFromBothSides) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(300, 5000); ++seed) {
    Random random(seed, 65);
    const auto normal = [&] { return random.normal(); };
    const Index d = 1 + static_cast<Index>(seed % 12);
    const Index hinges = 1 + static_cast<Index>(seed % 17);
    VerifySettings settings;
    settings.threat = Threat::uniform(make_norm(GetParam()), 1, d, false);
    if (seed % 3 == 0) settings.lower = Vector::NullaryExpr(d, [&] { return -random.uniform(); });
    if (seed % 3 == 0) settings.upper = Vector::NullaryExpr(d, [&] { return 1.5 * random.uniform(); });
    const Region region(Vector::Zero(d), settings.threat, settings.lower, settings.upper);
    const Vector s = Vector::NullaryExpr(d, normal);
    Matrix W = Matrix::NullaryExpr(d, hinges, normal);
    if (seed % 5 == 0 && hinges > 2) W.col(1) = W.col(0);
    const Vector t = Vector::NullaryExpr(hinges, normal);
    // Weights of very different size: neurons and the violations of half-spaces.
    const Vector alpha = Vector::NullaryExpr(hinges, [&] { return std::pow(10.0, 3 * random.uniform() - 1); });
    const auto value_at = [&](const Vector& v) { return s.dot(v) + alpha.dot((t + W.transpose() * v).cwiseMax(0.0)); };

    HingeProgram program(region, s, W, t, alpha);
    double best_gap = INFINITY;
    int steps = 0;
    for (; steps < 40 && best_gap > 1e-9 * (1 + alpha.sum()); ++steps) {
      const bool advanced = program.advance();
      const Vector v = program.point();
      EXPECT_LE(settings.threat.size(v), 1 + 1e-12);
      EXPECT_TRUE((v.array() >= region.lowest().array()).all() && (v.array() <= region.highest().array()).all());
      const Vector g = program.multipliers();
      EXPECT_TRUE((g.array() >= 0).all() && (g.array() <= alpha.array() * (1 + 1e-12)).all());
      const double bound = t.dot(g) + region.minimum(s + W * g);
      EXPECT_NEAR(program.value(), value_at(v), 1e-10 * (1 + alpha.sum()));
      EXPECT_NEAR(program.bound(), bound, 1e-10 * (1 + alpha.sum()));
      best_gap = std::min(best_gap, value_at(v) - bound);
      if (!advanced) break;
    }
    EXPECT_LE(best_gap, 1e-9 * (1 + alpha.sum())) << "seed " << seed << " after " << steps << " steps";
    EXPECT_GE(best_gap, -1e-10 * (1 + alpha.sum()));
    for (int i = 0; i < 100; ++i) {
      EXPECT_GE(value_at(test::random_point(Vector::Zero(d), settings, random)), program.bound() - 1e-10);
    }
  }
}

// With far fewer hinges than features the Newton system is solved on their side: the same optimum.
TEST(HingeProgram, IsTheSameProgramWithMoreFeaturesThanItNeeds) {
  Random random(1, 66);
  const auto normal = [&] { return random.normal(); };
  const Vector s = Vector::NullaryExpr(3, normal);
  const Matrix W = Matrix::NullaryExpr(3, 4, normal);
  const Vector t = 0.3 * Vector::NullaryExpr(4, normal);
  const auto optimum = [&](Index copies) {
    // Every feature in equal parts: sums of them cover the same range.
    const Index d = 3 * copies;
    const auto parts = static_cast<double>(copies);
    const Region region(Vector::Zero(d), Threat::uniform(Norm::infinity, 1, d, false), {}, {});
    HingeProgram program(region, s.replicate(copies, 1) / parts, W.replicate(copies, 1) / parts, t, Vector::Ones(4));
    for (int step = 0; step < 40 && program.value() - program.bound() > 1e-11; ++step) program.advance();
    EXPECT_NEAR(program.value(), program.bound(), 1e-10);
    return program.bound();
  };
  const double expected = optimum(1);
  for (const Index copies : {2, 3, 10, 50}) EXPECT_NEAR(optimum(copies), expected, 1e-9) << copies;
}

}  // namespace
}  // namespace conelu::verification
