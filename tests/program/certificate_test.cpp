#include "conelu/certificate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "linalg/random.hpp"
#include "problems/problems.hpp"

namespace conelu {
namespace {

DualPoint random_dual(const Program& program, double nu_size, double lambda_size, std::uint64_t seed) {
  Random random(seed, 5);
  DualPoint dual;
  dual.nu.resize(program.samples());
  dual.lambda.resize(program.samples(), program.blocks());
  for (Index k = 0; k < dual.nu.size(); ++k) dual.nu(k) = nu_size * random.normal() * program.loss_weights()(k);
  for (Index j = 0; j < dual.lambda.cols(); ++j) {
    for (Index k = 0; k < dual.lambda.rows(); ++k) dual.lambda(k, j) = lambda_size * random.normal();
  }
  return dual;
}

/// The smallest slack e_k x_k'u of a block over the rows of X, in long double.
long double smallest_slack(const Program& program, const Matrix& U) {
  long double smallest = std::numeric_limits<long double>::infinity();
  for (Index j = 0; j < U.cols(); ++j) {
    for (Index k = 0; k < program.samples(); ++k) {
      long double product = 0;
      for (Index a = 0; a < U.rows(); ++a) {
        product += static_cast<long double>(program.X()(k, a)) * static_cast<long double>(U(a, j));
      }
      smallest = std::min(smallest, program.activations()(k, program.pattern_of(j)) > 0 ? product : -product);
    }
  }
  return smallest;
}

class EveryLossCertificate : public testing::TestWithParam<std::string> {};

// Weak duality, by brute force: no dual guess, however bad, may exceed the objective of any feasible point.
TEST_P(EveryLossCertificate, BoundsEveryFeasiblePointFromBelowWhateverTheDualGuess) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(40, 2000); ++seed) {
    const double beta = std::pow(10.0, -3.0 + static_cast<double>(seed % 5));
    const Program program = problems::random_program(GetParam(), 12, 3, 6, beta, seed);
    double lowest = std::numeric_limits<double>::infinity();
    for (std::uint64_t trial = 0; trial < 50; ++trial) {
      const double size = std::pow(10.0, -3.0 + static_cast<double>(trial % 5));
      lowest = std::min(lowest, program.objective(problems::random_feasible_blocks(program, size, 100 * seed + trial)));
    }
    for (std::uint64_t trial = 0; trial < 50; ++trial) {
      const double nu_size = std::pow(10.0, -3.0 + static_cast<double>(trial % 6));
      const DualPoint dual = random_dual(program, nu_size, beta * static_cast<double>(trial % 4), 100 * seed + trial);
      EXPECT_LE(lower_bound(program, dual), lowest) << "seed " << seed << " trial " << trial;
    }
  }
}

TEST_P(EveryLossCertificate, IsNeverBelowTheTrivialBoundAndNeverNanEvenForNonsense) {
  const Program program = problems::random_program(GetParam(), 9, 3, 4, 0.1, 3);
  DualPoint dual = random_dual(program, 1, 1, 1);
  dual.nu(2) = std::numeric_limits<double>::quiet_NaN();
  dual.nu(3) = std::numeric_limits<double>::infinity();
  dual.lambda(1, 1) = std::numeric_limits<double>::quiet_NaN();
  dual.lambda(2, 0) = std::numeric_limits<double>::infinity();
  EXPECT_GE(lower_bound(program, dual), 0);
  dual.nu.setConstant(1e308);
  EXPECT_GE(lower_bound(program, dual), 0);
  EXPECT_LE(lower_bound(program, dual), program.objective(Matrix::Zero(3, program.blocks())));
}

