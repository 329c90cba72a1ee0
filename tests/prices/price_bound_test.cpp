#include "conelu/price_bound.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>

#include "prices/largest_price.hpp"

// max over |u| <= 1 of |nu'(Xu)_+|: no bound may be below it, whatever ends the search.
namespace conelu {
namespace {

using test::largest_price_by_faces;
using test::largest_price_in_the_plane;
using test::normal_matrix;
using test::normal_vector;
using test::price_at;

constexpr double kRounding = 1e-12;  // of the truth itself, as the tests compute it

void expect_proven(const Matrix& X, const Vector& nu, double truth, const PriceBoundSettings& settings = {}) {
  const PriceBound bound = bound_prices(X, nu, 0, settings);
  EXPECT_GE(bound.upper, truth * (1 - kRounding));
  EXPECT_LE(bound.lower, truth * (1 + kRounding));
  EXPECT_EQ(bound.lower, bound.met.largest());
  if (settings.node_limit > 1000000) {
    EXPECT_EQ(bound.stop, Stop::converged);
    EXPECT_LE(bound.upper, (1 + settings.tolerance) * truth * (1 + 1e-9));
  }
}

TEST(PriceBound, IsTheLargestPriceInThePlane) {
  Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 1 + random.below(30);
    const Matrix X = normal_matrix(random, n, 2);
    const Vector nu = normal_vector(random, n);
    expect_proven(X, nu, largest_price_in_the_plane(X, nu), {.tolerance = trial % 2 == 0 ? 1e-3 : 1e-6});
  }
}

TEST(PriceBound, IsTheLargestPriceOfAllFacesOfCells) {
  Random random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const Index d = 3 + trial % 2;
    const Index n = 1 + random.below(d == 3 ? 11 : 7);
    const Matrix X = normal_matrix(random, n, d);
    const Vector nu = normal_vector(random, n);
    expect_proven(X, nu, largest_price_by_faces(X, nu));
  }
}

// The two routes to the truth agree.
TEST(PriceBound, IsComparedWithTheTruth) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix X = normal_matrix(random, 9, 2);
    const Vector nu = normal_vector(random, 9);
    EXPECT_NEAR(largest_price_by_faces(X, nu), largest_price_in_the_plane(X, nu), 1e-10);
  }
}

TEST(PriceBound, HoldsWhereverTheSearchIsCut) {
  Random random(4);
  for (int trial = 0; trial < 400; ++trial) {
    const Index d = 2 + trial % 3;
    const Index n = 2 + random.below(7);
    const Matrix X = normal_matrix(random, n, d);
    const Vector nu = normal_vector(random, n);
    const double truth = largest_price_by_faces(X, nu);
    double last = std::numeric_limits<double>::infinity();
    for (const Index nodes : {Index{0}, Index{1}, random.below(20), 20 + random.below(200), Index{2000}}) {
      const PriceBound bound = bound_prices(X, nu, 0, {.tolerance = 1e-8, .node_limit = nodes});
      EXPECT_GE(bound.upper, truth * (1 - kRounding));
      EXPECT_LE(bound.upper, last * (1 + kRounding));
      last = std::max(bound.upper, truth);
    }
  }
}

// Prices near the target are what takes time: with one that is just above or below them, the verdict must be right.
TEST(PriceBound, NeverReachesATargetBelowTheLargestPrice) {
  Random random(5);
  for (int trial = 0; trial < 100; ++trial) {
    const Matrix X = normal_matrix(random, 8, 3);
    const Vector nu = normal_vector(random, 8);
    const double truth = largest_price_by_faces(X, nu);
    const PriceBound below = bound_prices(X, nu, 0, {.target = truth * 0.9999, .tolerance = 1e-7});
    EXPECT_GE(below.upper, truth * (1 - kRounding));
    const PriceBound above = bound_prices(X, nu, 0, {.target = truth * 1.05});
    EXPECT_LE(above.upper, truth * 1.05);
    EXPECT_GE(above.upper, truth * (1 - kRounding));
  }
}

