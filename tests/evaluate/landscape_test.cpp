#include "evaluate/attacks/landscape.hpp"

#include <gtest/gtest.h>

#include "evaluate/attacks/line_search.hpp"
#include "evaluate/verify_problems.hpp"

namespace conelu::attacks {
namespace {

using test::output_at;
using test::random_network;

// f is linear near a point that is no kink, so that differences are the gradient up to rounding.
TEST(Landscape, HasTheGradientsThatDifferencesShow) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const Index d = 1 + static_cast<Index>(seed % 5);
    const Network network = random_network(static_cast<Index>(seed % 9), d, random);
    const Matrix points = Matrix::NullaryExpr(d, 7, [&] { return random.normal(); });
    const Vector sides = Vector::NullaryExpr(7, [&] { return random.uniform() < 0.5 ? -1.0 : 1.0; });
    Landscape landscape(network);
    landscape.look(points);
    Matrix gradients;
    landscape.gradients(sides, gradients);
    for (Index k = 0; k < 7; ++k) {
      const Vector p = points.col(k);
      EXPECT_NEAR(landscape.outputs()(k), output_at(network, p), 1e-13);
      const Vector t = network.hidden * p + network.hidden_bias;
      EXPECT_LE((landscape.preactivations().col(k) - t).norm(), 1e-13);
      constexpr double h = 1e-5;
      if (t.size() > 0 && t.cwiseAbs().minCoeff() < 10 * h) continue;
      for (Index a = 0; a < d; ++a) {
        const Vector step = h * Vector::Unit(d, a);
        const double difference = (output_at(network, p + step) - output_at(network, p - step)) / (2 * h);
        EXPECT_NEAR(gradients(a, k), sides(k) * difference, 1e-9);
      }
    }
  }
}

// The paper sums over x'u_j >= 0.
TEST(Landscape, CountsNeuronsAtTheirKinkAsActive) {
  Network network;
  network.hidden = (Matrix(2, 1) << 2, -3).finished();
  network.hidden_bias = Eigen::Vector2d(-0.0, 0);
  network.output = Eigen::Vector2d(1, 1);
  Landscape landscape(network);
  landscape.look(Matrix::Constant(1, 1, -0.0));
  Matrix gradients;
  landscape.gradients(Vector::Ones(1), gradients);
  EXPECT_EQ(gradients(0, 0), -1);
}

// Along a line the highest point is at an end or at a kink: all are tried.
TEST(LineSearch, FindsTheHighestPointOfTheLine) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed, 1);
    const Index m = static_cast<Index>(seed % 8);
    const Network network = random_network(m, 3, random);
    Vector t = Vector::NullaryExpr(m, [&] { return random.normal(); });
    const Vector u = Vector::NullaryExpr(m, [&] { return random.uniform() < 0.1 ? 0.0 : random.normal(); });
    if (m > 0 && seed % 3 == 0) t(0) = 0;  // stands at a kink
    const double behind = seed % 5 == 0 ? 0 : 2 * random.uniform();
    const double ahead = seed % 7 == 0 ? 0 : 2 * random.uniform();
    const double side = seed % 2 == 0 ? 1 : -1;
    const auto height = [&](double s) { return side * network.output.dot((t + s * u).cwiseMax(0.0)); };
    double highest = std::max(height(-behind), height(ahead));
    for (Index j = 0; j < m; ++j) {
      const double kink = -t(j) / u(j);
      if (kink > -behind && kink < ahead) highest = std::max(highest, height(kink));
    }
    const LineSearch::Best best = LineSearch(network).find(side, t, u, behind, ahead);
    EXPECT_GE(best.step, -behind);
    EXPECT_LE(best.step, ahead);
    EXPECT_NEAR(height(best.step), highest, 1e-13) << "seed " << seed;
    EXPECT_NEAR(best.gain, highest - height(0), 1e-13) << "seed " << seed;
  }
}

}  // namespace
}  // namespace conelu::attacks
