#include "conelu/loss.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "problems/problems.hpp"

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

/// The smallest r of the interior-point view where the output may vary by rho.
double lifted(const Loss::Kinks& kinks, double f, double rho) {
  double r = -INFINITY;
  for (int i = 0; i < kinks.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    r = std::max(r, kinks.slope[at] * f + std::abs(kinks.slope[at]) * rho + kinks.offset[at]);
  }
  return r;
}

/// cost(b) - cost(a), by Simpson's rule on its slope, in halves where the slope has a corner.
double cost_difference(const Loss& loss, double a, double b) {
  const auto simpson = [&](double left, double right) {
    return (right - left) / 6 *
           (loss.cost_slope(left) + 4 * loss.cost_slope(0.5 * (left + right)) + loss.cost_slope(right));
  };
  const double middle = 0.5 * (a + b);
  const double whole = simpson(a, b);
  const double halves = simpson(a, middle) + simpson(middle, b);
  if (std::abs(b - a) < 1 && std::abs(whole - halves) < 1e-12) return halves;
  return cost_difference(loss, a, middle) + cost_difference(loss, middle, b);
}

// max over |delta| <= rho of phi(f + delta, y) = min { cost(r) : r >= slope_i f + |slope_i| rho + offset_i }: what the
// interior-point method minimises is the worst case. The cost is known by its slope, so values are compared with the
// value at a point far out on the steep side.
TEST_P(EveryLoss, HasTheWorstCaseThatItDescribesToTheInteriorPointMethod) {
  for (const double y : targets()) {
    const Loss::Kinks kinks = loss->kinks(y);
    ASSERT_GE(kinks.count, 1);
    for (int i = 0; i < kinks.count; ++i) {
      const double slope = kinks.slope[static_cast<std::size_t>(i)];
      EXPECT_TRUE(slope == -1 || slope == 0 || slope == 1) << slope;
    }
    const double far = loss->is_margin_loss() ? -40 * y : y + 40;
    const double r_far = lifted(kinks, far, 0);
    for (const double rho : {0.0, 0.2, 1.0, 3.7}) {
      for (double f = -6.03; f <= 6; f += 0.37) {
        double worst = 0;
        for (int i = -100; i <= 100; ++i) worst = std::max(worst, loss->value(f + rho * i / 100, y));
        const double expected = loss->value(far, y) - cost_difference(*loss, lifted(kinks, f, rho), r_far);
        EXPECT_NEAR(worst, expected, 1e-7 * (1 + loss->value(far, y))) << "f " << f << " rho " << rho << " y " << y;
        EXPECT_EQ(worst, std::max(loss->value(f - rho, y), loss->value(f + rho, y))) << "an end of the range is worst";
      }
    }
  }
}

// The interior-point view, min cost(r) over r >= slope_i f + offset_i, has the derivative of the loss itself.
TEST_P(EveryLoss, DescribesItselfToTheInteriorPointMethodByItsOwnDerivatives) {
  const double step = 1e-6;
  for (const double y : targets()) {
    const Loss::Kinks kinks = loss->kinks(y);
    for (double f = -3.03; f <= 3; f += 0.11) {
      const double finite = (loss->value(f + step, y) - loss->value(f - step, y)) / (2 * step);
      const double r0 = kinks.slope[0] * f + kinks.offset[0];
      const double r1 = kinks.count > 1 ? kinks.slope[1] * f + kinks.offset[1] : -INFINITY;
      if (kinks.smooth) {
        EXPECT_NEAR(kinks.slope[0] * loss->cost_slope(r0), finite, 1e-6) << "f " << f << " y " << y;
      }
      if (std::abs(r0 - r1) < 1e-3) continue;  // at the kink there is no derivative
      const double r = std::max(r0, r1);
      const double slope = r0 > r1 ? kinks.slope[0] : kinks.slope[1];
      EXPECT_NEAR(slope * loss->cost_slope(r), finite, 1e-6) << "f " << f << " y " << y;
      const double curvature = (loss->cost_slope(r + step) - loss->cost_slope(r - step)) / (2 * step);
      EXPECT_NEAR(loss->cost_curvature(r), curvature, 1e-6) << "f " << f << " y " << y;
      EXPECT_GE(loss->cost_slope(r), 0) << "the cost falls at an r that occurs, f " << f << " y " << y;
    }
  }
}

// Bounds under a threat use this: phi depends on |f - y| alone, and so phi*(nu, y) = nu y + phi*(|nu|, 0).
TEST_P(EveryLoss, IsEvenInItsResidualUnlessItIsAMarginLoss) {
  if (loss->is_margin_loss()) return;
  for (const double y : targets()) {
    EXPECT_EQ(loss->dual_domain(y).lower, -loss->dual_domain(0).upper);
    EXPECT_EQ(loss->dual_domain(y).upper, loss->dual_domain(0).upper);
    for (const double nu : dual_points(y)) {
      EXPECT_NEAR(loss->conjugate(nu, y), nu * y + loss->conjugate(std::abs(nu), 0), 1e-13) << nu << " " << y;
    }
    for (double r = 0; r < 5; r += 0.1) {
      EXPECT_NEAR(loss->value(y + r, y), loss->value(y - r, y), 1e-13);
      EXPECT_NEAR(loss->value(y + r, y), loss->value(r, 0), 1e-13);
    }
  }
}

// ... and these: phi(f, y) falls in y f, so that the attacker has one direction only.
TEST_P(EveryLoss, IsMonotoneInTheMarginIfItIsAMarginLoss) {
  if (!loss->is_margin_loss()) return;
  for (const double y : targets()) {
    for (double f = -5; f < 5; f += 0.1) EXPECT_GE(loss->value(y * f, y), loss->value(y * (f + 0.1), y));
    EXPECT_EQ(y > 0 ? loss->dual_domain(y).upper : loss->dual_domain(y).lower, 0);
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
                         [](const auto& test) { return problems::test_name(test.param); });

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
