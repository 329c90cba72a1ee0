#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "conelu/certificate.hpp"
#include "linalg/random.hpp"
#include "problems/problems.hpp"
#include "problems/smoothed_solver.hpp"
#include "program/certifier.hpp"
#include "program/exact.hpp"

namespace conelu {
namespace {

/// A dual guess and how its entries are varied, each on its own scale.
struct Guess {
  DualPoint dual;
  std::vector<double> scales;  // nu, mu, lambda, cell_attacks, block_attacks

  Guess(const Program& program, Random& random) {
    const Index n = program.samples();
    const Index d = program.dimension();
    const double weight = program.loss_weights().mean();
    const double radius = program.robust() ? program.threat().radii.maxCoeff() : 0.0;
    const double row = program.row_norms().mean();
    const double lambda = std::min(weight, program.beta() / row);
    scales = {weight, weight, lambda, radius * weight, radius * lambda};
    const auto normal = [&] { return random.normal(); };
    dual.nu = scales[0] * Vector::NullaryExpr(n, normal);
    if (program.loss().is_margin_loss()) dual.nu = -dual.nu.cwiseAbs().cwiseProduct(program.y());
    dual.mu = dual.nu.cwiseAbs() + scales[1] * Vector::NullaryExpr(n, normal);
    dual.lambda = scales[2] * Matrix::NullaryExpr(n, program.blocks(), normal);
    if (!program.robust()) return;
    dual.cell_attacks = scales[3] * Matrix::NullaryExpr(d, program.cells(), normal);
    dual.block_attacks = scales[4] * Matrix::NullaryExpr(d, program.blocks(), normal);
  }

  /// One entry of one field.
  double& pick(Random& random, double& scale) {
    while (true) {
      const auto field = static_cast<std::size_t>(random.below(5));
      scale = scales[field];
      const std::array<double*, 5> data = {dual.nu.data(), dual.mu.data(), dual.lambda.data(), dual.cell_attacks.data(),
                                           dual.block_attacks.data()};
      const std::array<Index, 5> size = {dual.nu.size(), dual.mu.size(), dual.lambda.size(), dual.cell_attacks.size(),
                                         dual.block_attacks.size()};
      if (size[field] > 0) return data[field][random.below(size[field])];
    }
  }

  /// Raises the bound entry by entry: an adversary of the certificate, who profits from every hole in it.
  double climb(Certifier& certifier, int steps, Random& random) {
    double best = certifier.lower_bound(dual);
    for (int i = 0; i < steps; ++i) {
      double scale = 0;
      double& entry = pick(random, scale);
      const double before = entry;
      entry += scale * random.normal() * std::pow(10.0, -3 * random.uniform());
      const double bound = certifier.lower_bound(dual);
      if (bound >= best) {
        best = bound;
      } else {
        entry = before;
      }
    }
    return best;
  }
};

class EverySetting : public testing::TestWithParam<problems::Setting> {};

INSTANTIATE_TEST_SUITE_P(Registry, EverySetting, testing::ValuesIn(problems::every_setting()),
                         [](const auto& test) { return test.param.name(); });

// Weak duality by brute force: no dual guess, however bad, may exceed the objective of any feasible point.
TEST_P(EverySetting, BoundsEveryFeasiblePointFromBelowWhateverTheDualGuess) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(30, 1000); ++seed) {
    const double beta = std::pow(10.0, -3.0 + static_cast<double>(seed % 5));
    const Program program = problems::random_program(GetParam(), 9, 3, 4, beta, seed);
    double lowest = program.objective(Matrix::Zero(3, program.blocks()));
    for (std::uint64_t trial = 0; trial < 30; ++trial) {
      const double size = std::pow(10.0, -3.0 + static_cast<double>(trial % 5));
      lowest = std::min(lowest, program.objective(problems::random_feasible_blocks(program, size, 100 * seed + trial)));
    }
    Certifier certifier(program);
    Random random(seed, 6);
    for (int trial = 0; trial < 30; ++trial) {
      Guess guess(program, random);
      for (double scale = 0; random.uniform() < 0.8;) guess.pick(random, scale) *= std::pow(10.0, 4 * random.normal());
      EXPECT_LE(certifier.lower_bound(guess.dual), lowest) << "seed " << seed << " trial " << trial;
    }
  }
}

