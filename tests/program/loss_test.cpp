#include "conelu/loss.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace conelu {
namespace {

class EveryLoss : public testing::TestWithParam<std::string> {
 protected:
  LossPointer loss = make_loss(GetParam());

  std::vector<double> targets() const {
    return loss->is_margin_loss() ? std::vector<double>{-1, 1} : std::vector<double>{-2.5, 0, 0.3, 7};
  }
  /// Points inside the dual domain, its ends included; where it is unbounded, up to 5.
  std::vector<double> dual_points(double y) const {
    const Loss::Interval domain = loss->dual_domain(y);
    const double low = std::max(domain.lower, -5.0);
    const double high = std::min(domain.upper, 5.0);
    std::vector<double> points;
    for (int i = 0; i <= 20; ++i) points.push_back(low + (high - low) * i / 20);
    return points;
  }
};

// phi(f) + phi*(nu) >= nu f for all f and all nu in the domain: the inequality on which every bound rests.
TEST_P(EveryLoss, SatisfiesFenchelsInequality) {
  for (const double y : targets()) {
    for (const double nu : dual_points(y)) {
      for (double f = -30; f <= 30; f += 0.01) {
        ASSERT_GE(loss->value(f, y) + loss->conjugate(nu, y) - nu * f, -1e-12)
            << "f " << f << " nu " << nu << " y " << y;
      }
    }
  }
}

// ... and it is attained, so bounds can be tight: phi*(nu) is the supremum and not more.
TEST_P(EveryLoss, AttainsFenchelsInequality) {
  for (const double y : targets()) {
    for (const double nu : dual_points(y)) {
      double supremum = -INFINITY;
      for (double f = -30; f <= 30; f += 0.001) supremum = std::max(supremum, nu * f - loss->value(f, y));
      EXPECT_NEAR(supremum, loss->conjugate(nu, y), 1e-5) << "nu " << nu << " y " << y;
    }
  }
}

// Outside its domain the conjugate is infinite: nu f - phi(f) grows without bound in one direction.
TEST_P(EveryLoss, HasNoSmallerDualDomainThanItClaims) {
  for (const double y : targets()) {
    const Loss::Interval domain = loss->dual_domain(y);
    if (std::isfinite(domain.upper)) {
      const double nu = domain.upper + 1e-3;
      EXPECT_GT(nu * 1e6 - loss->value(1e6, y), nu * 1e5 - loss->value(1e5, y));
    }
    if (std::isfinite(domain.lower)) {
      const double nu = domain.lower - 1e-3;
      EXPECT_GT(-nu * 1e6 - loss->value(-1e6, y), -nu * 1e5 - loss->value(-1e5, y));
    }
  }
}

// The interior-point view, min cost(r) over r >= slope_i f + offset_i, has the derivative of the loss itself.
TEST_P(EveryLoss, DescribesItselfToTheInteriorPointMethodByItsOwnDerivatives) {
  const double step = 1e-6;
  for (const double y : targets()) {
    const Loss::Kinks kinks = loss->kinks(y);
    for (double f = -3.03; f <= 3; f += 0.11) {
      double r = f;
      double slope = 1;
      if (kinks.count > 0) {
        const double r0 = kinks.slope[0] * f + kinks.offset[0];
        const double r1 = kinks.slope[1] * f + kinks.offset[1];
        if (std::abs(r0 - r1) < 1e-3) continue;  // at the kink there is no derivative
        r = std::max(r0, r1);
        slope = r0 > r1 ? kinks.slope[0] : kinks.slope[1];
      }
      const double finite = (loss->value(f + step, y) - loss->value(f - step, y)) / (2 * step);
      EXPECT_NEAR(slope * loss->cost_slope(r, y), finite, 1e-6) << "f " << f << " y " << y;
      const double curvature = (loss->cost_slope(r + step, y) - loss->cost_slope(r - step, y)) / (2 * step);
      EXPECT_NEAR(loss->cost_curvature(r, y), curvature, 1e-6) << "f " << f << " y " << y;
    }
  }
}

TEST_P(EveryLoss, IsConvexAndNonnegative) {
  for (const double y : targets()) {
    for (double f = -10; f <= 10; f += 0.1) {
      EXPECT_GE(loss->value(f, y), 0);
      EXPECT_LE(loss->value(f, y), 0.5 * (loss->value(f - 0.7, y) + loss->value(f + 0.7, y)) + 1e-12);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryLoss, testing::ValuesIn(loss_names()),
                         [](const auto& test) { return test.param; });

TEST(Losses, AnUnknownNameListsTheKnownOnes) {
  try {
    make_loss("hing");
    FAIL();
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'hing'"), std::string::npos);
    for (const std::string& name : loss_names()) EXPECT_NE(message.find(name), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace conelu
