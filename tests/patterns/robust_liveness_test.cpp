#include <gtest/gtest.h>

#include <numbers>

#include "conelu/liveness.hpp"
#include "conelu/patterns.hpp"
#include "data/temporary_files.hpp"
#include "patterns/samples.hpp"

// The cone {u : e_k x_k'u >= |eps o u|_q for all k}. Either e_k x_k'u > |eps o u|_q for some u and all k, or some y >=
// 0, not 0, has |delta / eps|_p <= sum y for delta = sum_k y_k e_k x_k, and delta = 0 where eps = 0; never both.
namespace conelu {
namespace {

using test::normal_samples;
using test::plane_samples;
using test::random_threat;
using test::robust_margin;
using test::signs_of;

/// The verdict, after its proof has been checked.
Liveness checked_liveness(const Matrix& X, const Vector& signs, const Threat& threat) {
  const LivenessVerdict verdict = decide_liveness(X, signs, threat);
  if (verdict.liveness == Liveness::live) {
    EXPECT_EQ(verdict.multipliers.size(), 0);
    EXPECT_NEAR(verdict.witness.norm(), 1.0, 1e-12);
    EXPECT_GT(robust_margin(X, signs, verdict.witness, threat), 0);
    return verdict.liveness;
  }
  EXPECT_EQ(verdict.witness.size(), 0);
  const Vector& y = verdict.multipliers;
  EXPECT_GE(y.minCoeff(), 0);
  const double size = y.dot(X.rowwise().norm());
  EXPECT_NEAR(size > 0 ? size : y.sum(), 1.0, 1e-12);
  Vector delta = X.transpose() * signs.cwiseProduct(y);
  const Vector sums = X.cwiseAbs().transpose() * y;
  for (Index a = 0; a < X.cols(); ++a) {
    if (threat.radii(a) > 0) continue;
    EXPECT_LE(std::abs(delta(a)), 1e-10 * sums.maxCoeff());
    delta(a) = 0;
  }
  // A cone called zero is so beyond rounding.
  EXPECT_LE(threat.size(delta), y.sum() * (verdict.liveness == Liveness::zero ? 1.0 : 1 + 1e-9));
  return verdict.liveness;
}

Vector random_signs(const Matrix& X, Random& random) {
  const Vector u = Vector::NullaryExpr(X.cols(), [&] { return random.normal(); });
  return (X * u).unaryExpr([](double x) { return x >= 0 ? 1.0 : -1.0; });
}

class LivenessInEveryNorm : public testing::TestWithParam<Norm> {};

/// Rows that `u` keeps at least `distance` times the attacker's reach away from.
Matrix rows_away_from(const Matrix& X, const Vector& u, const Threat& threat, double distance) {
  std::vector<Index> rows;
  for (Index k = 0; k < X.rows(); ++k) {
    if (std::abs(X.row(k).dot(u)) > distance * threat.worst_change(u)) rows.push_back(k);
  }
  return X(rows, Eigen::all);
}

// A cone of the plane is seen from a circle of directions.
TEST_P(LivenessInEveryNorm, AgreesWithEveryAngleOfThePlane) {
  Random random(1);
  constexpr int kAngles = 3600;
  int live = 0, dead = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Matrix X = normal_samples(2 + random.below(5), 2, 100 + static_cast<std::uint64_t>(trial));
    const Threat threat = random_threat(GetParam(), 2, 0.02 + 0.6 * random.uniform(), trial % 3, random);
    const Vector signs = random_signs(X, random);
    double best = -1;
    for (int i = 0; i < kAngles; ++i) {
      const double angle = 2 * std::numbers::pi * i / kAngles;
      best = std::max(best, robust_margin(X, signs, Vector{{std::cos(angle), std::sin(angle)}}, threat));
    }
    const Liveness liveness = checked_liveness(X, signs, threat);
    // Between two angles of the grid the margin changes by little.
    const double coarse = 2 * std::numbers::pi / kAngles * (X.rowwise().norm().maxCoeff() + threat.radii.sum());
    if (best > 0) {
      EXPECT_EQ(liveness, Liveness::live) << trial;
    }
    if (best < -coarse) {
      EXPECT_EQ(liveness, Liveness::zero) << trial;
    }
    live += best > 0;
    dead += best < -coarse;
  }
  EXPECT_GT(live, 30);
  EXPECT_GT(dead, 30);
}

TEST_P(LivenessInEveryNorm, AgreesWithAGridOnTheSphere) {
  Random random(2);
  constexpr int kRings = 60;
  int live = 0, dead = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Matrix X = normal_samples(3 + random.below(6), 3, 500 + static_cast<std::uint64_t>(trial));
    if (trial % 2 == 0) X.col(2).setOnes();
    const Threat threat = random_threat(GetParam(), 3, 0.02 + 0.6 * random.uniform(), trial % 3, random);
    const Vector signs = random_signs(X, random);
    double best = -1;
    for (int i = 0; i <= kRings; ++i) {
      const double height = std::cos(std::numbers::pi * i / kRings);
      const double radius = std::sin(std::numbers::pi * i / kRings);
      for (int j = 0; j < 2 * kRings; ++j) {
        const double angle = std::numbers::pi * j / kRings;
        const Vector u{{radius * std::cos(angle), radius * std::sin(angle), height}};
        best = std::max(best, robust_margin(X, signs, u, threat));
      }
    }
    const Liveness liveness = checked_liveness(X, signs, threat);
    const double coarse = std::numbers::pi / kRings * (X.rowwise().norm().maxCoeff() + threat.radii.sum());
    if (best > 0) {
      EXPECT_EQ(liveness, Liveness::live) << trial;
    }
    if (best < -coarse) {
      EXPECT_NE(liveness, Liveness::live) << trial;
    }
    live += best > 0;
    dead += liveness != Liveness::live;
  }
  EXPECT_GT(live, 5);
  EXPECT_GT(dead, 5);
}