/// A program so small that its optimum is known from both sides.
struct Solved {
  Program program;
  Matrix U;
  DualPoint dual;
  Certificate certificate;
  double eta = 0;

  Solved(const problems::Setting& setting, std::uint64_t seed)
      : program(problems::random_program(setting, 3 + static_cast<Index>(seed % 4), 2 + static_cast<Index>(seed % 2), 2,
                                         0.01 * std::pow(4.0, static_cast<double>(seed % 3)), seed)) {
    problems::SmoothedSolver solver(program);
    solver.solve(1e-6);
    U = solver.blocks();
    dual = solver.dual();
    certificate = certify(program, U, dual);
    eta = solver.eta();
  }
};

// A bound that is valid but loose would leave every status at inaccurate: from a good guess it is tight.
TEST_P(EverySetting, ClosesTheGapForAGoodGuess) {
  std::uint64_t solved_programs = 0;
  const std::uint64_t repetitions = problems::repetitions(12, 300);
  for (std::uint64_t seed = 0; seed < repetitions; ++seed) {
    const Solved solved(GetParam(), seed);
    const double width = solved.certificate.objective - solved.certificate.lower_bound;
    EXPECT_GE(width, 0) << "seed " << seed;
    EXPECT_LE(width, 50 * solved.eta * std::max(1.0, solved.certificate.objective)) << "seed " << seed;
    EXPECT_EQ(solved.certificate.scope, Scope::program);
    if (solved.eta <= 1e-4) ++solved_programs;
  }
  // The test's own solver stops short of some programs with the absolute loss: 68 of 300 without constraints.
  EXPECT_GE(solved_programs, problems::repetitions(10, 225));
}

// Weak duality where it hurts: next to the optimum a bound that is wrong by a sign, a factor or a missing clip passes
// the objective as soon as somebody looks for the way.
TEST_P(EverySetting, IsNotTrickedByAnAdversaryWhoClimbsTheBound) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(12, 300); ++seed) {
    const Solved solved(GetParam(), seed);
    Certifier certifier(solved.program);
    Random random(seed, 7);
    Guess anything(solved.program, random);
    EXPECT_LE(anything.climb(certifier, 1000, random), solved.certificate.objective) << "seed " << seed;
    Guess close(solved.program, random);
    close.dual = solved.dual;
    EXPECT_LE(close.climb(certifier, 2000, random), solved.certificate.objective) << "seed " << seed;
    for (const double factor : {1.0 + 1e-3, 1.5, 10.0}) {
      // Every field beyond its limit on its own, the rest as good as it gets.
      for (int field = 0; field < 5; ++field) {
        DualPoint dual = solved.dual;
        if (field == 0) dual.nu *= factor;
        if (field == 1) dual.mu *= factor;
        if (field == 2) dual.lambda *= factor;
        if (field == 3) dual.cell_attacks *= factor;
        if (field == 4) dual.block_attacks *= factor;
        EXPECT_LE(certifier.lower_bound(dual), solved.certificate.objective) << "seed " << seed << " field " << field;
      }
    }
  }
}

TEST_P(EverySetting, IsNeverBelowTheTrivialBoundAndNeverNanEvenForNonsense) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Program program = problems::random_program(GetParam(), 7, 3, 3, 0.1, seed);
    Certifier certifier(program);
    Random random(seed, 8);
    const double zero = program.objective(Matrix::Zero(3, program.blocks()));
    for (const double nonsense : {kNan, HUGE_VAL, -HUGE_VAL, 1e308, -1e308, 1e-320, 0.0}) {
      Guess guess(program, random);
      double scale = 0;
      for (int i = 0; i < 5; ++i) guess.pick(random, scale) = nonsense;
      const double some = certifier.lower_bound(guess.dual);
      EXPECT_GE(some, 0) << nonsense;
      EXPECT_LE(some, zero) << nonsense;
      guess.dual.nu.setConstant(nonsense);
      guess.dual.mu.setConstant(nonsense);
      const double sample_fields = certifier.lower_bound(guess.dual);
      EXPECT_GE(sample_fields, 0) << nonsense;
      EXPECT_LE(sample_fields, zero) << nonsense;
      guess.dual.lambda.setConstant(nonsense);
      guess.dual.cell_attacks.setConstant(nonsense);
      guess.dual.block_attacks.setConstant(nonsense);
      const double all_fields = certifier.lower_bound(guess.dual);
      EXPECT_GE(all_fields, 0) << nonsense;
      EXPECT_LE(all_fields, zero) << nonsense;
    }
  }
}