TEST(PriceBound, HoldsForDegenerateRows) {
  Random random(6);
  for (int trial = 0; trial < 200; ++trial) {
    const Index d = 2 + trial % 2;
    Matrix X = normal_matrix(random, 8, d);
    Vector nu = normal_vector(random, 8);
    X.row(1) = X.row(0);
    X.row(2) = -X.row(0);
    X.row(3) = 2.5 * X.row(4);
    X.row(5).setZero();
    nu(6) = 0;
    if (trial % 4 == 1) X.col(d - 1).setOnes();
    if (trial % 4 == 2) nu = nu.cwiseAbs();
    if (trial % 4 == 3) nu(1) = -nu(0);
    expect_proven(X, nu, largest_price_by_faces(X, nu));
  }
}

// Dependent and constant features lower the rank: the same prices, seen in other coordinates.
TEST(PriceBound, HoldsForDependentFeatures) {
  Random random(7);
  for (int trial = 0; trial < 100; ++trial) {
    const Index n = 3 + random.below(20);
    const Matrix plane = normal_matrix(random, n, 2);
    const Vector nu = normal_vector(random, n);
    Matrix map = normal_matrix(random, 2, trial % 2 == 0 ? 5 : 80);
    // Rows of `map` are orthonormal, so lengths in the row space are those in the plane.
    map.row(0).normalize();
    map.row(1) -= map.row(1).dot(map.row(0)) * map.row(0);
    map.row(1).normalize();
    const Matrix X = plane * map;
    EXPECT_EQ(bound_prices(X, nu, 0).rank, 2);
    // X itself is rounded: its largest price is that of the plane up to as much.
    const PriceBound bound = bound_prices(X, nu, 0);
    const double truth = largest_price_in_the_plane(plane, nu);
    EXPECT_GE(bound.upper, truth * (1 - 1e-11));
    EXPECT_LE(bound.upper, truth * 1.0011);
  }
}

// A feature beside the others and too small to be searched is part of the bound all the same.
TEST(PriceBound, AllowsForFeaturesTooSmallToSearch) {
  Random random(8);
  for (int trial = 0; trial < 50; ++trial) {
    Matrix X = normal_matrix(random, 6, 2);
    X.col(1) *= 1e-13;
    X.col(0).tail(5).setZero();
    Vector nu = normal_vector(random, 6).cwiseAbs();
    nu(0) = 1e-14;  // the large feature has hardly any price
    expect_proven(X, nu, largest_price_in_the_plane(X, nu), {.tolerance = 1e-3, .node_limit = 1000});
  }
}

TEST(PriceBound, HoldsAtAnyScale) {
  Random random(9);
  for (const double rows : {1e-150, 1e-6, 1.0, 1e6, 1e150}) {
    for (const double multipliers : {1e-6, 1.0, 1e6}) {
      for (int trial = 0; trial < 10; ++trial) {
        const Matrix X = normal_matrix(random, 10, 2);
        const Vector nu = normal_vector(random, 10);
        const double truth = largest_price_in_the_plane(X, nu) * rows * multipliers;
        expect_proven(rows * X, multipliers * nu, truth);
      }
    }
  }
  // Within one problem, too.
  for (int trial = 0; trial < 50; ++trial) {
    Matrix X = normal_matrix(random, 10, 2);
    for (Index k = 0; k < 10; ++k) X.row(k) *= std::pow(10.0, static_cast<double>(random.below(13)) - 6);
    const Vector nu = normal_vector(random, 10);
    expect_proven(X, nu, largest_price_in_the_plane(X, nu));
  }
}

TEST(PriceBound, OfOneRowIsItsLength) {
  const Matrix X{{3, 0, 4}};
  const PriceBound bound = bound_prices(X, Vector{{-2}}, 0);
  EXPECT_EQ(bound.rank, 1);
  EXPECT_GE(bound.upper, 10);
  EXPECT_LE(bound.upper, 10 * (1 + 2e-3));
  EXPECT_NEAR(bound.lower, 10, 1e-12);
}

TEST(PriceBound, OfNothingIsZero) {
  const Matrix X{{1, 2}, {3, 4}};
  for (const PriceBound& bound :
       {bound_prices(X, Vector::Zero(2), 0), bound_prices(Matrix::Zero(2, 2), Vector::Ones(2), 0),
        bound_prices(Matrix(0, 3), Vector(0), 0), bound_prices(Matrix(2, 0), Vector::Ones(2), 0)}) {
    EXPECT_GE(bound.upper, 0);
    EXPECT_LE(bound.upper, 1e-300);
    EXPECT_EQ(bound.lower, 0);
    EXPECT_TRUE(bound.converged());
    EXPECT_EQ(bound.met.prices.size(), 0);
  }
  // x (u)_+ - x (u)_+ = 0, and (xu)_+ - (-xu)_+ is linear.
  const Matrix pair{{1, 1}, {1, 1}};
  EXPECT_LE(bound_prices(pair, Vector{{1, -1}}, 0).upper, 1e-12);
  const Matrix opposite{{1, 0}, {-1, 0}};
  EXPECT_NEAR(bound_prices(opposite, Vector{{1, -1}}, 0).upper, 1, 2e-3);
}

