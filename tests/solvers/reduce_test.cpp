#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "conelu/interior_point.hpp"
#include "conelu/network.hpp"
#include "problems/problems.hpp"

namespace conelu {
namespace {

Index nonzero_blocks(const Matrix& blocks) { return (blocks.colwise().norm().array() > 0).count(); }

class EveryLossReduced : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryLossReduced, testing::ValuesIn(loss_names()),
                         [](const auto& test) { return problems::test_name(test.param); });

// Theorem 1: n + 1 neurons suffice. Interior-point solutions spread over all blocks, far more than that here.
TEST_P(EveryLossReduced, HasAtMostOneNeuronMoreThanSamplesAndTheSameOutputs) {
  for (const auto& [n, d, count] : {std::tuple<Index, Index, Index>{10, 3, 60}, {6, 2, 40}, {5, 8, 30}}) {
    const Program program = problems::random_program(GetParam(), n, d, count, 1e-3, 11);
    InteriorPointSettings settings;
    settings.tolerance = 1e-8;
    const Solution solution = InteriorPoint(settings).solve(program);
    const Solution reduced = reduce(program, solution);
    EXPECT_LE(nonzero_blocks(reduced.blocks), n + 1);
    EXPECT_LT(nonzero_blocks(reduced.blocks), nonzero_blocks(solution.blocks));
    const Vector before = program.outputs(solution.blocks);
    EXPECT_LE((program.outputs(reduced.blocks) - before).norm(), 1e-8 * before.norm());
    EXPECT_LE(reduced.certificate.objective, solution.certificate.objective * (1 + 1e-9));
    EXPECT_GE(reduced.certificate.objective, solution.certificate.objective * (1 - 1e-8));
    EXPECT_LE(reduced.certificate.relative_gap(), 2e-8);
    const Network network = recover_network(reduced.blocks, d > 1);
    EXPECT_EQ(network.neurons(), nonzero_blocks(reduced.blocks));
    EXPECT_NEAR(network_objective(program, network, d > 1), reduced.certificate.objective,
                1e-9 * reduced.certificate.objective);
  }
}

// Losses with a corner at the optimum see every change of an output; eliminations alone made 2e-4 of it here.
TEST(Reduce, KeepsTheObjectiveOfLossesWithCorners) {
  for (std::uint64_t seed = 1; seed < 30; ++seed) {
    const Program program = problems::random_program("absolute", 10, 3, 60, 1e-3, seed);
    InteriorPointSettings settings;
    settings.tolerance = 1e-8;
    const Solution solution = InteriorPoint(settings).solve(program);
    const Solution reduced = reduce(program, solution);
    EXPECT_LE(reduced.certificate.objective, solution.certificate.objective * (1 + 1e-9)) << seed;
    EXPECT_LE(nonzero_blocks(reduced.blocks), 11) << seed;
  }
}

// Blocks whose gates are all closed have lengths and no outputs: all of them go, and nothing is left to restore.
TEST(Reduce, DropsBlocksWithoutOutputs) {
  const Program program(Matrix::Ones(3, 1), Vector::Ones(3), Vector(), make_loss("hinge"), 0.1, Matrix::Zero(3, 2),
                        Threat(), Method::hybrid);
  ASSERT_EQ(program.blocks(), 2);
  Solution solution;
  solution.blocks = Matrix::Constant(1, 2, -1.0);
  solution.dual.nu = Vector::Zero(3);
  solution.dual.lambda = Matrix::Zero(3, 2);
  const Solution reduced = reduce(program, solution);
  EXPECT_EQ(nonzero_blocks(reduced.blocks), 0);
  EXPECT_NEAR(reduced.certificate.objective, program.objective(Matrix::Zero(1, 2)), 1e-14);
}

TEST_P(EveryLossReduced, KeepsOutputsOfAnyFeasiblePointAndNeverRaisesItsPenalty) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Program program = problems::random_program(GetParam(), 7, 3, 30, 0.1, seed);
    Solution solution;
    solution.blocks = problems::random_feasible_blocks(program, 1.0, seed);
    solution.dual.nu = Vector::Zero(7);
    solution.dual.lambda = Matrix::Zero(7, program.blocks());
    const Solution reduced = reduce(program, solution);
    EXPECT_LE(nonzero_blocks(reduced.blocks), 8);
    const Vector before = program.outputs(solution.blocks);
    EXPECT_LE((program.outputs(reduced.blocks) - before).norm(), 1e-9 * before.norm()) << seed;
    EXPECT_LE(reduced.blocks.colwise().norm().sum(), solution.blocks.colwise().norm().sum() * (1 + 1e-12));
  }
}

TEST(Reduce, LeavesTheZeroNetworkAlone) {
  const Program program = problems::random_program("hinge", 7, 3, 5, 100.0, 1);
  const Solution reduced = reduce(program, InteriorPoint().solve(program));
  EXPECT_EQ(reduced.blocks.norm(), 0);
}

TEST(Prune, DropsShortBlocksAndCertifiesWhatIsLeft) {
  const Program program = problems::random_program("hinge", 30, 3, 40, 1e-2, 3);
  const Solution solution = InteriorPoint().solve(program);
  const Solution pruned = prune(program, solution, 1e-3);
  EXPECT_LT(nonzero_blocks(pruned.blocks), nonzero_blocks(solution.blocks));
  EXPECT_GT(nonzero_blocks(pruned.blocks), 0);
  EXPECT_NEAR(pruned.certificate.objective, program.objective(pruned.blocks), 1e-12);
  EXPECT_EQ(pruned.certificate.lower_bound, solution.certificate.lower_bound);
  EXPECT_GE(pruned.certificate.objective, pruned.certificate.lower_bound);
  // Everything but the longest block gone: a bad network, and the certificate says so.
  const Solution stump = prune(program, solution, 1.0);
  EXPECT_EQ(nonzero_blocks(stump.blocks), 1);
  EXPECT_GT(stump.certificate.relative_gap(), 1e-2);
  EXPECT_THROW(prune(program, solution, -0.1), std::invalid_argument);
  EXPECT_THROW(prune(program, solution, std::nan("")), std::invalid_argument);
}

}  // namespace
}  // namespace conelu
