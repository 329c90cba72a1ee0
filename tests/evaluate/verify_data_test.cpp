#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "conelu/attack.hpp"
#include "conelu/train.hpp"
#include "conelu/verify.hpp"
#include "linalg/random.hpp"
#include "problems/problems.hpp"

namespace conelu {
namespace {

/// Mammographic Masses: the complete rows, 70 % to train on, both parts standardised by them.
struct Masses {
  Dataset train, test;
};

Masses read_masses() {
  const Dataset all = problems::mammographic_masses();
  if (all.samples() == 0) return {all, all};
  auto [train, test] = split(all, 0.3, 1);
  const Preprocessing preprocessing = Preprocessing::standardize(train);
  train.X = preprocessing.apply(train.X);
  test.X = preprocessing.apply(test.X);
  return {train, test};
}

class VerifiedMasses : public testing::TestWithParam<std::string> {
 protected:
  static constexpr double kEps = 0.12;

  void SetUp() override {
    masses = read_masses();
    if (masses.train.samples() == 0) GTEST_SKIP() << "no Mammographic Masses in " << CONELU_SHARED_DIR;
    TrainSettings settings;
    settings.eps = {kEps};
    settings.method = GetParam();
    settings.beta = 1e-4;
    settings.patterns = "gaps";
    settings.request.count = 30;
    settings.all_active = true;
    result = train(masses.train, settings);
    verification.threat = Threat::uniform(Norm::infinity, kEps, 5, false);
  }

  Masses masses;
  TrainResult result;
  VerifySettings verification;
};
INSTANTIATE_TEST_SUITE_P(Registry, VerifiedMasses, testing::ValuesIn(method_names()),
                         [](const auto& test) { return test.param; });

// The objective that training certifies, once more from the exact margins: equal with the paper's cones, where no
// neuron changes sides, and never above.
TEST_P(VerifiedMasses, HaveTheWorstCaseLossThatTrainingCertifies) {
  verification.exact = true;
  const Network& network = result.model.network();
  const std::vector<Verification> rows = verify(network, masses.train.X, masses.train.y, verification);
  double highest = network.penalty(1e-4);
  double lowest = highest;
  const auto n = static_cast<double>(rows.size());
  for (const Verification& row : rows) {
    EXPECT_NE(row.verdict, Verdict::unknown);
    highest += std::max(0.0, 1 - row.lower) / n;
    lowest += std::max(0.0, 1 - row.upper) / n;
  }
  const RunRecord& record = result.model.training;
  EXPECT_LE(lowest, record.network_objective * (1 + 1e-12));
  EXPECT_NEAR(lowest, highest, 1e-8);
  if (GetParam() == "cones") {
    EXPECT_NEAR(highest, record.objective, 1e-9);
  }
}

TEST_P(VerifiedMasses, AreDecidedAndNoAttackSaysOtherwise) {
  const Network& network = result.model.network();
  const Dataset& test = masses.test;
  ASSERT_EQ(test.samples(), 249);
  AttackSettings attacker;
  attacker.threat = verification.threat;
  const AttackResult attacked = attack("strong", network, test.X, test.y, attacker);
  const std::vector<Verification> rows = verify(network, test.X, test.y, verification);
  verification.exact = true;
  const std::vector<Verification> exact = verify(network, test.X, test.y, verification);
  int robust = 0;
  for (Index k = 0; k < test.samples(); ++k) {
    const Verification& row = rows[static_cast<std::size_t>(k)];
    EXPECT_NE(row.verdict, Verdict::unknown);
    EXPECT_EQ(row.verdict, exact[static_cast<std::size_t>(k)].verdict);
    EXPECT_GE(-attacked.severity(k), row.lower);
    EXPECT_GE(-attacked.severity(k), exact[static_cast<std::size_t>(k)].lower);
    if (row.verdict == Verdict::robust) {
      ++robust;
      EXPECT_FALSE(is_broken(attacked.outputs(k), test.y(k)));
      continue;
    }
    EXPECT_TRUE(is_broken(network.predict(row.worst.transpose())(0), test.y(k)));
    EXPECT_LE(verification.threat.size(row.worst - test.X.row(k).transpose()), 1);
  }
  EXPECT_GT(robust, 150);
  EXPECT_LT(robust, 240);
  const auto seconds = [](double sum, const Verification& row) { return sum + row.seconds; };
  EXPECT_LT(std::accumulate(rows.begin(), rows.end(), 0.0, seconds), 30) << "verdicts take seconds, not minutes";
}

}  // namespace
}  // namespace conelu
