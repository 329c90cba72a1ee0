#include <gtest/gtest.h>

#include <Eigen/LU>

#include "prices/cone_dive.hpp"
#include "prices/folded_price.hpp"
#include "prices/largest_price.hpp"

// The parts of the search, one by one.
namespace conelu {
namespace {

using test::normal_matrix;
using test::normal_vector;

/// Edges of the cone that a path leads to, formed anew.
Matrix edges_of(const ConeSeed& seed, Index rank) {
  Matrix V = Matrix::Identity(rank, rank);
  for (Index i = 0; i < rank; ++i) {
    if ((seed.orthant >> i) & 1U) V(i, i) = -1;
  }
  for (int step = 0; step < seed.depth; ++step) {
    const int code = seed.path[static_cast<std::size_t>(step)];
    V.col(code / 16) = 0.5 * (V.col(code / 16) + V.col(code % 16));
  }
  return V;
}

// price(u) = value(Q'u), whatever was merged.
TEST(FoldedPrice, IsThePrice) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    Matrix X = normal_matrix(random, 12, 4);
    Vector nu = normal_vector(random, 12);
    X.row(1) = X.row(0);
    X.row(2) = -2 * X.row(0);
    X.row(4) = 0.5 * X.row(3);
    nu(5) = 0;
    if (trial % 2 == 0) X.col(3) = X.col(0) - X.col(1);
    const FoldedPrice price = fold_price(X, nu);
    EXPECT_EQ(price.rank(), trial % 2 == 0 ? 3 : 4);
    EXPECT_LE(price.up.rows() + price.down.rows(), 8);
    EXPECT_LT(price.residual, 1e-12 * price.size);
    for (int j = 0; j < 20; ++j) {
      const Vector u = normal_vector(random, 4).normalized();
      const double value = std::ldexp(price.value(price.Q.transpose() * u), price.exponent);
      EXPECT_NEAR(value, (X * u).cwiseMax(0.0).dot(nu), 1e-12 * nu.cwiseAbs().sum() * 10);
    }
  }
}

// What is beside the searched space counts: u = e_2 has the price 1e-13, and Q'u is 0.
TEST(FoldedPrice, CountsWhatIsBesideTheRowSpace) {
  const Matrix X{{1, 0}, {0, 1e-13}};
  const FoldedPrice price = fold_price(X, Vector::Ones(2));
  ASSERT_EQ(price.rank(), 1);
  const Vector u{{0, 1}};
  EXPECT_GE(price.restored(std::abs(price.value(price.Q.transpose() * u))), 1e-13);
}

TEST(SpectralPriceBound, IsAboveEveryPrice) {
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + random.below(12), d = 1 + random.below(4);
    const Matrix X = normal_matrix(random, n, d);
    const Vector nu = normal_vector(random, n);
    const FoldedPrice price = fold_price(X, nu);
    const double bound = price.restored(spectral_price_bound(price));
    for (int j = 0; j < 300; ++j) EXPECT_GE(bound, test::price_at(X, nu, normal_vector(random, d).normalized()));
    EXPECT_LE(bound, nu.cwiseAbs().dot(X.rowwise().norm()) * 1.0001);
  }
  // Reached where all rows are one.
  const FoldedPrice one = fold_price(Matrix{{3, 4}}, Vector{{2}});
  EXPECT_NEAR(one.restored(spectral_price_bound(one)), 10, 1e-10);
}

// max y'l over l >= 0, |Vl| <= 1, with y = V'c: the length of the projection of c on the cone, by all sets of edges.
TEST(ConeLength, IsThatOfTheProjection) {
  Random random(3);
  for (int trial = 0; trial < 500; ++trial) {
    const Index r = 1 + random.below(6);
    Matrix V = normal_matrix(random, r, r).cwiseAbs();
    if (trial % 3 == 0) V = Matrix::Ones(r, r) + 0.05 * V;
    const Vector y = normal_vector(random, r);
    ConeGram gram;
    EdgeValues values{}, weights{};
    for (Index i = 0; i < r; ++i) {
      values[static_cast<std::size_t>(i)] = y(i);
      for (Index j = 0; j < r; ++j)
        gram[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = V.col(i).dot(V.col(j));
    }
    double truth = 0;
    for (unsigned set = 1; set < (1U << r); ++set) {
      std::vector<Index> edges;
      for (Index i = 0; i < r; ++i) {
        if ((set >> i) & 1U) edges.push_back(i);
      }
      const Matrix part = V(Eigen::all, edges);
      const Vector l = (part.transpose() * part).fullPivLu().solve(y(edges));
      if ((l.array() >= 0).all() && (part * l).norm() > 0) truth = std::max(truth, y(edges).dot(l) / (part * l).norm());
    }
    const double above = cone_length_above(gram, values, r, 0, weights);
    EXPECT_GE(above, truth * (1 - 1e-9));
    if (truth > 0) {
      EXPECT_LE(above, truth * (1 + 1e-6));
    }
    // A margin is as much more at every edge.
    EdgeValues more = values;
    for (double& value : more) value += 0.1;
    EXPECT_GE(cone_length_above(gram, values, r, 0.1, weights),
              cone_length_above(gram, more, r, 0, weights) * (1 - 1e-9));
  }
}

// Parts of a dive cover the seed's cone, and no price in any of them is above its bound.
TEST(ConeDive, CoversTheConeWithBoundsThatHold) {
  Random random(4);
  for (int trial = 0; trial < 40; ++trial) {
    const Index d = 2 + trial % 4;
    const FoldedPrice price = fold_price(normal_matrix(random, 30, d), normal_vector(random, 30));
    ConeStack stack(price);
    SearchWatch watch(1e9, {}, 30);
    ConeSeed seed;
    seed.bound = spectral_price_bound(price);
    seed.orthant = static_cast<std::uint16_t>(random.below(Index{1} << d));
    seed.negative = trial % 2 == 0;
    const double side = seed.negative ? -1 : 1;
    std::vector<ConeSeed> open{seed};
    for (int round = 0; round < 5; ++round) {
      std::vector<ConeSeed> next;
      for (const ConeSeed& part : open) {
        if (open.size() > 20 && random.below(static_cast<Index>(open.size())) >= 20) {
          next.push_back(part);
          continue;
        }
        const double level = part.bound * (0.5 + 0.5 * random.uniform());
        const ConeDive found = dive(stack, part, {level, 1 + random.below(60), 1e300}, watch);
        next.insert(next.end(), found.parts.begin(), found.parts.end());
        if (found.parts.size() == 1 && !found.exhausted && found.parts[0].depth == part.depth) {
          EXPECT_LE(found.parts[0].bound, level);
        }
      }
      open = next;
    }
    std::vector<Matrix> inverses;
    for (const ConeSeed& part : open) {
      const Matrix V = edges_of(part, d);
      inverses.push_back(V.inverse());
      EXPECT_LE(part.bound, seed.bound);
      for (int j = 0; j < 20; ++j) {
        const Vector a = (V * normal_vector(random, d).cwiseAbs()).normalized();
        EXPECT_LE(side * price.value(a), part.bound * (1 + 1e-13));
      }
      for (Index i = 0; i < d; ++i) EXPECT_LE(side * price.value(V.col(i).normalized()), part.bound * (1 + 1e-13));
    }
    for (int j = 0; j < 200; ++j) {
      const Vector a = edges_of(seed, d) * normal_vector(random, d).cwiseAbs();
      EXPECT_TRUE(std::ranges::any_of(inverses,
                                      [&](const Matrix& inverse) { return ((inverse * a).array() >= -1e-12).all(); }));
    }
  }
}

}  // namespace
}  // namespace conelu