TEST(PriceBound, DoesNotDependOnTheOrderOfSamplesOrOnThreads) {
  Random random(10);
  const Matrix X = normal_matrix(random, 60, 4);
  const Vector nu = normal_vector(random, 60);
  std::vector<Index> order(60);
  std::iota(order.begin(), order.end(), Index{0});
  for (Index k = 59; k > 0; --k)
    std::swap(order[static_cast<std::size_t>(k)], order[static_cast<std::size_t>(random.below(k + 1))]);
  for (const Index nodes : {Index{500}, Index{20000}, Index{1000000000}}) {
    const double worth = nodes == 500 ? 0 : 5;
    const PriceBound one = bound_prices(X, nu, worth, {.tolerance = 1e-2, .node_limit = nodes, .threads = 1});
    for (const int threads : {2, 4}) {
      const PriceBound other = bound_prices(X, nu, worth, {.tolerance = 1e-2, .node_limit = nodes, .threads = threads});
      EXPECT_EQ(other.upper, one.upper);
      EXPECT_EQ(other.lower, one.lower);
      EXPECT_EQ(other.nodes, one.nodes);
      EXPECT_EQ(other.met.directions, one.met.directions);
      EXPECT_EQ(other.met.prices, one.met.prices);
    }
    const PriceBound permuted =
        bound_prices(X(order, Eigen::all), nu(order), worth, {.tolerance = 1e-2, .node_limit = nodes});
    EXPECT_NEAR(permuted.upper, one.upper, 1e-12 * one.upper);
    EXPECT_NEAR(permuted.lower, one.lower, 1e-12 * one.lower);
    const PriceBound scaled = bound_prices(8 * X, nu / 2, 4 * worth, {.tolerance = 1e-2, .node_limit = nodes});
    EXPECT_NEAR(scaled.upper, 4 * one.upper, 1e-12 * scaled.upper);
    EXPECT_EQ(scaled.nodes, one.nodes);
  }
}

TEST(PriceBound, CollectsPricesAboveWhatIsWorthIt) {
  Random random(11);
  const Matrix X = normal_matrix(random, 40, 4);
  const Vector nu = normal_vector(random, 40);
  const double largest = bound_prices(X, nu, 0).lower;
  const PriceBound bound = bound_prices(X, nu, 0.7 * largest);
  const PricedDirections& met = bound.met;
  ASSERT_GE(met.prices.size(), 1);
  EXPECT_LE(met.prices.size(), 400);
  EXPECT_EQ(met.largest(), bound.lower);
  PatternSet patterns(40);
  for (Index j = 0; j < met.prices.size(); ++j) {
    const Vector u = met.directions.col(j);
    EXPECT_NEAR(u.norm(), 1, 1e-14);
    EXPECT_NEAR(std::abs(met.prices(j)), price_at(X, nu, u), 1e-12);
    EXPECT_NEAR((X * u).cwiseMax(0.0).dot(nu), met.prices(j), 1e-12);
    EXPECT_GT(std::abs(met.prices(j)), 0.7 * largest);
    EXPECT_LE(std::abs(met.prices(j)), std::abs(met.prices(std::max<Index>(0, j - 1))));
    EXPECT_TRUE(patterns.add(X * u));
  }
  // The largest is there even if it is not worth anything.
  EXPECT_EQ(bound_prices(X, nu, 10 * largest).met.prices.size(), 1);
}

TEST(PriceBound, OfSixFeaturesIsAboveAllPricesFound) {
  Random random(12);
  for (int trial = 0; trial < 5; ++trial) {
    const Matrix X = normal_matrix(random, 80, 6);
    const Vector nu = normal_vector(random, 80);
    const PricedDirections found = find_prices(X, nu, {.starts = 300, .steps = 60}, Matrix(6, 0));
    for (const Index nodes : {Index{0}, Index{300}, Index{30000}}) {
      const PriceBound bound = bound_prices(X, nu, 0, {.tolerance = 1e-2, .node_limit = nodes});
      EXPECT_GE(bound.upper, found.largest());
      EXPECT_GE(bound.upper, bound.lower);
    }
  }
}

