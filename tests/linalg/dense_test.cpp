#include "linalg/dense.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace conelu::dense {
namespace {

Matrix positive_definite(Index n) {
  const Matrix A = Matrix::Random(n, n + 3);
  return A * A.transpose() + Matrix::Identity(n, n);
}

Matrix lower(const Matrix& A) { return A.triangularView<Eigen::Lower>(); }

TEST(Dense, MultipliesInEveryTransposition) {
  const Matrix A = Matrix::Random(5, 7), B = Matrix::Random(7, 4);
  for (const Op a : {Op::none, Op::transpose}) {
    for (const Op b : {Op::none, Op::transpose}) {
      const Matrix left = a == Op::none ? A : Matrix(A.transpose());
      const Matrix right = b == Op::none ? B : Matrix(B.transpose());
      Matrix C = Matrix::Random(5, 4);
      const Matrix expected = 2 * A * B + 3 * C;
      multiply(2, a, left, b, right, 3, C);
      EXPECT_LE((C - expected).norm(), 1e-13);
    }
  }
}

// Strips of small results, dsyrk for large ones; nobody else's half is touched, whatever is there.
TEST(Dense, UpdatesTheLowerTriangleOfASymmetricMatrixInEverySize) {
  for (const Index n : {0, 1, 5, 23, 24, 25, 48, 49, 64, 65, 90}) {
    const Matrix A = Matrix::Random(n, 7);
    Matrix C = Matrix::Random(n, n);
    const Matrix before = C;
    rank_update(2, Op::none, A, 3, C);
    EXPECT_LE((lower(C) - lower(2 * A * A.transpose() + 3 * before)).norm(), 1e-12) << n;
    EXPECT_EQ(C - lower(C), before - lower(before)) << n;
    Matrix D = Matrix::Constant(n, n, std::nan(""));
    rank_update(1, Op::transpose, A.transpose(), 0, D);
    EXPECT_LE((lower(D) - lower(A * A.transpose())).norm(), 1e-13) << n;
    EXPECT_EQ(D.array().isNaN().count(), n * (n - 1) / 2) << n;
  }
}

TEST(Dense, InvertsAndSquaresTrianglesInEverySize) {
  for (const Index n : {0, 1, 2, 15, 16, 17, 33, 40, 100}) {
    Matrix L = positive_definite(n);
    ASSERT_TRUE(cholesky(L));
    const Matrix before = L;
    invert_lower(L);
    EXPECT_LE((lower(L) * lower(before) - Matrix::Identity(n, n)).norm(), 1e-11) << n;
    EXPECT_EQ(L - lower(L), before - lower(before)) << n;
    Matrix B = Matrix::Random(3, n);
    const Matrix expected = B * lower(L);
    multiply_lower_right(L, B);
    EXPECT_LE((B - expected).norm(), 1e-12) << n;
    const Matrix square = lower(L).transpose() * lower(L);
    square_lower(L);
    EXPECT_LE((lower(L) - lower(square)).norm(), 1e-12) << n;
  }
}

TEST(Dense, WorksOnPartsOfMatricesInPlace) {
  Matrix big = Matrix::Random(10, 10);
  const Matrix before = big;
  const Matrix A = Matrix::Random(3, 3), B = Matrix::Random(3, 3);
  multiply(1, Op::none, A, Op::none, B, 0, big.block(2, 4, 3, 3));
  EXPECT_LE((big.block(2, 4, 3, 3) - A * B).norm(), 1e-14);
  big.block(2, 4, 3, 3) = before.block(2, 4, 3, 3);
  EXPECT_EQ(big, before);
}

// Small matrices have lines of their own, larger ones go to BLAS; one column and several go different ways, too.
TEST(Dense, FactorsAndSolvesInEverySize) {
  for (const Index n : {0, 1, 2, 6, 16, 17, 40}) {
    const Matrix A = positive_definite(n);
    Matrix L = A;
    ASSERT_TRUE(cholesky(L));
    EXPECT_LE((lower(L) * lower(L).transpose() - A).norm(), 1e-11);
    for (const Index columns : {1, 3}) {
      const Matrix B = Matrix::Random(n, columns);
      Matrix Y = B;
      solve_lower(Op::none, L, Y);
      EXPECT_LE((lower(L) * Y - B).norm(), 1e-12);
      Y = B;
      solve_lower(Op::transpose, L, Y);
      EXPECT_LE((lower(L).transpose() * Y - B).norm(), 1e-12);
      Matrix R = B.transpose();
      solve_lower_right(Op::transpose, L, R);
      EXPECT_LE((R * lower(L).transpose() - B.transpose()).norm(), 1e-12);
      Vector x = B.col(0);
      solve_cholesky(L, x);
      EXPECT_LE((A * x - B.col(0)).norm(), 1e-12);
      Vector y = Vector::Ones(n);
      multiply_vector(2, Op::transpose, A, x, 1, y);
      EXPECT_LE((y - 2 * B.col(0) - Vector::Ones(n)).norm(), 1e-12);
    }
  }
}

TEST(Dense, MultipliesVectorsInEverySize) {
  for (const Index rows : {1, 5, 16, 17}) {
    for (const Index columns : {1, 4, 16, 30}) {
      const Matrix A = Matrix::Random(rows, columns);
      const Vector x = Vector::Random(columns), z = Vector::Random(rows);
      Vector y = Vector::Constant(rows, std::nan(""));
      multiply_vector(2, Op::none, A, x, 0, y);  // what was there does not matter
      EXPECT_LE((y - 2 * A * x).norm(), 1e-13);
      Vector w = Vector::Ones(columns);
      multiply_vector(-1, Op::transpose, A, z, 0.5, w);
      EXPECT_LE((w - (Vector::Constant(columns, 0.5) - A.transpose() * z)).norm(), 1e-13);
    }
  }
}

// Rows of sizes 1 to 1e-9: their Gram matrix has lost the small ones, the triangular factor has not.
TEST(Dense, TriangularizesWithoutSquaringTheCondition) {
  Matrix A = Matrix::Random(20, 4);
  A.bottomRows(18) *= 1e-9;
  Matrix R = A;
  Vector work(65 * 4);
  triangularize(R, work);
  const Matrix upper = R.topRows(4).triangularView<Eigen::Upper>();
  EXPECT_LE((upper.transpose() * upper - A.transpose() * A).norm(), 1e-13);
  const Vector x = upper.triangularView<Eigen::Upper>().solve(Vector::Unit(4, 3));
  EXPECT_NEAR((A * x).norm(), 1.0, 1e-6);
}

TEST(Dense, SaysWhenAMatrixIsNotPositiveDefinite) {
  for (const Index n : {4, 30}) {
    Matrix A = Matrix::Identity(n, n);
    A(n - 1, n - 1) = -1;
    EXPECT_FALSE(cholesky(A));
  }
}

}  // namespace
}  // namespace conelu::dense