// Repair leaves a point that is feasible in exact arithmetic, and the objective is not below its exact value.
TEST_P(EverySetting, RepairsEveryPointExactlyAndNeverFlattersIt) {
  for (std::uint64_t seed = 0; seed < problems::repetitions(54, 1000); ++seed) {
    const Program program = problems::random_program(GetParam(), 15, 4, 3, 0.01, seed);
    Matrix U = problems::random_feasible_blocks(program, std::pow(10.0, static_cast<double>(seed % 5) - 2), seed);
    Random random(seed, 9);
    const double noise = std::pow(10.0, -17.0 + static_cast<double>(seed % 18));
    U += noise * Matrix::NullaryExpr(U.rows(), U.cols(), [&] { return random.normal(); });
    const Matrix before = U;
    const Real slack = Exact(program, U).smallest_slack();
    const Certificate certificate = certify(program, U, Guess(program, random).dual);
    const Exact exact(program, U);
    EXPECT_GE(exact.smallest_slack(), 0) << "noise " << noise;
    EXPECT_GE(certificate.objective, exact.objective()) << "noise " << noise;
    EXPECT_LE(certificate.objective, exact.objective() * (1 + 1e-11L));
    EXPECT_NEAR(certificate.objective, program.objective(U), 1e-11 * certificate.objective);
    EXPECT_EQ(certificate.violation > 0, slack < 0 && certificate.violation > 0);
    if (slack < -1e-10) {
      EXPECT_GT(certificate.violation, 0);
    }
    if (slack > 1e-10) {
      EXPECT_EQ(U, before) << "a point that is well inside is left alone";
    }
  }
}

TEST_P(EverySetting, BarelyMovesAPointThatIsBarelyOutside) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Program program = problems::random_program(GetParam(), 15, 4, 3, 0.01, seed);
    Matrix U(4, program.blocks());
    Random random(seed, 10);
    for (Index j = 0; j < U.cols(); ++j) {
      // From the witness towards a random point until a kept pair fails, and a hair beyond.
      const Vector witness = program.witnesses().col(program.pattern_of(j));
      const Vector towards = Vector::NullaryExpr(4, [&] { return random.normal(); });
      double inside = 0;
      double outside = 1;
      for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (inside + outside);
        U.setZero();
        U.col(j) = witness + middle * towards;
        (Exact(program, U).smallest_slack() >= 0 ? inside : outside) = middle;
      }
      U.setZero();
      U.col(j) = witness + outside * (1 + 1e-9) * towards;
      const Matrix before = U;
      const bool violated = Exact(program, U).smallest_slack() < 0;
      const double violation = repair(program, U);
      EXPECT_EQ(violation > 0, violated);
      EXPECT_LT(violation, 1e-7);
      EXPECT_LT((U - before).norm(), 1e-5);
      EXPECT_GE(Exact(program, U).smallest_slack(), 0);
    }
  }
}

