#include "linalg/dense.hpp"

#include <cblas.h>

#include <algorithm>
#include <array>
#include <cmath>

extern "C" void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);

extern "C" void dlauum_(const char* uplo, const int* n, double* a, const int* lda, int* info);

extern "C" void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work,
                        const int* lwork, int* info);

extern "C" void dormqr_(const char* side, const char* trans, const int* m, const int* n, const int* k, const double* a,
                        const int* lda, const double* tau, double* c, const int* ldc, double* work, const int* lwork,
                        int* info);

namespace conelu::dense {
namespace {

int as_int(Index i) { return static_cast<int>(i); }
int leading(const Eigen::Ref<const Matrix>& A) { return as_int(std::max<Index>(1, A.outerStride())); }
CBLAS_TRANSPOSE flag(Op op) { return op == Op::none ? CblasNoTrans : CblasTrans; }

// Up to here a few lines of our own are faster than a call: blocks of tabular data are this small, and there are many.
constexpr Index kSmall = 16;
// dsyrk is slow for results up to this size, and of dgemm the kernels like this width.
constexpr Index kNarrow = 64, kStrip = 24;

bool small_cholesky(Eigen::Ref<Matrix> A) {
  const Index n = A.rows();
  for (Index b = 0; b < n; ++b) {
    const double pivot = A(b, b);
    if (!(pivot > 0)) return false;
    const double root = std::sqrt(pivot);
    for (Index a = b; a < n; ++a) A(a, b) /= root;
    for (Index c = b + 1; c < n; ++c) {
      const double factor = A(c, b);
      for (Index a = c; a < n; ++a) A(a, c) -= factor * A(a, b);
    }
  }
  return true;
}

/// Columns of the result in strips, products of dgemm all of them. What is above the diagonal stays as it was.
void rank_update_by_strips(double alpha, Op op, const Eigen::Ref<const Matrix>& A, double beta, Eigen::Ref<Matrix> C) {
  const Index n = C.rows();
  const Op other = op == Op::none ? Op::transpose : Op::none;
  std::array<double, kStrip * kStrip> above;
  for (Index first = 0; first < n; first += kStrip) {
    const Index count = std::min(kStrip, n - first);
    auto diagonal = C.block(first, first, count, count);
    auto kept = Eigen::Map<Matrix>(above.data(), count, count).triangularView<Eigen::StrictlyUpper>();
    kept = diagonal;
    const auto part = [&](Index some) {
      return op == Op::none ? A.block(first, 0, some, A.cols()) : A.block(0, first, A.rows(), some);
    };
    multiply(alpha, op, part(n - first), other, part(count), beta, C.block(first, first, n - first, count));
    diagonal.triangularView<Eigen::StrictlyUpper>() = kept;
  }
}

/// B = alpha L B or alpha B L
void multiply_lower(CBLAS_SIDE side, double alpha, const Eigen::Ref<const Matrix>& L, Eigen::Ref<Matrix> B) {
  if (B.size() == 0) return;
  cblas_dtrmm(CblasColMajor, side, CblasLower, CblasNoTrans, CblasNonUnit, as_int(B.rows()), as_int(B.cols()), alpha,
              L.data(), leading(L), B.data(), leading(B));
}

/// Half of a matrix, rounded up so that the parts fit the kernels of BLAS.
Index half(Index n) { return (n / 2 + 7) / 8 * 8; }

void small_invert_lower(Eigen::Ref<Matrix> L) {
  const Index n = L.rows();
  for (Index b = 0; b < n; ++b) {
    // Column b of the inverse solves L x = e_b; the columns before it are inverted already, those from b on are not.
    std::array<double, kSmall> x{};
    x[static_cast<std::size_t>(b)] = 1;
    for (Index c = b; c < n; ++c) {
      double& pivot = x[static_cast<std::size_t>(c)];
      pivot /= L(c, c);
      for (Index a = c + 1; a < n; ++a) x[static_cast<std::size_t>(a)] -= L(a, c) * pivot;
    }
    for (Index a = b; a < n; ++a) L(a, b) = x[static_cast<std::size_t>(a)];
  }
}

void small_solve_lower(Op op, const Eigen::Ref<const Matrix>& L, double* x) {
  const Index n = L.rows();
  if (op == Op::none) {
    for (Index b = 0; b < n; ++b) {
      x[b] /= L(b, b);
      for (Index a = b + 1; a < n; ++a) x[a] -= L(a, b) * x[b];
    }
  } else {
    for (Index b = n - 1; b >= 0; --b) {
      for (Index a = b + 1; a < n; ++a) x[b] -= L(a, b) * x[a];
      x[b] /= L(b, b);
    }
  }
}

/// With one column dtrsm would pack the whole triangle for a single use.
void solve_lower_vector(Op op, const Eigen::Ref<const Matrix>& L, double* x) {
  if (L.rows() <= kSmall) {
    small_solve_lower(op, L, x);
  } else {
    cblas_dtrsv(CblasColMajor, CblasLower, flag(op), CblasNonUnit, as_int(L.rows()), L.data(), leading(L), x, 1);
  }
}

}  // namespace

void multiply(double alpha, Op op_a, const Eigen::Ref<const Matrix>& A, Op op_b, const Eigen::Ref<const Matrix>& B,
              double beta, Eigen::Ref<Matrix> C) {
  if (C.size() == 0) return;
  const Index inner = op_a == Op::none ? A.cols() : A.rows();
  cblas_dgemm(CblasColMajor, flag(op_a), flag(op_b), as_int(C.rows()), as_int(C.cols()), as_int(inner), alpha, A.data(),
              leading(A), B.data(), leading(B), beta, C.data(), leading(C));
}

void rank_update(double alpha, Op op, const Eigen::Ref<const Matrix>& A, double beta, Eigen::Ref<Matrix> C) {
  if (C.size() == 0) return;
  const Index inner = op == Op::none ? A.cols() : A.rows();
  if (C.rows() <= kNarrow) return rank_update_by_strips(alpha, op, A, beta, C);
  cblas_dsyrk(CblasColMajor, CblasLower, flag(op), as_int(C.rows()), as_int(inner), alpha, A.data(), leading(A), beta,
              C.data(), leading(C));
}

void set_gram(const Eigen::Ref<const SingleMatrix>& A, Eigen::Ref<SingleMatrix> C) {
  if (C.size() == 0) return;
  cblas_ssyrk(CblasColMajor, CblasLower, CblasTrans, as_int(A.cols()), as_int(A.rows()), 1.0F, A.data(),
              as_int(std::max<Index>(1, A.outerStride())), 0.0F, C.data(), as_int(C.outerStride()));
}

void multiply_vector(double alpha, Op op, const Eigen::Ref<const Matrix>& A, const Eigen::Ref<const Vector>& x,
                     double beta, Eigen::Ref<Vector> y) {
  if (A.size() == 0) {
    y *= beta;
    return;
  }
  if (A.rows() <= kSmall && A.cols() <= kSmall) {
    if (beta == 0) y.setZero();  // whatever was there, as BLAS has it
    if (beta != 1) y *= beta;
    for (Index b = 0; b < A.cols(); ++b) {
      if (op == Op::none) {
        for (Index a = 0; a < A.rows(); ++a) y(a) += alpha * x(b) * A(a, b);
      } else {
        double sum = 0;
        for (Index a = 0; a < A.rows(); ++a) sum += A(a, b) * x(a);
        y(b) += alpha * sum;
      }
    }
    return;
  }
  cblas_dgemv(CblasColMajor, flag(op), as_int(A.rows()), as_int(A.cols()), alpha, A.data(), leading(A), x.data(), 1,
              beta, y.data(), 1);
}

bool cholesky(Eigen::Ref<Matrix> A) {
  if (A.rows() <= kSmall) return small_cholesky(A);
  const int n = as_int(A.rows());
  const int lda = leading(A);
  int info = 0;
  dpotrf_("L", &n, A.data(), &lda, &info);
  return info == 0;
}

void invert_lower(Eigen::Ref<Matrix> L) {
  const Index n = L.rows();
  if (n <= kSmall) return small_invert_lower(L);
  const Index h = half(n);
  invert_lower(L.topLeftCorner(h, h));
  invert_lower(L.bottomRightCorner(n - h, n - h));
  multiply_lower(CblasRight, 1.0, L.topLeftCorner(h, h), L.bottomLeftCorner(n - h, h));
  multiply_lower(CblasLeft, -1.0, L.bottomRightCorner(n - h, n - h), L.bottomLeftCorner(n - h, h));
}

void square_lower(Eigen::Ref<Matrix> L) {
  const int n = as_int(L.rows());
  const int lda = leading(L);
  int info = 0;
  dlauum_("L", &n, L.data(), &lda, &info);
}

void triangularize(Eigen::Ref<Matrix> A, Eigen::Ref<Vector> work) {
  const int m = as_int(A.rows());
  const int n = as_int(A.cols());
  const int lda = leading(A);
  const int lwork = 64 * n;
  int info = 0;
  dgeqrf_(&m, &n, A.data(), &lda, work.data(), work.data() + n, &lwork, &info);
}

void apply_orthogonal(Op op, const Eigen::Ref<const Matrix>& A, Eigen::Ref<Vector> work, Eigen::Ref<Vector> x) {
  const int m = as_int(A.rows());
  const int one = 1;
  const int k = as_int(A.cols());
  const int lda = leading(A);
  const int lwork = 64 * k;
  int info = 0;
  dormqr_("L", op == Op::none ? "N" : "T", &m, &one, &k, A.data(), &lda, work.data(), x.data(), &m, work.data() + k,
          &lwork, &info);
}

void solve_upper(Op op, const Eigen::Ref<const Matrix>& A, Eigen::Ref<Vector> x) {
  cblas_dtrsv(CblasColMajor, CblasUpper, flag(op), CblasNonUnit, as_int(x.size()), A.data(), leading(A), x.data(), 1);
}

void solve_lower(Op op, const Eigen::Ref<const Matrix>& L, Eigen::Ref<Matrix> B) {
  if (B.size() == 0) return;
  if (B.cols() == 1 || B.rows() <= kSmall) {
    for (Index i = 0; i < B.cols(); ++i) solve_lower_vector(op, L, B.col(i).data());
    return;
  }
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, flag(op), CblasNonUnit, as_int(B.rows()), as_int(B.cols()), 1.0,
              L.data(), leading(L), B.data(), leading(B));
}

void solve_lower_right(Op op, const Eigen::Ref<const Matrix>& L, Eigen::Ref<Matrix> B) {
  if (B.size() == 0) return;
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, flag(op), CblasNonUnit, as_int(B.rows()), as_int(B.cols()), 1.0,
              L.data(), leading(L), B.data(), leading(B));
}

void solve_cholesky(const Eigen::Ref<const Matrix>& L, Eigen::Ref<Vector> x) {
  if (x.size() == 0) return;
  solve_lower_vector(Op::none, L, x.data());
  solve_lower_vector(Op::transpose, L, x.data());
}

void multiply_lower_right(const Eigen::Ref<const Matrix>& L, Eigen::Ref<Matrix> B) {
  multiply_lower(CblasRight, 1.0, L, B);
}

}  // namespace conelu::dense
