#include <gtest/gtest.h>
#include <omp.h>

#include "conelu/certificate.hpp"
#include "conelu/prices.hpp"
#include "prices/largest_price.hpp"
#include "problems/problems.hpp"

// Directions whose neuron would lower the optimum of training: |nu'(Xu)_+| above beta, |u| = 1.
namespace conelu {
namespace {

using test::largest_price_by_faces;
using test::largest_price_in_the_plane;
using test::normal_matrix;
using test::normal_vector;
using test::price_at;

TEST(FindPrices, FindsTheLargestPriceInThePlaneAndNeverALargerOne) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const Matrix X = normal_matrix(random, 1 + random.below(40), 2);
    const Vector nu = normal_vector(random, X.rows());
    const double truth = largest_price_in_the_plane(X, nu);
    const double found = find_prices(X, nu, {.starts = 200}).largest();
    EXPECT_LE(found, truth * (1 + 1e-12));
    EXPECT_GE(found, truth * (1 - 1e-6)) << "trial " << trial;
  }
}

TEST(FindPrices, FindsNearlyTheLargestPriceInFourDimensions) {
  Random random(2);
  for (int trial = 0; trial < 30; ++trial) {
    const Matrix X = normal_matrix(random, 7, 4);
    const Vector nu = normal_vector(random, 7);
    const double truth = largest_price_by_faces(X, nu);
    const double found = find_prices(X, nu).largest();
    EXPECT_LE(found, truth * (1 + 1e-12));
    EXPECT_GE(found, truth * (1 - 1e-3)) << "trial " << trial;
  }
}

TEST(FindPrices, SaysWhatItsDirectionsAreWorth) {
  Random random(3);
  const Matrix X = normal_matrix(random, 120, 5);
  const Vector nu = normal_vector(random, 120);
  const PricedDirections found = find_prices(X, nu, {.starts = 300, .seed = 4});
  ASSERT_GT(found.prices.size(), 3);
  const Vector again = prices_of(X, nu, found.directions);
  PatternSet patterns(120);
  for (Index j = 0; j < found.prices.size(); ++j) {
    EXPECT_NEAR(found.directions.col(j).norm(), 1, 1e-12);
    EXPECT_NEAR(std::abs(found.prices(j)), price_at(X, nu, found.directions.col(j)), 1e-10);
    EXPECT_NEAR(found.prices(j), again(j), 1e-10);
    EXPECT_LE(std::abs(found.prices(j)), j > 0 ? std::abs(found.prices(j - 1)) : INFINITY);
    EXPECT_TRUE(patterns.add(X * found.directions.col(j))) << "a pattern of its own each";
  }
}

TEST(FindPrices, DependsOnTheSeedAndNotOnTheThreads) {
  Random random(5);
  const Matrix X = normal_matrix(random, 300, 9);
  const Vector nu = normal_vector(random, 300);
  const int before = omp_get_max_threads();
  std::vector<PricedDirections> results;
  for (const int threads : {1, 2, 3}) {
    omp_set_num_threads(threads);
    results.push_back(find_prices(X, nu, {.starts = 500, .steps = 40, .seed = 6}));
  }
  omp_set_num_threads(before);
  for (const PricedDirections& result : results) {
    EXPECT_EQ(result.prices, results[0].prices);
    EXPECT_EQ(result.directions, results[0].directions);
  }
  EXPECT_NE(find_prices(X, nu, {.starts = 500, .steps = 40, .seed = 7}).prices, results[0].prices);
}

TEST(FindPrices, IsNeverWorseThanWhereItStarts) {
  Random random(8);
  const Matrix X = normal_matrix(random, 50, 6);
  const Vector nu = normal_vector(random, 50);
  const Matrix first = normal_matrix(random, 6, 10);
  double largest = 0;
  for (Index j = 0; j < 10; ++j) largest = std::max(largest, price_at(X, nu, first.col(j).normalized()));
  EXPECT_GE(find_prices(X, nu, {.starts = 0, .steps = 30}, first).largest(), largest * (1 - 1e-12));
  // The products are homogeneous: scales of X and nu only scale the prices.
  const double usual = find_prices(X, nu, {.starts = 50}).largest();
  EXPECT_NEAR(find_prices(1e6 * X, 1e-3 * nu, {.starts = 50}).largest(), 1e3 * usual, 1e-5 * usual);
}

TEST(FindPrices, StopsWhenToldToAndRefusesWhatDoesNotFit) {
  Random random(9);
  const Matrix X = normal_matrix(random, 50, 6);
  const Vector nu = normal_vector(random, 50);
  int asked = 0;
  find_prices(X, nu, {}, Matrix(), [&] { return ++asked < 3; });
  EXPECT_EQ(asked, 3);
  EXPECT_THROW(find_prices(X, Vector::Zero(3)), std::invalid_argument);
  EXPECT_THROW(find_prices(X, nu, {.starts = -1}), std::invalid_argument);
  EXPECT_THROW(find_prices(X, nu, {}, Matrix::Zero(4, 1)), std::invalid_argument);
  EXPECT_EQ(find_prices(X, Vector::Zero(50)).largest(), 0);
}

// The derivative of the loss at 0, by differences.
TEST(BetaMax, IsThePriceOfTheSlopesAtZero) {
  for (const std::string& name : loss_names()) {
    const LossPointer loss = make_loss(name);
    const problems::Points points = problems::random_points(30, 2, false, loss->is_margin_loss(), 3);
    const Vector weights = Vector::LinSpaced(30, 0.5, 2);
    const Vector slopes = slopes_at_zero(*loss, points.y, weights);
    for (Index k = 0; k < 30; ++k) {
      const double h = 1e-6;
      const double slope = (loss->value(h, points.y(k)) - loss->value(-h, points.y(k))) / (2 * h);
      EXPECT_NEAR(slopes(k), weights(k) * slope, 1e-5) << name;
    }
    EXPECT_NEAR(beta_max(points.X, points.y, weights, *loss), largest_price_in_the_plane(points.X, slopes), 1e-6)
        << name;
  }
}

}  // namespace
}  // namespace conelu
