#include "conelu/program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "problems/problems.hpp"

namespace conelu {
namespace {

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

// f_k = sum_i d_ik x_k'(v_i - w_i), written out entry by entry.
TEST(Program, OutputsAreTheSumOverActivePatterns) {
  const Program program = problems::random_program("squared", 15, 4, 6, 0.1, 2);
  const Matrix U = problems::random_feasible_blocks(program, 1.0, 3);
  const Vector f = program.outputs(U);
  for (Index k = 0; k < program.samples(); ++k) {
    double sum = 0;
    for (Index i = 0; i < program.patterns(); ++i) {
      for (Index a = 0; a < program.dimension(); ++a) {
        sum += program.activations()(k, i) * program.X()(k, a) * (U(a, 2 * i) - U(a, 2 * i + 1));
      }
    }
    EXPECT_NEAR(f(k), sum, 1e-12);
  }
}

TEST(Program, HingeIsAveragedOverTheWeightsAndSquaredIsASum) {
  const problems::Points points = problems::random_points(4, 2, true, true, 1);
  const Vector weights = Eigen::Vector4d(1, 2, 3, 4);
  const PatternSet patterns = make_patterns("gaussian", points.X).patterns;
  const Program hinge(points.X, points.y, weights, make_loss("hinge"), 0.1, patterns);
  const Program squared(points.X, points.y, weights, make_loss("squared"), 0.1, patterns);
  EXPECT_NEAR(hinge.loss_value(Vector::Zero(4)), 1.0, 1e-15);
  EXPECT_NEAR(squared.loss_value(Vector::Zero(4)), 0.5 * 10, 1e-14);
}

// A pattern that no direction has (the three rows point 120 degrees apart, all active) carries nothing.
TEST(Program, DropsDeadPatternsAndCountsThem) {
  Matrix X(3, 2);
  X << 1, 0, -0.5, std::sqrt(0.75), -0.5, -std::sqrt(0.75);
  PatternSet patterns(3);
  patterns.add(Vector::Ones(3));             // zero cone
  patterns.add(Eigen::Vector3d(1, -1, -1));  // live
  patterns.add(-Vector::Ones(3));            // zero cone and active nowhere
  const Program program(X, Eigen::Vector3d(1, -1, 1), Vector(), make_loss("hinge"), 0.1, patterns);
  EXPECT_EQ(program.given_patterns(), 3);
  EXPECT_EQ(program.patterns(), 1);
  EXPECT_EQ(program.thin_patterns(), 0);
}

TEST(Program, CountsThinPatternsApart) {
  Matrix X(2, 2);
  X << 1, 0, -1, 0;
  PatternSet patterns(2);
  patterns.add(Vector::Ones(2));  // u orthogonal to both rows is all there is
  patterns.add(Eigen::Vector2d(1, -1));
  const Program program(X, Eigen::Vector2d(1, -1), Vector(), make_loss("hinge"), 0.1, patterns);
  EXPECT_EQ(program.patterns(), 1);
  EXPECT_EQ(program.thin_patterns(), 1);
}

TEST(Program, LeavesOutSamplesOfWeightZero) {
  const problems::Points points = problems::random_points(10, 3, true, true, 5);
  Vector weights = Vector::Ones(10);
  weights(3) = weights(7) = 0;
  const Program program(points.X, points.y, weights, make_loss("hinge"), 0.1,
                        make_patterns("gaussian", points.X).patterns);
  EXPECT_EQ(program.samples(), 8);
  EXPECT_EQ(program.X().row(3), points.X.row(4));
}

TEST(Program, NamesTheArgumentThatDoesNotFit) {
  const problems::Points points = problems::random_points(6, 2, true, true, 1);
  const PatternSet patterns = make_patterns("gaussian", points.X).patterns;
  const auto make = [&](const Matrix& X, const Vector& y, const Vector& weights, double beta, const PatternSet& set) {
    return error_of([&] { Program(X, y, weights, make_loss("hinge"), beta, set); });
  };
  EXPECT_EQ(make(points.X, points.y, Vector(), 0.1, patterns), "no error");
  for (const double beta : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_EQ(make(points.X, points.y, Vector(), beta, patterns).rfind("beta: is ", 0), 0U) << beta;
  }
  EXPECT_EQ(make(points.X, points.y.head(5), Vector(), 0.1, patterns),
            "y: has 5 entries, expected 6, one per row of X");
  EXPECT_EQ(make(points.X, Vector::Constant(6, 2.0), Vector(), 0.1, patterns),
            "y: entry 0 is 2, expected -1 or +1 for the hinge loss");
  EXPECT_EQ(make(points.X, points.y, Vector::Constant(6, -1.0), 0.1, patterns),
            "weights: entry 0 is -1, expected a finite number >= 0");
  EXPECT_EQ(make(points.X, points.y, Vector::Zero(6), 0.1, patterns),
            "weights: all are 0, expected at least one sample with a positive weight");
  EXPECT_EQ(make(points.X, points.y, Vector(), 0.1, PatternSet(5)), "no error") << "no patterns at all fit any X";
  PatternSet five(5);
  five.add(Vector::Ones(5));
  EXPECT_EQ(make(points.X, points.y, Vector(), 0.1, five), "patterns: are for 5 samples, expected 6, one per row of X");
  EXPECT_EQ(make(points.X * 1e-170, points.y, Vector(), 0.1, patterns).rfind("X: row 0 has length ", 0), 0U)
      << "squares would underflow and bounds with them";
  EXPECT_EQ(make(points.X, points.y, Vector(), 1e-300, patterns),
            "beta: is 1e-300, expected a number from 1e-60 to 1e+60");
  Matrix X = points.X;
  X(4, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(make(X, points.y, Vector(), 0.1, patterns), "X: entry (4, 1) is nan, expected a finite number");
  EXPECT_EQ(make(Matrix(0, 2), Vector(), Vector(), 0.1, PatternSet(0)), "X: has no rows, expected at least one sample");
}

TEST(Program, NamesWhatIsWrongWithAThreat) {
  const problems::Points points = problems::random_points(6, 2, true, true, 1);
  const PatternSet patterns = make_patterns("gaussian", points.X).patterns;
  const auto make = [&](const Vector& radii) {
    return error_of([&] {
      Program(points.X, points.y, Vector(), make_loss("hinge"), 0.1, patterns, {Norm::two, radii});
    });
  };
  EXPECT_EQ(make(Eigen::Vector2d(0.1, 0)), "no error");
  EXPECT_EQ(make(Vector()), "no error");
  EXPECT_EQ(make(Vector::Ones(3)), "eps: has 3 radii, expected 2, one per column of X");
  for (const double radius : {-0.1, std::nan(""), HUGE_VAL, 1e-100, 1e100}) {
    EXPECT_EQ(make(Eigen::Vector2d(0.1, radius)).rfind("eps: the radius of column 1 is ", 0), 0U) << radius;
  }
  EXPECT_THROW(make_method("cone"), std::invalid_argument);
  for (const std::string& name : method_names()) EXPECT_EQ(to_string(make_method(name)), name);
}

class EveryProgram : public testing::TestWithParam<problems::Setting> {
 protected:
  Program make(std::uint64_t seed) const { return problems::random_program(GetParam(), 14, 3, 4, 0.1, seed); }
};
INSTANTIATE_TEST_SUITE_P(Registry, EveryProgram, testing::ValuesIn(problems::every_setting()),
                         [](const auto& test) { return test.param.name(); });

// The definition of `Pair`, case by case.
TEST_P(EveryProgram, KeepsFreesAndLeavesOutThePairsThatItsMethodSays) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Program program = make(seed);
    for (Index j = 0; j < program.blocks(); ++j) {
      for (Index k = 0; k < program.samples(); ++k) {
        const bool active = program.activations()(k, program.pattern_of(j)) > 0;
        const bool helps = program.loss().is_margin_loss() && program.y()(k) == (j % 2 == 0 ? 1 : -1);
        Pair expected = Pair::kept;
        if (program.method() == Method::reduced) expected = helps ? Pair::none : active ? Pair::kept : Pair::freed;
        if (program.unconstrained()) expected = helps ? Pair::none : Pair::freed;
        EXPECT_EQ(program.pair(k, j), expected);
      }
    }
  }
}

TEST_P(EveryProgram, HasWitnessesThatKeepEveryKeptPairStrictly) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Program program = make(seed);
    ASSERT_GT(program.patterns(), 0) << "seed " << seed;
    for (Index j = 0; j < program.blocks(); ++j) {
      const Vector u = program.witnesses().col(program.pattern_of(j));
      EXPECT_NEAR(u.norm(), 1, 1e-14);
      for (Index k = 0; k < program.samples(); ++k) {
        const double sign = 2 * program.activations()(k, program.pattern_of(j)) - 1;
        if (program.pair(k, j) != Pair::kept) continue;
        EXPECT_GT(sign * program.X().row(k).dot(u), program.threat().worst_change(u));
      }
    }
  }
}

