#pragma once

#include "conelu/linear_algebra.hpp"

/// The few dense kernels that the hot loops need, straight from BLAS and LAPACK.
///
/// They take raw column-major storage with a leading dimension, allocate nothing, and run on one thread when called
/// from inside a parallel region. Only lower triangles of symmetric matrices are read or written.
namespace conelu::dense {

enum class Op { none, transpose };

/// C = alpha op(A) op(B) + beta C
void multiply(double alpha, Op op_a, const Eigen::Ref<const Matrix>& A, Op op_b, const Eigen::Ref<const Matrix>& B,
              double beta, Eigen::Ref<Matrix> C);

/// C = alpha A A' + beta C (Op::none) or alpha A'A + beta C (Op::transpose), lower triangle
void rank_update(double alpha, Op op, const Eigen::Ref<const Matrix>& A, double beta, Eigen::Ref<Matrix> C);

using SingleMatrix = Eigen::MatrixXf;
/// C = A'A, lower triangle, in single precision
void set_gram(const Eigen::Ref<const SingleMatrix>& A, Eigen::Ref<SingleMatrix> C);

/// y = alpha op(A) x + beta y
void multiply_vector(double alpha, Op op, const Eigen::Ref<const Matrix>& A, const Eigen::Ref<const Vector>& x,
                     double beta, Eigen::Ref<Vector> y);

/// A = L L' in the lower triangle; false if A is not positive definite.
bool cholesky(Eigen::Ref<Matrix> A);

/// L = L^-1
void invert_lower(Eigen::Ref<Matrix> L);
/// The lower triangle of L'L in the place of L
void square_lower(Eigen::Ref<Matrix> L);

/// A = Q R: R lands in the upper triangle, Q in the rest of A and the head of `work`, which needs 65 times as many
/// entries as A has columns.
void triangularize(Eigen::Ref<Matrix> A, Eigen::Ref<Vector> work);
/// x = op(Q) x with A and `work` as triangularize has left them.
void apply_orthogonal(Op op, const Eigen::Ref<const Matrix>& A, Eigen::Ref<Vector> work, Eigen::Ref<Vector> x);
/// x = op(R)^-1 x with R in the upper triangle of A.
void solve_upper(Op op, const Eigen::Ref<const Matrix>& A, Eigen::Ref<Vector> x);

/// B = op(L)^-1 B from the left
void solve_lower(Op op, const Eigen::Ref<const Matrix>& L, Eigen::Ref<Matrix> B);
/// B = B op(L)^-1 from the right
void solve_lower_right(Op op, const Eigen::Ref<const Matrix>& L, Eigen::Ref<Matrix> B);

/// B = B L
void multiply_lower_right(const Eigen::Ref<const Matrix>& L, Eigen::Ref<Matrix> B);

/// x = (L L')^-1 x
void solve_cholesky(const Eigen::Ref<const Matrix>& L, Eigen::Ref<Vector> x);

}  // namespace conelu::dense
