#include <gtest/gtest.h>

#include <cmath>

#include "evaluate/attack_problems.hpp"
#include "evaluate/brute_force.hpp"

namespace conelu {
namespace {

using test::AttackProblem;
using test::BruteForce;

/// How many rows an attack took to the worst that there is, of all with so many features within reach.
struct Share {
  int found = 0;
  int all = 0;
  double of() const { return static_cast<double>(found) / all; }
};

class StrongInEveryNorm : public testing::TestWithParam<std::string> {
 protected:
  /// Tiny networks, one or two features within reach, ranges in every other problem.
  Share exact_share(const std::string& name, Task task, std::size_t reach, double tolerance) const {
    Share share;
    const Norm norm = make_norm(GetParam());
    for (std::uint64_t seed = 0; seed < problems::repetitions(40, 400); ++seed) {
      AttackProblem problem(norm, task, 16, 4 * seed + seed % 2);
      Random random(seed, 51);
      problem.network = test::random_network(1 + static_cast<Index>(seed % 6), problem.X.cols(), random);
      for (Index a = 0; a < problem.X.cols(); ++a) {
        problem.settings.threat.radii(a) = a < static_cast<Index>(reach) ? 0.1 + 1.4 * random.uniform() : 0.0;
      }
      const AttackResult result = problem.run(name);
      for (Index k = 0; k < problem.X.rows(); ++k) {
        BruteForce brute(problem.network, problem.X.row(k).transpose(), problem.as_verify_settings());
        if (brute.moved() != reach) continue;
        const double y = problem.y(k);
        const double worst = task == Task::classification
                                 ? -brute.lowest(y)
                                 : std::max(std::abs(brute.lowest(1) - y), std::abs(-brute.lowest(-1) - y));
        EXPECT_LE(result.severity(k), worst + 1e-11 * (1 + std::abs(worst)));
        ++share.all;
        share.found += result.severity(k) >= worst - tolerance * (1 + std::abs(worst)) ? 1 : 0;
      }
    }
    return share;
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, StrongInEveryNorm, testing::ValuesIn(norm_names()),
                         [](const auto& test) { return "l" + test.param; });

TEST_P(StrongInEveryNorm, FindsTheExactWorstOnALine) {
  for (const Task task : {Task::classification, Task::regression}) {
    const Share share = exact_share("strong", task, 1, 1e-9);
    EXPECT_EQ(share.found, share.all);
    EXPECT_GT(share.all, 300);
    EXPECT_LT(exact_share("pgd", task, 1, 1e-9).of(), 0.95);  // it is not that easy
  }
}

// Where kinks meet the surface of a round ball it comes close instead of hitting the point.
TEST_P(StrongInEveryNorm, FindsTheExactWorstInThePlaneNearlyAlways) {
  const bool round = GetParam() == "2";
  for (const Task task : {Task::classification, Task::regression}) {
    const Share share = exact_share("strong", task, 2, round ? 1e-6 : 1e-9);
    EXPECT_GE(share.of(), round ? 0.97 : 0.99) << share.found << " of " << share.all;
    EXPECT_GT(share.all, 300);
    EXPECT_LT(exact_share("pgd", task, 2, 1e-9).of(), 0.9);
    RecordProperty(task == Task::classification ? "classification" : "regression",
                   std::to_string(share.found) + " of " + std::to_string(share.all));
  }
}

}  // namespace
}  // namespace conelu