// Samples of a cell are those that all patterns see alike; no two cells are the same.
TEST_P(EveryProgram, GathersSamplesInCells) {
  if (GetParam().method == Method::separate) {
    EXPECT_EQ(make(1).cells(), 1) << "no sample has an s";
    return;
  }
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Program program = make(seed);
    ASSERT_EQ(static_cast<Index>(program.cell_of().size()), program.samples());
    for (Index k = 0; k < program.samples(); ++k) {
      const Index c = program.cell_of()[static_cast<std::size_t>(k)];
      ASSERT_LT(c, program.cells());
      EXPECT_EQ(program.cell_activations().row(c), program.activations().row(k));
    }
    for (Index c = 0; c < program.cells(); ++c) {
      for (Index b = 0; b < c; ++b) EXPECT_NE(program.cell_activations().row(c), program.cell_activations().row(b));
    }
    const Matrix U = problems::random_feasible_blocks(program, 1.0, seed);
    const Matrix S = program.cell_weights(U);
    const Vector f = program.outputs(U);
    for (Index k = 0; k < program.samples(); ++k) {
      EXPECT_NEAR(program.X().row(k).dot(S.col(program.cell_of()[static_cast<std::size_t>(k)])), f(k), 1e-12);
    }
  }
}

// worst_k by its definition: every output between the ends, and the freed shares on the side that they push.
TEST_P(EveryProgram, HasTheObjectiveOfItsDefinition) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Program program = make(seed);
    const Matrix U = problems::random_feasible_blocks(program, 1.0, seed);
    double objective = 0;
    for (Index k = 0; k < program.samples(); ++k) {
      Vector s = Vector::Zero(program.dimension());
      double low = 0;
      double high = 0;
      for (Index j = 0; j < program.blocks(); ++j) {
        const double sigma = j % 2 == 0 ? 1 : -1;
        if (program.method() == Method::separate) {
          const double t = program.X().row(k).dot(U.col(j));
          const double attack = program.threat().worst_change(U.col(j));
          (j % 2 == 0 ? low : high) += sigma * program.activations()(k, j) * (t - attack);
          (j % 2 == 0 ? high : low) += sigma * std::max(0.0, t + attack);
          continue;
        }
        s += sigma * program.activations()(k, program.pattern_of(j)) * U.col(j);
        const double e = 2 * program.activations()(k, program.pattern_of(j)) - 1;
        const double reach = program.threat().worst_change(U.col(j)) - e * program.X().row(k).dot(U.col(j));
        if (program.pair(k, j) == Pair::freed && reach > 0) (j % 2 == 0 ? high : low) += sigma * reach;
      }
      low += program.X().row(k).dot(s) - program.threat().worst_change(s);
      high += program.X().row(k).dot(s) + program.threat().worst_change(s);
      double worst = 0;
      for (int i = 0; i <= 10; ++i) {
        worst = std::max(worst, program.loss().value(low + (high - low) * i / 10, program.y()(k)));
      }
      objective += program.loss_weights()(k) * worst;
    }
    objective += program.beta() * U.colwise().norm().sum();
    EXPECT_NEAR(program.objective(U), objective, 1e-12 * objective);
  }
}
TEST_P(EveryProgram, OfSelectedPatternsIsTheProgramMadeOfThem) {
  const Program whole = problems::random_program(GetParam(), 14, 3, 6, 0.1, 3);
  if (whole.unconstrained()) {
    EXPECT_THROW(whole.select_patterns({0}), std::invalid_argument);
    return;
  }
  ASSERT_GE(whole.patterns(), 3);
  EXPECT_THROW(whole.select_patterns({0, whole.patterns()}), std::invalid_argument);
  const std::vector<Index> chosen = {2, 0};
  PatternSet patterns(whole.samples());
  for (const Index i : chosen) patterns.add(2 * whole.activations().col(i).array() - 1, whole.witnesses().col(i));
  const Program made(whole.X(), whole.y(), Vector(), make_loss(GetParam().loss), 0.1, patterns, whole.threat(),
                     whole.method());
  const Program selected = whole.select_patterns(chosen);
  EXPECT_EQ(selected.patterns(), 2);
  EXPECT_EQ(selected.activations(), made.activations());
  EXPECT_EQ(selected.cell_of(), made.cell_of());
  EXPECT_EQ(selected.cell_activations(), made.cell_activations());
  EXPECT_FALSE(selected.exact());
  const Matrix U = problems::random_feasible_blocks(selected, 1.0, 5);
  EXPECT_EQ(selected.objective(U), made.objective(U));
  // With zeros for the others it is a point of the whole program.
  Matrix padded = Matrix::Zero(whole.dimension(), whole.blocks());
  for (Index i = 0; i < 2; ++i) {
    padded.middleCols(2 * chosen[static_cast<std::size_t>(i)], 2) = U.middleCols(2 * i, 2);
  }
  EXPECT_NEAR(whole.objective(padded), selected.objective(U), 1e-12 * selected.objective(U));
}

