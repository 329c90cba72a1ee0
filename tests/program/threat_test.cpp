#include "conelu/threat.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "linalg/random.hpp"
#include "problems/problems.hpp"
#include "program/rounding.hpp"

namespace conelu {
namespace {

class EveryNorm : public testing::TestWithParam<std::string> {
 protected:
  Norm norm = make_norm(GetParam());

  /// |delta / radii|_p by its definition.
  double size_of(const Vector& radii, const Vector& delta) const {
    double sum = 0;
    double largest = 0;
    for (Index a = 0; a < delta.size(); ++a) {
      if (delta(a) == 0) continue;
      const double part = std::abs(delta(a)) / radii(a);
      sum += norm == Norm::two ? part * part : part;
      largest = std::max(largest, part);
    }
    return norm == Norm::infinity ? largest : norm == Norm::two ? std::sqrt(sum) : sum;
  }
};

INSTANTIATE_TEST_SUITE_P(Registry, EveryNorm, testing::ValuesIn(norm_names()),
                         [](const auto& test) { return "l" + test.param; });

// The support function: no point of the ball beats it, and the one it names attains it.
TEST_P(EveryNorm, HasTheWorstPerturbationOfItsBall) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Index d = 1 + static_cast<Index>(seed % 5);
    const Threat threat = problems::random_threat(norm, 0.3, d, seed);
    Random random(seed);
    Vector u = Vector::NullaryExpr(d, [&] { return random.normal(); });
    if (seed % 7 == 0) u(0) = 0;
    const double worst = threat.worst_change(u);
    for (int trial = 0; trial < 200; ++trial) {
      Vector delta = Vector::NullaryExpr(d, [&] { return random.normal(); }).cwiseProduct(threat.radii);
      const double size = size_of(threat.radii, delta);
      EXPECT_NEAR(threat.size(delta), size, 1e-13 * size);
      if (size > 0) delta /= size;  // on the surface, where it does most
      EXPECT_LE(delta.dot(u), worst * (1 + 1e-14) + 1e-300);
    }
    const Vector delta = threat.worst_perturbation(u);
    EXPECT_LE(threat.size(delta), 1 + 1e-14);
    EXPECT_NEAR(delta.dot(u), worst, 1e-14 * (1 + worst));
    EXPECT_GE(rounding::worst_change_above(threat, u), worst);
    EXPECT_LE(rounding::worst_change_above(threat, u), worst * (1 + 1e-14));
  }
}

TEST_P(EveryNorm, LeavesFeaturesOfRadiusZeroAlone) {
  const Threat threat{norm, Eigen::Vector3d(0.5, 0, 0.1)};
  const Vector delta = threat.worst_perturbation(Eigen::Vector3d(1, 100, -2));
  EXPECT_EQ(delta(1), 0);
  EXPECT_EQ(threat.worst_change(Eigen::Vector3d(0, 100, 0)), 0);
  EXPECT_EQ(threat.size(Eigen::Vector3d(0, 1e-300, 0)), std::numeric_limits<double>::infinity());
  EXPECT_EQ(threat.size(Vector::Zero(3)), 0);
}

TEST_P(EveryNorm, WithoutRadiiChangesNothing) {
  const Threat threat{norm, Vector()};
  EXPECT_FALSE(threat.active());
  EXPECT_FALSE((Threat{norm, Vector::Zero(3)}.active()));
  EXPECT_EQ(threat.worst_change(Vector::Ones(3)), 0);
  EXPECT_EQ(threat.worst_perturbation(Vector::Ones(3)), Vector::Zero(3));
  EXPECT_EQ(rounding::worst_change_above(threat, Vector::Ones(3)), 0);
}

TEST_P(EveryNorm, HasNoWorstPerturbationOfADirectionThatIsZero) {
  const Threat threat = Threat::uniform(norm, 0.2, 3, false);
  EXPECT_EQ(threat.worst_perturbation(Vector::Zero(3)), Vector::Zero(3));
  EXPECT_EQ(rounding::worst_change_above(threat, Vector::Zero(3)), 0);
}

// Rounded up means up, also where squares would underflow and where products overflow.
TEST_P(EveryNorm, IsNotBelowTheExactChangeAtAnyScale) {
  for (const double scale : {1e-200, 1e-100, 1.0, 1e100, 1e200}) {
    Random random(3);
    for (int trial = 0; trial < 200; ++trial) {
      const Threat threat{norm, Vector::NullaryExpr(5, [&] { return random.uniform(); })};
      const Vector u = Vector::NullaryExpr(5, [&] { return scale * random.normal(); });
      long double sum = 0;
      long double largest = 0;
      for (Index a = 0; a < 5; ++a) {
        const long double part = std::abs(static_cast<long double>(threat.radii(a)) * u(a));
        sum += norm == Norm::two ? part * part : part;
        largest = std::max(largest, part);
      }
      const long double exact = norm == Norm::infinity ? sum : norm == Norm::two ? std::sqrt(sum) : largest;
      EXPECT_GE(rounding::worst_change_above(threat, u), exact);
      EXPECT_LE(rounding::worst_change_above(threat, u), exact * (1 + 1e-14L));
    }
  }
  const Threat large = Threat::uniform(norm, 1e60, 2, false);
  EXPECT_EQ(rounding::worst_change_above(large, Vector::Constant(2, 1e300)), INFINITY);
  EXPECT_EQ(rounding::worst_change_above(large, Eigen::Vector2d(std::nan(""), 1)), INFINITY);
}

TEST(Threat, UniformSparesTheBias) {
  const Threat threat = Threat::uniform(Norm::two, 0.25, 2, true);
  EXPECT_EQ(threat.radii, Eigen::Vector3d(0.25, 0.25, 0));
  EXPECT_EQ(Threat::uniform(Norm::two, 0.25, 2, false).radii, Eigen::Vector2d(0.25, 0.25));
  EXPECT_THROW(Threat::uniform(Norm::two, -1, 2, true), std::invalid_argument);
  EXPECT_THROW(Threat::uniform(Norm::two, std::nan(""), 2, true), std::invalid_argument);
}

TEST(Threat, NormsKnowTheirNames) {
  for (const std::string& name : norm_names()) EXPECT_EQ(to_string(make_norm(name)), name);
  EXPECT_THROW(make_norm("3"), std::invalid_argument);
}

}  // namespace
}  // namespace conelu
