#include "patterns/margin_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "patterns/samples.hpp"

//     maximise t   subject to  a_k'u >= t,  |u|_inf <= 1        between margin() and bound() at every step
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

}  // namespace
}  // namespace conelu
