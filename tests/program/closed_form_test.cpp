#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "conelu/certificate.hpp"
#include "linalg/random.hpp"
#include "problems/problems.hpp"
#include "program/exact.hpp"

namespace conelu {
namespace {

/// min over the ball of |x - delta|_2: how far the attacker can push x towards 0, with the point he gets to.
double distance_left(const Threat& threat, const Vector& x, Vector& left) {
  const Vector& eps = threat.radii;
  const auto delta_at = [&](double tau) -> Vector {
    if (threat.norm == Norm::infinity) return x.cwiseMin(eps).cwiseMax(-eps);
    Vector delta = Vector::Zero(x.size());
    for (Index a = 0; a < x.size(); ++a) {
      if (eps(a) == 0) continue;
      delta(a) = threat.norm == Norm::two ? x(a) * eps(a) * eps(a) / (eps(a) * eps(a) + tau)
                                          : std::copysign(std::max(0.0, std::abs(x(a)) - tau / eps(a)), x(a));
    }
    return delta;
  };
  double low = 0;
  double high = 1e3;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (threat.size(delta_at(middle)) > 1 ? low : high) = middle;
  }
  left = x - delta_at(high);
  return left.norm();
}

class EveryNormCertificate : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryNormCertificate, testing::ValuesIn(norm_names()),
                         [](const auto& test) { return "l" + test.param; });

// One sample, one active pattern. With m = min |x - delta| the best unit v has x'v - |eps o v|_q = m, along x - delta:
//     hinge    min_t (1 - t m)_+ + beta t = beta / m                        (beta < m, y = 1)
//     squared  min_t (y - t m)^2 / 2 + beta t = beta y / m - (beta / m)^2 / 2
// the latter while x'v <= y. Dual: nu = -beta / m, mu = beta / m, the attack mu delta.
TEST_P(EveryNormCertificate, IsTightForOneSample) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed, 11);
    const Index d = 4;
    Matrix X = Matrix::NullaryExpr(1, d, [&] { return random.normal(); });
    X(0, 0) = 2;
    const Threat threat = problems::random_threat(make_norm(GetParam()), 0.3, d, seed);
    Vector left;
    const double m = distance_left(threat, X.row(0).transpose(), left);
    PatternSet patterns(1);
    patterns.add(Vector::Ones(1), left);
    for (const std::string& method : method_names()) {
      for (const std::string& loss : {std::string("hinge"), std::string("squared")}) {
        const double beta = loss == "hinge" ? 0.3 * m : 0.9 * m;
        const Program program(X, Vector::Ones(1), Vector(), make_loss(loss), beta, patterns, threat,
                              make_method(method));
        ASSERT_EQ(program.blocks(), 2);
        const double t = loss == "hinge" ? 1 / m : (1 - beta / m) / m;
        const double optimum = loss == "hinge" ? beta / m : beta / m - 0.5 * beta * beta / (m * m);
        Matrix U = Matrix::Zero(d, 2);
        U.col(0) = t * left / m;
        DualPoint dual;
        dual.nu = Vector::Constant(1, -beta / m);
        dual.mu = Vector::Constant(1, beta / m);
        dual.lambda = Matrix::Zero(1, 2);
        dual.cell_attacks = beta / m * (X.row(0).transpose() - left);
        if (program.separate()) {
          dual.block_attacks = Matrix::Zero(d, 2);
          dual.block_attacks.col(0) = dual.cell_attacks;
          dual.cell_attacks = Matrix();
        }
        const Certificate certificate = certify(program, U, dual);
        EXPECT_LE(certificate.violation, 1e-14);
        EXPECT_NEAR(certificate.objective, optimum, 1e-12) << loss << " " << method;
        EXPECT_NEAR(certificate.lower_bound, optimum, 1e-12) << loss << " " << method;
      }
    }
  }
}

