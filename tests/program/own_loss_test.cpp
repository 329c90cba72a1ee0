#include "problems/own_loss.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "conelu/train.hpp"
#include "problems/problems.hpp"

namespace conelu {
namespace {

// Its derivatives, conjugate and worst cases, its optima in every program and its bounds are checked where those of all
// losses are: this says that it really is among them.
TEST(OwnLoss, IsAmongTheLossesThatTheContractTestsRunOver) {
  const std::vector<std::string> names = loss_names();
  EXPECT_EQ(std::count(names.begin(), names.end(), problems::LogCoshLoss::kName), 1);
  EXPECT_EQ(make_loss(problems::LogCoshLoss::kName)->name(), problems::LogCoshLoss::kName);
}

// Small residuals cost half their square, large ones their size less log 2.
TEST(OwnLoss, IsTrainedByItsName) {
  const problems::Points points = problems::random_points(30, 2, false, false, 1);
  TrainSettings settings;
  settings.loss = problems::LogCoshLoss::kName;
  settings.beta = 0.01;
  const Dataset data{points.X, points.y, Vector(), {}, {}};
  const TrainResult result = train(data, settings);
  EXPECT_EQ(result.model.training.status, "optimal");
  EXPECT_EQ(result.model.training.loss, problems::LogCoshLoss::kName);
  settings.loss = "huber";
  EXPECT_LT(result.model.training.objective, train(data, settings).model.training.objective)
      << "log cosh lies below the Huber loss everywhere";
}

TEST(OwnLoss, CannotTakeANameThatIsTakenOrNone) {
  const LossFactory make = [](const LossSettings&) { return std::make_shared<problems::LogCoshLoss>(); };
  EXPECT_THROW(register_loss("hinge", make), std::invalid_argument);
  EXPECT_THROW(register_loss("", make), std::invalid_argument);
  EXPECT_THROW(register_loss("nothing", nullptr), std::invalid_argument);
  register_loss("empty-handed", [](const LossSettings&) { return LossPointer(); });
  EXPECT_THROW(make_loss("empty-handed"), std::invalid_argument);
}

TEST(Losses, NameASettingThatIsOutOfRange) {
  try {
    make_loss("huber", {-1.0});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("huber_delta"), std::string::npos);
  }
}

// In the limits the Huber loss is the squared one, and delta times the absolute one.
TEST(Losses, HuberLiesBetweenSquaredAndAbsolute) {
  const LossPointer wide = make_loss("huber", {1e3});
  const LossPointer narrow = make_loss("huber", {1e-6});
  for (double f = -3; f < 3; f += 0.17) {
    EXPECT_NEAR(wide->value(f, 0.3), make_loss("squared")->value(f, 0.3), 1e-12);
    EXPECT_NEAR(narrow->value(f, 0.3) / 1e-6, make_loss("absolute")->value(f, 0.3), 1e-6);
  }
}

}  // namespace
}  // namespace conelu
