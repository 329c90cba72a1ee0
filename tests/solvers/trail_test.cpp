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

// Of the same size, but with other slacks: the start is from scratch, to the last bit.
TEST(TrailOfAnotherProgram, IsNotFollowed) {
  struct Recipe {
    std::string loss = "hinge";
    Norm norm = Norm::infinity;
    Method method = Method::reduced;
    std::uint64_t pattern_seed = 1, data_seed = 1;
    double label_sign = 1, radius = 0.05;
  };
  const auto program = [](const Recipe& recipe) {
    const problems::Points points = problems::random_points(20, 4, true, true, recipe.data_seed);
    PatternRequest request;
    request.count = 8;
    request.seed = recipe.pattern_seed;
    const PatternSet patterns = make_patterns("gaussian", points.X, request).patterns;
    return Program(points.X, recipe.label_sign * points.y, Vector(), make_loss(recipe.loss), 0.02, patterns,
                   Threat::uniform(recipe.norm, recipe.radius, 3, true), recipe.method);
  };
  const std::vector<Recipe> others = {
      {.norm = Norm::two}, {.norm = Norm::one},       {.method = Method::hybrid},  {.pattern_seed = 2},
      {.data_seed = 2},    {.label_sign = -1},        {.loss = "logistic"},        {.loss = "squared-hinge"},
      {.radius = 0.06},    {.method = Method::cones}, {.method = Method::separate}};
  const InteriorPoint solver;
  for (std::size_t i = 0; i < others.size(); ++i) {
    Trail trail;
    solver.solve(program({}), trail);
    const Program other = program(others[i]);
    const Solution after = solver.solve(other, trail), alone = solver.solve(other);
    EXPECT_EQ(after.iterations, alone.iterations) << i;
    EXPECT_EQ(after.blocks, alone.blocks) << i;
  }
}

}  // namespace
}  // namespace conelu