// One sample in one dimension, squared loss, small beta: the attacker holds f at the kink f = y, where r = eps y / x
// and one signed weight proves nothing. Optimum r^2 / 2 + beta y / x; dual mu = r, nu = -(beta + eps mu) / x.
TEST_P(EveryNormCertificate, UsesBothSidesOfAResidual) {
  const double x = 2;
  const double y = 3;
  const double eps = 0.5;
  const double beta = 0.1;
  PatternSet patterns(1);
  patterns.add(Vector::Ones(1), Vector::Ones(1));
  const Threat threat = Threat::uniform(make_norm(GetParam()), eps, 1, false);
  const Program program(Matrix::Constant(1, 1, x), Vector::Constant(1, y), Vector(), make_loss("squared"), beta,
                        patterns, threat);
  Matrix U(1, 2);
  U << y / x, 0;
  const double mu = eps * y / x;
  const double optimum = 0.5 * mu * mu + beta * y / x;
  DualPoint dual;
  dual.nu = Vector::Constant(1, -(beta + eps * mu) / x);
  dual.mu = Vector::Constant(1, mu);
  dual.lambda = Matrix::Zero(1, 2);
  dual.cell_attacks = Matrix::Constant(1, 1, eps * mu);
  const Certificate certificate = certify(program, U, dual);
  EXPECT_NEAR(certificate.objective, optimum, 1e-13);
  EXPECT_NEAR(certificate.lower_bound, optimum, 1e-13);
  dual.mu = Vector();
  EXPECT_LT(lower_bound(program, dual), 0.99 * optimum) << "one signed weight is not enough here";
}

// Two samples in one dimension, `reduced`: x = 1, y = +1 active, x = c, y = -1 inactive, so v pays (c + eps) v at the
// second. With a = ((c + eps) / 2 + beta) / (1 - eps) < 1/2 the optimum is a + 1/2, at v = 1 / (1 - eps).
TEST_P(EveryNormCertificate, ChargesFreedPairsTheirShare) {
  const double eps = 0.2;
  const double c = 0.1;
  const double beta = 0.05;
  PatternSet patterns(2);
  patterns.add(Eigen::Vector2d(1, -1), Vector::Ones(1));
  const Threat threat = Threat::uniform(make_norm(GetParam()), eps, 1, false);
  const Program program((Matrix(2, 1) << 1, c).finished(), Eigen::Vector2d(1, -1), Vector(), make_loss("hinge"), beta,
                        patterns, threat, Method::reduced);
  ASSERT_EQ(program.blocks(), 2);
  ASSERT_EQ(program.pair(1, 0), Pair::freed);
  const double a = (0.5 * (c + eps) + beta) / (1 - eps);
  Matrix U(1, 2);
  U << 1 / (1 - eps), 0;
  DualPoint dual;
  dual.nu = Eigen::Vector2d(-a, 0.5);
  dual.lambda = (Matrix(2, 2) << 0, a, 0.5, 0).finished();
  dual.cell_attacks = (Matrix(1, 2) << eps * a, 0).finished();
  dual.block_attacks = (Matrix(1, 2) << 0.5 * eps, a * eps).finished();
  const Certificate certificate = certify(program, U, dual);
  EXPECT_NEAR(certificate.objective, a + 0.5, 1e-13);
  EXPECT_NEAR(certificate.lower_bound, a + 0.5, 1e-13);
  dual.lambda(1, 0) = 5;  // what the share may not charge
  dual.block_attacks(0, 0) = 5 * eps;
  EXPECT_NEAR(lower_bound(program, dual), a + 0.5, 1e-13);
}

// A kept row that binds. One sample x = (1, 0), y = -1 (hinge, w would be best without the row), in two dimensions with
// eps = (0, e): active, w = t (1, 0) costs nothing of the attacker; an inactive second sample (b, 1) asks for
// -(b, 1)'w >= e |w_2|. Along w = t (1, s): -(b + s) >= e |s|, so s <= -b / (1 - e) for b > 0.
//     min_t (1 - t (1 - 0))_+ / 2 + 1/2 + beta t sqrt(1 + s^2) = 1/2 + beta sqrt(1 + s^2)   at t = 1
TEST_P(EveryNormCertificate, IsTightWhereAConeBinds) {
  const double e = 0.25;
  const double b = 0.5;
  const double beta = 0.1;
  const double s = -b / (1 - e);
  PatternSet patterns(2);
  patterns.add(Eigen::Vector2d(1, -1), Eigen::Vector2d(1, -2));
  const Threat threat{make_norm(GetParam()), Eigen::Vector2d(0, e)};
  // The first sample sees |eps o s| = e |s| t: its margin is t (1 - e |s|), and t = 1 / (1 - e |s|).
  const Program program((Matrix(2, 2) << 1, 0, b, 1).finished(), Eigen::Vector2d(-1, 1), Vector(), make_loss("hinge"),
                        beta, patterns, threat);
  ASSERT_EQ(program.blocks(), 2);
  const double t = 1 / (1 - e * std::abs(s));
  Matrix U = Matrix::Zero(2, 2);
  U.col(1) = t * Eigen::Vector2d(1, s);
  const double optimum = 0.5 + beta * t * std::sqrt(1 + s * s);
  // Stationarity of w: -(nu_1 x_1 + a_1) - lambda e_2 x_2 + b_2 = -beta w / |w|, e_2 = -1, b_2 = lambda (0, -e),
  // a_1 = -nu_1 (0, -e) sgn: two equations for nu_1 and lambda.
  const Vector unit = U.col(1).normalized();
  // s_1 = -w has second entry > 0: the attack on it is a_1 = nu_1 (0, e).
  Matrix A(2, 2);
  A << -1, b, -e, 1 - e;
  const Vector z = A.inverse() * (-beta * unit);
  DualPoint dual;
  dual.nu = Eigen::Vector2d(z(0), -0.5);
  dual.lambda = Matrix::Zero(2, 2);
  dual.lambda(1, 1) = z(1);
  dual.cell_attacks = Matrix::Zero(2, 2);
  dual.cell_attacks(1, 0) = e * z(0);
  dual.block_attacks = Matrix::Zero(2, 2);
  dual.block_attacks(1, 1) = -e * z(1);
  // v: nu_1 x_1 + a_1 + lambda x_2 + b must stay within beta: the same multipliers pay for it.
  dual.lambda(0, 0) = z(0);
  dual.block_attacks(1, 0) = -e * z(0);
  const Certificate certificate = certify(program, U, dual);
  EXPECT_NEAR(certificate.objective, optimum, 1e-13);
  EXPECT_NEAR(certificate.lower_bound, optimum, 1e-13);
  EXPECT_LT(certificate.violation, 1e-14);
}