TEST(PriceBound, InHighDimensionIsThatOfEigenvalues) {
  Random random(13);
  for (const Index d : {20, 60}) {
    const Matrix X = normal_matrix(random, 90, d);
    const Vector nu = normal_vector(random, 90);
    const PriceBound bound = bound_prices(X, nu, 0);
    EXPECT_EQ(bound.stop, Stop::numerical_trouble);
    EXPECT_EQ(bound.nodes, 0);
    EXPECT_EQ(bound.rank, d);
    EXPECT_GE(bound.upper, find_prices(X, nu, {.starts = 300}, Matrix(d, 0)).largest());
    EXPECT_LE(bound.upper, 0.8 * nu.cwiseAbs().dot(X.rowwise().norm()));
  }
}

TEST(PriceBound, StopsAtOnceWhenAsked) {
  Random random(14);
  const Matrix X = normal_matrix(random, 500, 8);
  const Vector nu = normal_vector(random, 500);
  const PriceBound refused = bound_prices(X, nu, 0, {}, [] { return false; });
  EXPECT_EQ(refused.stop, Stop::cancelled);
  EXPECT_GE(refused.upper, refused.lower);
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const PriceBound stopped = bound_prices(X, nu, 0, {}, [&] { return elapsed() < 0.5; });
  EXPECT_EQ(stopped.stop, Stop::cancelled);
  EXPECT_LT(elapsed(), 5);  // a busy machine is slow
  EXPECT_LE(stopped.upper, refused.upper);
  EXPECT_GE(stopped.upper, stopped.lower);
  EXPECT_EQ(bound_prices(X, nu, 0, {.time_limit = 0.1}).stop, Stop::time_limit);
  EXPECT_EQ(bound_prices(X, nu, 0, {.node_limit = 100}).stop, Stop::iteration_limit);
}

TEST(PriceBound, NamesWhatDoesNotFit) {
  const Matrix X{{1, 2}, {3, 4}};
  const auto message = [&](const Matrix& rows, const Vector& nu, double worth, const PriceBoundSettings& settings) {
    try {
      bound_prices(rows, nu, worth, settings);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("nothing thrown");
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message(X, Vector::Ones(3), 0, {}).substr(0, 3), "nu:");
  EXPECT_EQ(message(X, Vector{{1, nan}}, 0, {}).substr(0, 3), "nu:");
  EXPECT_EQ(message(Matrix{{1, nan}, {0, 0}}, Vector::Ones(2), 0, {}).substr(0, 2), "X:");
  EXPECT_EQ(message(X, Vector::Ones(2), -1, {}).substr(0, 6), "worth:");
  EXPECT_EQ(message(X, Vector::Ones(2), 0, {.tolerance = 0}).substr(0, 10), "tolerance:");
  EXPECT_EQ(message(X, Vector::Ones(2), 0, {.time_limit = nan}).substr(0, 11), "time_limit:");
  EXPECT_THROW(price_bound_nodes(X, Vector::Ones(2), 0), std::invalid_argument);
}

TEST(PriceBound, TellsHowManyNodesItTakes) {
  Random random(15);
  for (int trial = 0; trial < 5; ++trial) {
    const Matrix X = normal_matrix(random, 60, 4);
    const Vector nu = normal_vector(random, 60);
    const double largest = bound_prices(X, nu, 0, {.tolerance = 1e-2}).lower;
    const PriceBound bound = bound_prices(X, nu, 0, {.target = 1.1 * largest, .tolerance = 1e-2});
    const double nodes = price_bound_nodes(X, nu, 1.1 * largest);
    EXPECT_GT(nodes, static_cast<double>(bound.nodes) / 10);
    EXPECT_LT(nodes, static_cast<double>(bound.nodes) * 10);
    EXPECT_EQ(price_bound_nodes(X, nu, 1e6 * largest), 0);
  }
  EXPECT_EQ(price_bound_nodes(normal_matrix(random, 50, 40), normal_vector(random, 50), 1),
            std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace conelu