// Units of the columns, lengths of the rows, grids and duplicates, radii of 0: each verdict must come with its proof.
TEST_P(LivenessInEveryNorm, ProvesWhatItSays) {
  Random random(3);
  std::array<int, 3> counts = {};
  for (int trial = 0; trial < 1500; ++trial) {
    const Index d = 1 + random.below(trial % 10 == 0 ? 25 : 6);
    Matrix X = normal_samples(1 + random.below(trial % 7 == 0 ? 150 : 30), d, static_cast<std::uint64_t>(trial));
    if (trial % 3 == 0) X = X.array().round();
    if (trial % 2 == 0) X.col(d - 1).setOnes();
    const double size = std::pow(10.0, -3 * random.uniform());
    Threat threat = random_threat(GetParam(), d, size, random.below(3), random);
    if (trial % 4 == 0) threat.radii(d - 1) = 0;
    for (Index a = 0; a < d && trial % 5 == 0; ++a) {
      const double unit = std::pow(10.0, 8 * random.uniform() - 4);
      X.col(a) *= unit;
      threat.radii(a) *= unit;
    }
    if (!threat.active()) continue;
    if (random.below(2) == 0) {
      const Vector u = Vector::NullaryExpr(d, [&] {
                         return random.normal();
                       }).cwiseQuotient((X.cwiseAbs().colwise().maxCoeff().transpose().array() + 1e-9).matrix());
      X = rows_away_from(X, u, threat, 0.7 + 0.6 * random.uniform());
      if (X.rows() == 0) continue;
      const Vector signs = (X * u).unaryExpr([](double x) { return x >= 0 ? 1.0 : -1.0; });
      ++counts[static_cast<std::size_t>(checked_liveness(X, signs, threat))];
    } else {
      const Liveness liveness = checked_liveness(X, random_signs(X, random), threat);
      // No column is free: then there is no such thing as thin, but for an accident.
      if (threat.radii.minCoeff() > 0) {
        EXPECT_NE(liveness, Liveness::thin) << trial;
      }
      ++counts[static_cast<std::size_t>(liveness)];
    }
  }
  EXPECT_GT(counts[0], 100);
  EXPECT_GT(counts[1], 100);
  EXPECT_GT(counts[2], 0);
}

// Two samples on different sides of a threshold die when the balls around them touch: radius |x - x'|_p / 2.
TEST_P(LivenessInEveryNorm, TellsTheRadiusAtWhichTwoBallsTouch) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Matrix X = normal_samples(2, 5, seed);
    X.col(4).setOnes();
    Threat threat = Threat::uniform(GetParam(), 1, 4, true);
    Vector difference = X.row(0) - X.row(1);
    const double touching = threat.size(difference) / 2;
    const Vector signs{{1.0, -1.0}};
    threat.radii.head(4).setConstant(touching * (1 - 1e-9));
    EXPECT_EQ(checked_liveness(X, signs, threat), Liveness::live);
    threat.radii.head(4).setConstant(touching * (1 + 1e-9));
    EXPECT_EQ(checked_liveness(X, signs, threat), Liveness::zero);
  }
}

