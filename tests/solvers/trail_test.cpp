#include <gtest/gtest.h>

#include "conelu/interior_point.hpp"
#include "problems/problems.hpp"

namespace conelu {
namespace {

std::vector<problems::Setting> attacked_settings() {
  std::vector<problems::Setting> settings = problems::every_setting();
  std::erase_if(settings, [](const problems::Setting& setting) { return setting.radius == 0; });
  return settings;
}

class EveryTrail : public testing::TestWithParam<problems::Setting> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryTrail, testing::ValuesIn(attacked_settings()),
                         [](const auto& setting) { return setting.param.name(); });

// Blocks and multipliers of one radius under a smaller one: norms and slacks must fit them, or no step ever mends it.
TEST_P(EveryTrail, LeadsToTheOptimumOfASmallerRadiusInFewerIterations) {
  int cold_iterations = 0, warm_iterations = 0;
  for (std::uint64_t seed = 0; seed < problems::repetitions(4, 40); ++seed) {
    const problems::Setting& setting = GetParam();
    const auto loss = make_loss(setting.loss);
    const problems::Points points = problems::random_points(20, 4, true, loss->is_margin_loss(), seed);
    const Threat threat = problems::random_threat(setting.norm, setting.radius, 4, seed);
    PatternRequest request;
    request.count = 8;
    request.seed = seed;
    request.threat = threat;
    const PatternSet patterns = make_patterns("gaps", points.X, request).patterns;
    const auto program = [&](double factor) {
      return Program(points.X, points.y, Vector(), make_loss(setting.loss), 0.02, patterns,
                     Threat{threat.norm, factor * threat.radii}, setting.method);
    };
    const InteriorPoint solver;
    Trail trail;
    solver.solve(program(1.0), trail);
    const Program smaller = program(0.93);
    const Solution warm = solver.solve(smaller, trail);
    const Solution cold = solver.solve(smaller);
    EXPECT_EQ(warm.stop, Stop::converged) << seed;
    EXPECT_LE(warm.certificate.lower_bound, cold.certificate.objective) << seed;
    EXPECT_LE(cold.certificate.lower_bound, warm.certificate.objective) << seed;
    warm_iterations += warm.iterations;
    cold_iterations += cold.iterations;
  }
  EXPECT_LT(warm_iterations, cold_iterations);
}

}  // namespace
}  // namespace conelu