// Repair leaves a point that is feasible in exact arithmetic, not only to a tolerance.
TEST_P(EveryLossCertificate, RepairsEveryPointExactly) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Program program = problems::random_program(GetParam(), 25, 4, 5, 0.01, seed);
    Matrix U = problems::random_feasible_blocks(program, 1.0, seed);
    Random random(seed, 9);
    const double noise = std::pow(10.0, -17.0 + static_cast<double>(seed % 18));
    for (Index j = 0; j < U.cols(); ++j) {
      for (Index a = 0; a < U.rows(); ++a) U(a, j) += noise * random.normal();
    }
    const bool violated = smallest_slack(program, U) < 0;
    const double violation = repair(program, U);
    EXPECT_GE(smallest_slack(program, U), 0) << "noise " << noise;
    if (violated && noise > 1e-12) {
      EXPECT_GT(violation, 0);
    }
    EXPECT_LE(violation, 1 + 1e-12);
  }
}

TEST_P(EveryLossCertificate, BarelyMovesAPointThatIsBarelyOutside) {
  const Program program = problems::random_program(GetParam(), 25, 4, 5, 0.01, 4);
  Matrix U(4, program.blocks());
  for (Index j = 0; j < U.cols(); ++j) {
    // The point of the wall that is nearest to the witness, and a hair beyond.
    const Vector witness = program.witnesses().col(program.pattern_of(j));
    const Vector distance = (program.X() * witness).cwiseAbs().cwiseQuotient(program.row_norms());
    Index k;
    distance.minCoeff(&k);
    const Vector row = program.X().row(k).transpose();
    U.col(j) = witness - (1 + 1e-9) * row * (row.dot(witness) / row.squaredNorm());
  }
  const Matrix before = U;
  const double violation = repair(program, U);
  EXPECT_GT(violation, 0);
  EXPECT_LT(violation, 1e-8);
  EXPECT_LT((U - before).colwise().norm().maxCoeff(), 1e-7);
}

TEST_P(EveryLossCertificate, ReplacesBlocksThatAreNotFiniteByZero) {
  const Program program = problems::random_program(GetParam(), 10, 3, 4, 0.01, 4);
  Matrix U = problems::random_feasible_blocks(program, 1.0, 2);
  U(1, 2) = std::numeric_limits<double>::quiet_NaN();
  U(0, 3) = std::numeric_limits<double>::infinity();
  const Certificate certificate = certify(program, U, random_dual(program, 1, 1, 1));
  EXPECT_TRUE(U.allFinite());
  EXPECT_EQ(U.col(2).norm(), 0);
  EXPECT_TRUE(std::isfinite(certificate.objective));
  EXPECT_NEAR(certificate.objective, program.objective(U), 1e-12 * certificate.objective);
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryLossCertificate, testing::ValuesIn(loss_names()),
                         [](const auto& test) { return problems::test_name(test.param); });

TEST(Certificate, StatusComesFromTheGapAlone) {
  Certificate certificate;
  certificate.objective = 2;
  certificate.lower_bound = 1.9;
  EXPECT_NEAR(certificate.relative_gap(), 0.05, 1e-15);
  EXPECT_EQ(certificate.status(0.06), Status::optimal);
  EXPECT_EQ(certificate.status(0.04), Status::inaccurate);
}

TEST(Certificate, ClaimsAllNetworksOnlyWithAllPatterns) {
  const problems::Points points = problems::random_points(8, 3, true, true, 1);
  const Program exact(points.X, points.y, Vector(), make_loss("hinge"), 0.1, make_patterns("all", points.X).patterns);
  const Program sampled(points.X, points.y, Vector(), make_loss("hinge"), 0.1,
                        make_patterns("gaussian", points.X).patterns);
  Matrix U = Matrix::Zero(3, exact.blocks());
  EXPECT_EQ(certify(exact, U, random_dual(exact, 1, 1, 1)).scope, Scope::network);
  U = Matrix::Zero(3, sampled.blocks());
  EXPECT_EQ(certify(sampled, U, random_dual(sampled, 1, 1, 1)).scope, Scope::program);
}

}  // namespace
}  // namespace conelu