// (1, 0) and (-1, 0) with radius 1: only u = (c, 0), c >= 0, with threshold 0 is left, and it has no room.
TEST_P(LivenessInEveryNorm, IsThinWhenTheBallsJustTouch) {
  Matrix X(2, 3);
  X << 1, 0, 1, -1, 0, 1;
  EXPECT_EQ(checked_liveness(X, Vector{{1.0, -1.0}}, Threat::uniform(GetParam(), 1, 2, true)), Liveness::thin);
}

// Hulls of more than two samples: the distance is found by bisection, and right beside it there is no doubt left.
TEST_P(LivenessInEveryNorm, ChangesItsMindOnceAsTheRadiusGrows) {
  Random random(4);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Matrix X = seed % 2 == 0 ? plane_samples(12, seed) : normal_samples(12 + random.below(8), 4, seed);
    const Vector signs = random_signs(X, random);
    Threat shape = random_threat(GetParam(), X.cols(), 1, static_cast<Index>(seed % 3), random);
    shape.radii(0) = 1;
    const auto at = [&](double size) { return checked_liveness(X, signs, Threat{shape.norm, size * shape.radii}); };
    double live = 1e-9, dead = 1e3;
    if (at(live) != Liveness::live || at(dead) == Liveness::live) continue;  // by a free column alone, or by nothing
    while (dead / live > 1 + 1e-8) {
      const double middle = std::sqrt(live * dead);
      (at(middle) == Liveness::live ? live : dead) = middle;
    }
    for (const double factor : {1e-6, 1e-4, 0.01, 0.1, 0.5}) {
      EXPECT_EQ(at(live * (1 - factor)), Liveness::live);
      EXPECT_NE(at(dead * (1 + factor)), Liveness::live);
    }
    if (shape.radii.minCoeff() > 0) {
      EXPECT_EQ(at(dead * (1 + 1e-6)), Liveness::zero) << seed;
    }
  }
}

TEST_P(LivenessInEveryNorm, DoesNotDependOnOrderOrUnits) {
  Random random(5);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Matrix X = seed % 2 == 0 ? plane_samples(15, seed) : normal_samples(15, 4, seed);
    const Index d = X.cols();
    const Threat threat = random_threat(GetParam(), d, 0.1, static_cast<Index>(seed % 3), random);
    const Vector signs = random_signs(X, random);
    const Liveness liveness = checked_liveness(X, signs, threat);
    EXPECT_EQ(checked_liveness(X.colwise().reverse(), signs.reverse(), threat), liveness);
    EXPECT_EQ(checked_liveness(X.rowwise().reverse(), signs, {threat.norm, threat.radii.reverse()}), liveness);
    EXPECT_EQ(checked_liveness(-X, -signs, threat), liveness);
    const Vector units = Vector::NullaryExpr(d, [&] { return std::pow(10.0, 12 * random.uniform() - 6); });
    EXPECT_EQ(checked_liveness(X * units.asDiagonal(), signs, {threat.norm, threat.radii.cwiseProduct(units)}),
              liveness);
  }
}

// A bias that nobody can perturb is on the same side of everything, whatever the radius; one that is, up to its size.
TEST_P(LivenessInEveryNorm, OfTheAllActivePatternDependsOnTheBias) {
  const Matrix X = plane_samples(30, 7);
  EXPECT_EQ(checked_liveness(X, Vector::Ones(30), Threat::uniform(GetParam(), 1e6, 2, true)), Liveness::live);
  EXPECT_EQ(checked_liveness(X, Vector::Ones(30), Threat::uniform(GetParam(), 0.9, 3, false)), Liveness::live);
  EXPECT_EQ(checked_liveness(X, Vector::Ones(30), Threat::uniform(GetParam(), 1e6, 3, false)), Liveness::zero);
}

// An attacker moves a sample at the origin wherever he likes: u must vanish where he can, and the free column is left.
TEST_P(LivenessInEveryNorm, OfZeroRowsIsThinOrZero) {
  Matrix X(2, 2);
  X << 0, 0, 1, 1;
  EXPECT_EQ(checked_liveness(X, Vector::Ones(2), Threat::uniform(GetParam(), 0.1, 2, false)), Liveness::zero);
  EXPECT_EQ(checked_liveness(X, Vector::Ones(2), Threat::uniform(GetParam(), 0.1, 1, true)), Liveness::thin);
  EXPECT_EQ(checked_liveness(Matrix::Zero(3, 2), Vector::Ones(3), Threat::uniform(GetParam(), 0.1, 2, false)),
            Liveness::zero);
  EXPECT_EQ(decide_liveness(Matrix(0, 2), Vector(0), Threat::uniform(GetParam(), 0.1, 2, false)).liveness,
            Liveness::live);
}

