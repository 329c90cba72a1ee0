#include <gtest/gtest.h>

#include <fstream>

#include "conelu/attack.hpp"
#include "conelu/baseline.hpp"
#include "conelu/read_data.hpp"
#include "problems/problems.hpp"

namespace conelu {
namespace {

/// Short runs; the slow suites have those of the README.
int epochs(int usual) { return static_cast<int>(problems::repetitions(static_cast<std::uint64_t>(usual), 0)); }
bool slow() { return problems::repetitions(0, 1) == 1; }

// The paper prints .4144 for GD-std and .6955 for GD-PGD, with 74 % of the test rows right under PGD.
TEST(BaselineData, AreFarBelowThePaperOnMammographicMasses) {
  const Dataset all = problems::mammographic_masses();
  if (all.samples() == 0) GTEST_SKIP() << "no Mammographic Masses in " << CONELU_SHARED_DIR;
  auto [train, test] = split(all, 0.3, 1);
  ASSERT_EQ(train.samples(), 581);
  TrainSettings problem;
  problem.beta = 1e-4;
  problem.standardize = true;
  problem.eps = {0.12};
  BaselineSettings settings;
  settings.epochs = epochs(200);

  settings.method = "gd-std";
  EXPECT_LT(train_baseline(train, problem, settings).objective(), slow() ? 0.25 : 0.33);

  settings.method = "gd-pgd";
  const BaselineModel robust = train_baseline(train, problem, settings);
  EXPECT_LT(robust.objective(), slow() ? 0.315 : 0.4);
  AttackSettings attacker;
  attacker.threat = Threat::uniform(Norm::infinity, 0.12, 5, false);
  const Matrix X = robust.model.preprocessing.apply(test.X);
  const Vector f = attack("pgd", robust.model.network(), X, test.y, attacker).outputs;
  Index right = 0;
  for (Index k = 0; k < test.samples(); ++k) right += is_broken(f(k), test.y(k)) ? 0 : 1;
  EXPECT_GT(static_cast<double>(right) / static_cast<double>(test.samples()), 0.79);
}

// 600 images of 7 x 7 x 3 pixels in [0, 1]; the paper prints .3146 and .8220.
TEST(BaselineData, AreFarBelowThePaperOnCifar) {
  const std::string path = std::string(CONELU_SHARED_DIR) + "/cases/cifar_adv_hinge_P36.npz";
  if (!std::ifstream(path)) GTEST_SKIP() << "no " << path;
  Dataset data = read_dataset(path);
  data.X /= 255;
  TrainSettings problem;
  problem.beta = 1e-4;
  problem.eps = {10.0 / 255};
  BaselineSettings settings;
  settings.neurons = 72;
  settings.epochs = epochs(60);
  settings.method = "gd-std";
  EXPECT_LT(train_baseline(data, problem, settings).objective(), slow() ? 0.01 : 0.2);
  settings.method = "gd-pgd";
  EXPECT_LT(train_baseline(data, problem, settings).objective(), slow() ? 0.1 : 0.7);
}

}  // namespace
}  // namespace conelu