TEST_P(EveryProgram, IsConvex) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Program program = make(seed);
    const Matrix U = problems::random_feasible_blocks(program, 2.0, seed);
    const Matrix V = problems::random_feasible_blocks(program, 2.0, seed + 100);
    EXPECT_LE(program.objective(0.5 * (U + V)), 0.5 * (program.objective(U) + program.objective(V)) * (1 + 1e-13));
  }
}

// What `reduced` and `hybrid` drop bought nothing: every point of the cones is a point of theirs, at the same price.
TEST_P(EveryProgram, ReducedAndHybridHaveEveryPointOfTheConesAtNoHigherPrice) {
  if (GetParam().method != Method::cones) return;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Program cones = make(seed);
    PatternSet patterns(cones.samples());
    for (Index i = 0; i < cones.patterns(); ++i) {
      patterns.add(2 * cones.activations().col(i).array() - 1, cones.witnesses().col(i));
    }
    const Program reduced(cones.X(), cones.y(), Vector(), make_loss(GetParam().loss), 0.1, patterns, cones.threat(),
                          Method::reduced);
    const Program hybrid(cones.X(), cones.y(), Vector(), make_loss(GetParam().loss), 0.1, patterns, cones.threat(),
                         Method::hybrid);
    ASSERT_EQ(reduced.blocks(), cones.blocks());
    ASSERT_EQ(hybrid.blocks(), cones.blocks());
    for (std::uint64_t trial = 0; trial < 5; ++trial) {
      const Matrix U = problems::random_feasible_blocks(cones, 1.0, 10 * seed + trial);
      EXPECT_LE(reduced.objective(U), cones.objective(U) * (1 + 1e-13));
      EXPECT_LE(hybrid.objective(U), cones.objective(U) * (1 + 1e-13));
      const Matrix V = problems::random_feasible_blocks(reduced, 1.0, 10 * seed + trial);
      EXPECT_LE(hybrid.objective(V), reduced.objective(V) * (1 + 1e-13));
    }
  }
}