// The radius of one of the features is so small that the others hardly count beside it.
TEST_P(LivenessInEveryNorm, CopesWithRadiiOfVeryDifferentSizes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix X = normal_samples(20, 4, seed);
    const Threat threat{GetParam(), Vector{{1e-9, 0.05, 1e-4, 0.05}}};
    const Vector u{{1.0, 0.3, -0.2, 0.1}};
    const Matrix away = rows_away_from(X, u, threat, 1.01);
    const Vector signs = (away * u).cwiseSign();
    EXPECT_EQ(checked_liveness(away, signs, threat), Liveness::live);
    checked_liveness(away, signs, {GetParam(), 1e3 * threat.radii});
  }
}

// A direction found on the way to the verdict need not be good; the one returned should not hug a wall.
TEST_P(LivenessInEveryNorm, GivesWitnessesAwayFromTheWalls) {
  const Matrix X = normal_samples(60, 5, 8);
  const Threat threat = Threat::uniform(GetParam(), 0.02, 5, false);
  Random random(9);
  int tried = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Vector u = Vector::NullaryExpr(5, [&] { return random.normal(); });
    const Matrix away = rows_away_from(X, u, threat, 1.5);
    const Vector signs = (away * u).cwiseSign();
    const LivenessVerdict verdict = decide_liveness(away, signs, threat);
    ASSERT_EQ(verdict.liveness, Liveness::live);
    const double margin = robust_margin(away, signs, verdict.witness, threat) / threat.worst_change(verdict.witness);
    EXPECT_GT(margin, 0.05) << "of at least 0.5 that is possible";
    ++tried;
  }
  EXPECT_EQ(tried, 40);
}

INSTANTIATE_TEST_SUITE_P(Norms, LivenessInEveryNorm, testing::Values(Norm::infinity, Norm::two, Norm::one),
                         [](const auto& norm) { return "p" + std::string(to_string(norm.param)); });

TEST(RobustLiveness, IsThePlainOneForRadiiOfZero) {
  const Matrix X = plane_samples(30, 3);
  Random random(6);
  for (int trial = 0; trial < 50; ++trial) {
    Vector signs = random_signs(X, random);
    if (trial % 2 == 0) signs(random.below(30)) *= -1;
    const LivenessVerdict plain = decide_liveness(X, signs);
    const LivenessVerdict robust = decide_liveness(X, signs, Threat::uniform(Norm::two, 0, 3, false));
    EXPECT_EQ(plain.liveness, robust.liveness);
    EXPECT_EQ(plain.witness, robust.witness);
    EXPECT_EQ(plain.multipliers, robust.multipliers);
  }
}

TEST(RobustLiveness, RefusesRadiiThatDoNotFit) {
  expect_refusal([] { decide_liveness(Matrix::Ones(3, 2), Vector::Ones(3), Threat::uniform(Norm::two, 1, 3, false)); },
                 {"eps", "3 radii", "expected 2"});
}

struct ReferenceCase {
  const char* name;
  double eps;
  Index live;
};

// The counts are proven either way, see checked_liveness; an independent LP solver agrees.
TEST(RobustLiveness, OfTheReferenceCases) {
  if (!test::has_reference_cases()) GTEST_SKIP() << "no reference cases at " << CONELU_SHARED_DIR;
  for (const ReferenceCase& reference : {ReferenceCase{"mammographic_adv_hinge_P120_trivial", 0.12, 0},
                                         {"mammographic_adv_hinge_P120", 0.12, 2},
                                         {"cifar_adv_hinge_P36", 10, 9}}) {
    const Matrix X = test::reference_data(reference.name).X;
    const PatternSet patterns = make_patterns(test::reference_case(reference.name) + ".patterns.npy", X).patterns;
    const Threat threat = Threat::uniform(Norm::infinity, reference.eps, X.cols(), false);
    Index live = 0;
    for (Index i = 0; i < patterns.count(); ++i) {
      live += checked_liveness(X, signs_of(patterns, i), threat) == Liveness::live;
    }
    EXPECT_EQ(live, reference.live) << reference.name;
    const PatternSet kept = live_patterns(X, patterns, threat);
    EXPECT_EQ(kept.count(), live);
    for (Index i = 0; i < kept.count(); ++i) {
      EXPECT_TRUE(patterns.contains(kept.words(i)));
      EXPECT_GT(robust_margin(X, signs_of(kept, i), kept.witness(i), threat), 0);
    }
  }
}

TEST(LivePatterns, RefusePatternsOfOtherSamples) {
  expect_refusal([] { live_patterns(Matrix::Ones(3, 2), PatternSet(4)); }, {"patterns", "4 samples", "expected 3"});
}

}  // namespace
}  // namespace conelu
