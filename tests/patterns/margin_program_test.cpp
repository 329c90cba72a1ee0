#include "patterns/margin_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "patterns/samples.hpp"

//     maximise t   subject to  a_k'v >= t,  |v_P|_q <= 1,  |v_F|_inf <= 1      between margin() and bound() at every
//     step
namespace conelu {
namespace {

TEST(MarginProgram, EnclosesItsOptimumAtEveryStep) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Matrix A = test::normal_samples(30, 4, seed).array() + (seed % 2 == 0 ? 4.0 : 0.0);  // live or not
    MarginProgram program(A.rowwise().normalized());
    double margin = program.margin();
    double bound = program.bound();
    for (int step = 0; step < 12 && program.advance(); ++step) {
      EXPECT_LE(program.margin(), bound + 1e-12);
      EXPECT_GE(program.bound(), margin - 1e-12);
      margin = program.margin();
      bound = program.bound();
    }
    EXPECT_LT(bound, std::max(1e-6, (1 + 1e-6) * margin));
  }
}

// Rows e_1, ..., e_d: u = (1, ..., 1) has margin 1 to all of them.
TEST(MarginProgram, FindsTheCornerOfTheBox) {
  MarginProgram program(Matrix::Identity(5, 5));
  for (int step = 0; step < 12; ++step) program.advance();
  EXPECT_NEAR(program.margin(), 1.0, 1e-8);
  EXPECT_NEAR(program.bound(), 1.0, 1e-8);
}

TEST(MarginProgram, EnclosesItsOptimumInEveryNorm) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const Norm norm = std::array{Norm::infinity, Norm::two, Norm::one}[seed % 3];
    const auto perturbed = static_cast<Index>(1 + seed % 4);
    const Matrix A = test::normal_samples(30, 4, seed).array() + (seed % 2 == 0 ? 4.0 : 0.0);
    MarginProgram program(A.rowwise().normalized(), norm, perturbed);
    double margin = program.margin();
    double bound = program.bound();
    for (int step = 0; step < 14 && program.advance(); ++step) {
      EXPECT_LE(program.margin(), bound + 1e-12);
      EXPECT_GE(program.bound(), margin - 1e-12);
      margin = program.margin();
      bound = program.bound();
    }
    EXPECT_LT(bound, std::max(1e-6, (1 + 1e-6) * margin)) << seed;
  }
}

// Rows e_1, ..., e_d: the best v has equal entries, and |v|_q = 1 makes them d^(-1/q).
TEST(MarginProgram, KnowsTheUnitBallOfEveryNorm) {
  const auto optimum = [](Norm norm) {
    MarginProgram program(Matrix::Identity(5, 5), norm, 5);
    for (int step = 0; step < 14; ++step) program.advance();
    EXPECT_NEAR(program.margin(), program.bound(), 1e-8);
    return program.bound();
  };
  EXPECT_NEAR(optimum(Norm::infinity), 1.0 / 5, 1e-8);
  EXPECT_NEAR(optimum(Norm::two), 1 / std::sqrt(5.0), 1e-8);
  EXPECT_NEAR(optimum(Norm::one), 1.0, 1e-8);
}

// With steps of different lengths on the primal and the dual side, the first six went back and forth for ever.
TEST(MarginProgram, FindsItsWayOnARoundBall) {
  std::vector<std::uint64_t> seeds = {16500, 17376, 17656, 19000, 19145, 19304};
  for (std::uint64_t seed = 0; seed < 100; ++seed) seeds.push_back(seed);
  for (const std::uint64_t seed : seeds) {
    Random random(seed, 3);
    const Index n = 4 + random.below(30);
    const Index d = 2 + random.below(8);
    const Matrix X = test::normal_samples(n, d, seed);
    const Vector u = Vector::NullaryExpr(d, [&] { return random.normal(); });
    const Matrix A = (X * u).cwiseSign().asDiagonal() * X / X.rowwise().norm().maxCoeff();
    MarginProgram program(A, Norm::two, d);
    for (int step = 0; step < 20; ++step) program.advance();
    EXPECT_GE(program.margin(), (1 - 1e-6) * program.bound()) << seed;
  }
}

}  // namespace
}  // namespace conelu
