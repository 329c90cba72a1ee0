#include "linalg/gram_sum.hpp"

#include <gtest/gtest.h>

#include "linalg/random.hpp"

// C + B'B with B = diag(w) (A - 1 c'), against the formula as it stands there.
namespace conelu {
namespace {

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed, 0);
  Matrix A(rows, columns);
  for (double& entry : A.reshaped()) entry = random.normal();
  return A;
}

class EveryGramSum : public testing::TestWithParam<std::pair<Index, Index>> {};
// Few columns and many, one part of the rows and several.
INSTANTIATE_TEST_SUITE_P(Sizes, EveryGramSum,
                         testing::Values(std::pair(5, 3), std::pair(1500, 7), std::pair(90, 70), std::pair(2100, 65)));

TEST_P(EveryGramSum, IsTheSumOfSquares) {
  const auto [rows, columns] = GetParam();
  const Matrix A = random_matrix(rows, columns, 1);
  const Vector w = random_matrix(rows, 1, 2).cwiseAbs();
  const Vector c = random_matrix(columns, 1, 3);
  const Matrix before = random_matrix(columns, columns, 4);
  const Matrix B = w.asDiagonal() * (A.rowwise() - c.transpose());
  const Matrix expected = before + B.transpose() * B;
  GramSum sum(A);
  for (const bool exact : {true, false}) {
    Matrix C = before;
    sum.add(exact, w, c, C);
    const Matrix error = (C - expected).triangularView<Eigen::Lower>();
    EXPECT_LT(error.norm(), (exact ? 1e-13 : 1e-5) * expected.norm()) << "exact: " << exact;
    const Matrix above = (C - before).triangularView<Eigen::StrictlyUpper>();
    EXPECT_EQ(above.norm(), 0) << "what is above the diagonal is not ours";
  }
}

}  // namespace
}  // namespace conelu