// One attack for all neurons can do no more than one for each.
TEST_P(EveryProgram, GatedIsNeverAboveSeparateWithTheSameGates) {
  if (GetParam().method != Method::gated || !make_loss(GetParam().loss)->is_margin_loss()) return;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Program gated = make(seed);
    const Program separate(gated.X(), gated.y(), Vector(), make_loss(GetParam().loss), 0.1, gated.activations(),
                           gated.threat(), Method::separate);
    const Matrix U = problems::random_feasible_blocks(gated, 1.0, seed);
    EXPECT_LE(gated.objective(U), separate.objective(U) * (1 + 1e-13));
  }
}

TEST_P(EveryProgram, ClaimsToBeExactOnlyForStandardConesWithAllPatterns) {
  const LossPointer loss = make_loss(GetParam().loss);
  const problems::Points points = problems::random_points(8, 3, true, loss->is_margin_loss(), 1);
  const Threat threat = Threat::uniform(GetParam().norm, GetParam().radius, 2, true);
  const Program program(points.X, points.y, Vector(), loss, 0.1, make_patterns("all", points.X).patterns, threat,
                        GetParam().method);
  EXPECT_EQ(program.exact(), GetParam().radius == 0 && GetParam().method == Method::cones);
}

}  // namespace
}  // namespace conelu