// On a wall the slack that doubles compute is 0 or more while the true one may be less: repair must not believe it.
TEST_P(EverySetting, LiftsPointsOnTheWallAboveRounding) {
  int deceived = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Program program = problems::random_program(GetParam(), 15, 4, 3, 0.01, seed);
    Random random(seed, 12);
    Matrix U(4, program.blocks());
    for (Index j = 0; j < U.cols(); ++j) {
      const Vector towards = Vector::NullaryExpr(4, [&] { return 3 * random.normal(); });
      const auto point = [&](double t) -> Vector { return program.witnesses().col(program.pattern_of(j)) + t * towards; };
      double inside = 0;
      double outside = 1;
      for (int i = 0; i < 80; ++i) {
        const double middle = 0.5 * (inside + outside);
        const Vector preactivations = program.X() * point(middle);
        const double attack = program.threat().worst_change(point(middle));
        bool holds = true;
        for (Index k = 0; k < program.samples(); ++k) {
          const double slack = (2 * program.activations()(k, program.pattern_of(j)) - 1) * preactivations(k) - attack;
          holds = holds && (program.pair(k, j) != Pair::kept || slack >= 0);
        }
        (holds ? inside : outside) = middle;
      }
      U.col(j) = point(inside);
    }
    if (Exact(program, U).smallest_slack() < 0) ++deceived;
    repair(program, U);
    EXPECT_GE(Exact(program, U).smallest_slack(), 0) << "seed " << seed;
    EXPECT_GT(U.norm(), 0);
  }
  const bool walls = GetParam().method == Method::cones || GetParam().method == Method::reduced;
  EXPECT_EQ(deceived > 0, walls) << "the test tests nothing";
}

// Blocks that all but cancel leave an output of which only a few digits are right, and next to no penalty to hide it.
TEST_P(EverySetting, DoesNotFlatterBlocksThatCancel) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Program program = problems::random_program(GetParam(), 15, 4, 3, 1e-18, seed);
    Random random(seed, 13);
    Matrix U = problems::random_feasible_blocks(program, 1.0, seed);
    for (Index i = 0; i < program.blocks() / 2; ++i) {
      const Vector common = 1e9 * random.uniform() * program.witnesses().col(program.pattern_of(2 * i));
      U.col(2 * i) += common;
      U.col(2 * i + 1) += common;
    }
    Random guess(seed, 14);
    const Certificate certificate = certify(program, U, Guess(program, guess).dual);
    const Real exact = Exact(program, U).objective();
    EXPECT_GE(certificate.objective, exact) << "seed " << seed;
    EXPECT_LE(certificate.objective, exact * 1.001L + 1e-4L) << "seed " << seed;
  }
}

TEST_P(EverySetting, ReplacesBlocksThatAreNotFiniteByZero) {
  const Program program = problems::random_program(GetParam(), 10, 3, 4, 0.01, 4);
  ASSERT_GE(program.blocks(), 4);
  Matrix U = problems::random_feasible_blocks(program, 1.0, 2);
  U(1, 2) = std::numeric_limits<double>::quiet_NaN();
  U(0, 3) = std::numeric_limits<double>::infinity();
  Random random(1);
  const Certificate certificate = certify(program, U, Guess(program, random).dual);
  EXPECT_TRUE(U.allFinite());
  EXPECT_EQ(U.rightCols(U.cols() - 2).leftCols(2).norm(), 0);
  EXPECT_NEAR(certificate.objective, program.objective(U), 1e-12 * certificate.objective);
}

// A threat that reaches nothing is no threat.
TEST_P(EverySetting, WithRadiiOfZeroIsStandardTraining) {
  const problems::Points points = problems::random_points(8, 3, true, make_loss(GetParam().loss)->is_margin_loss(), 1);
  const PatternSet patterns = make_patterns("gaussian", points.X).patterns;
  const auto make = [&](const Threat& threat) {
    return Program(points.X, points.y, Vector(), make_loss(GetParam().loss), 0.01, patterns, threat, GetParam().method);
  };
  const Program without = make({});
  const Program with = make({GetParam().norm, Vector::Zero(3)});
  EXPECT_FALSE(with.robust());
  Random random(2);
  const DualPoint dual = Guess(without, random).dual;
  Matrix U = problems::random_feasible_blocks(without, 1.0, 2);
  const Certificate one = certify(without, U, dual);
  const Certificate other = certify(with, U, dual);
  EXPECT_EQ(one.objective, other.objective);
  EXPECT_EQ(one.lower_bound, other.lower_bound);
}