// A freed share x'v + |eps o v|_q of a huge v that all but vanishes.
TEST_P(EveryNormCertificate, DoesNotFlatterAFreedShareThatCancels) {
  int tried = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed, 15);
    Matrix X = Matrix::NullaryExpr(2, 5, [&] { return random.normal(); });
    X.col(4).setOnes();
    PatternSet patterns(2);
    patterns.add(Eigen::Vector2d(1, -1));
    const Threat threat = Threat::uniform(make_norm(GetParam()), 1e-6, 4, true);
    const Program program(X, Eigen::Vector2d(1, -1), Vector(), make_loss("hinge"), 1e-18, patterns, threat,
                          Method::reduced);
    Matrix U = Matrix::Zero(5, 2);
    for (Index a = 0; a < 4; ++a) U(a, 0) = 1e9 * random.normal();
    U(4, 0) = 0.5 - X.row(1).dot(U.col(0)) - threat.worst_change(U.col(0));
    if (X.row(0).dot(U.col(0)) - threat.worst_change(U.col(0)) < 1e6) continue;  // its loss would be all there is
    ++tried;
    DualPoint dual;
    dual.nu = Vector::Zero(2);
    dual.lambda = Matrix::Zero(2, 2);
    const Certificate certificate = certify(program, U, dual);
    EXPECT_GE(certificate.objective, Exact(program, U).objective()) << "seed " << seed;
    EXPECT_NEAR(certificate.objective, 0.5 * (1 + 0.5), 1e-4);
  }
  EXPECT_GT(tried, 20);
}

// A feature that only the attacker uses, and blocks that all but cancel there: |eps o s|_q has few right digits.
TEST_P(EveryNormCertificate, DoesNotFlatterAttacksOnBlocksThatCancel) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed, 16);
    Matrix X = Matrix::Zero(4, 2);
    X.col(1).setOnes();
    PatternSet patterns(4);
    for (Index i = 1; i < 4; ++i) {
      Vector activation = -Vector::Ones(4);
      activation(0) = activation(i) = 1;
      patterns.add(activation);
    }
    const Vector weights = Eigen::Vector4d(1, 1e-20, 1e-20, 1e-20);  // the first sample, which all blocks share
    const Program program(X, Vector::Ones(4), weights, make_loss("hinge"), 1e-18, patterns,
                          {make_norm(GetParam()), Eigen::Vector2d(1e4, 0)}, Method::reduced);
    ASSERT_EQ(program.blocks(), 6);
    Matrix U = Matrix::Zero(2, 6);
    U(0, 0) = 1e9 * random.normal();
    U(0, 2) = 1e9 * random.normal();
    U(0, 4) = 1e-3 * random.normal() - (U(0, 0) + U(0, 2));
    DualPoint dual;
    dual.nu = Vector::Zero(4);
    dual.lambda = Matrix::Zero(4, 6);
    const Certificate certificate = certify(program, U, dual);
    EXPECT_GE(certificate.objective, Exact(program, U).objective()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace conelu