TEST_P(EverySetting, DoesWithoutTheFieldsThatMayBeEmpty) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Solved solved(GetParam(), seed);
    DualPoint dual = solved.dual;
    dual.mu = Vector();
    EXPECT_LE(lower_bound(solved.program, dual), solved.certificate.objective);
    dual.cell_attacks = dual.block_attacks = Matrix();
    EXPECT_LE(lower_bound(solved.program, dual), solved.certificate.objective);
    if (GetParam().radius == 0 && GetParam().method == Method::cones) {
      EXPECT_EQ(lower_bound(solved.program, dual), solved.certificate.lower_bound);
    }
  }
}

TEST_P(EverySetting, ThrowsIfAFieldDoesNotFit) {
  const Program program = problems::random_program(GetParam(), 8, 3, 3, 0.1, 1);
  Random random(1);
  const DualPoint fitting = Guess(program, random).dual;
  EXPECT_NO_THROW(lower_bound(program, fitting));
  const auto throws = [&](auto&& change) {
    DualPoint dual = fitting;
    change(dual);
    EXPECT_THROW(lower_bound(program, dual), std::invalid_argument);
  };
  throws([](DualPoint& dual) { dual.nu = Vector::Ones(7); });
  throws([](DualPoint& dual) { dual.mu = Vector::Ones(7); });
  throws([](DualPoint& dual) { dual.lambda = Matrix::Ones(8, 1); });
  throws([](DualPoint& dual) { dual.cell_attacks = Matrix::Ones(2, 1); });
  throws([](DualPoint& dual) { dual.block_attacks = Matrix::Ones(2, 1); });
}

// No pattern, no network: f = 0 is all there is, and the slope of the loss at 0 proves that nothing is better.
TEST_P(EverySetting, IsTightIfThereAreNoBlocks) {
  const LossPointer loss = make_loss(GetParam().loss);
  const problems::Points points = problems::random_points(50, 3, true, loss->is_margin_loss(), 1);
  const Threat threat = Threat::uniform(GetParam().norm, GetParam().radius, 3, false);
  const Program program(points.X, points.y, Vector(), loss, 0.1, PatternSet(50), threat, GetParam().method);
  Matrix U(3, 0);
  DualPoint dual;
  dual.nu.resize(50);
  dual.lambda.resize(50, 0);
  for (Index k = 0; k < 50; ++k) {
    const double step = 1e-6;
    const double y = points.y(k);
    dual.nu(k) = program.loss_weights()(k) * (loss->value(step, y) - loss->value(-step, y)) / (2 * step);
  }
  const Certificate certificate = certify(program, U, dual);
  const double zero = program.loss_value(Vector::Zero(50));
  EXPECT_NEAR(certificate.objective, zero, 1e-14 * zero);
  EXPECT_NEAR(certificate.lower_bound, zero, 1e-9 * zero);  // the slopes are differences
  EXPECT_LE(certificate.lower_bound, certificate.objective);
}

// Reference optima of independent conic solvers lie above every bound and below every point.
TEST(RobustCases, LieBetweenTheCertificatesBounds) {
  const std::vector<problems::Case> cases = problems::robust_cases();
  if (cases.empty()) GTEST_SKIP() << "no shared cases";
  for (const problems::Case& reference : cases) {
    const Program program = problems::load_program(reference);
    const Loss& loss = program.loss();
    DualPoint dual;
    dual.lambda = Matrix::Zero(program.samples(), program.blocks());
    dual.nu.resize(program.samples());
    for (Index k = 0; k < program.samples(); ++k) {
      const double y = program.y()(k);
      dual.nu(k) = program.loss_weights()(k) * (loss.value(1e-6, y) - loss.value(-1e-6, y)) / 2e-6;
    }
    Matrix U = problems::random_feasible_blocks(program, 0.1, 1);
    const Certificate certificate = certify(program, U, dual);
    EXPECT_GE(certificate.objective, reference.proven_lower_bound) << reference.name;
    EXPECT_LE(certificate.lower_bound, reference.objective) << reference.name;
    if (program.blocks() == 0) {
      EXPECT_NEAR(certificate.objective, reference.objective, 1e-12);
      EXPECT_NEAR(certificate.lower_bound, reference.objective, 1e-12);
    }
  }
}

}  // namespace
}  // namespace conelu
