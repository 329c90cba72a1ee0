#include "patterns/separating_directions.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/dense.hpp"

namespace conelu {
namespace {

constexpr Index kPatternsAtOnce = 64;
constexpr int kMaxProjections = 60;
// Smallest of the outputs, which are to be 1: a direction that just fits is far from the centre of its cone.
constexpr double kRoom = 0.3;
// Distance to the nearest row: narrower cones are long ways from here to their centres, and the largest margin is not.
constexpr double kNarrowest = 1e-5;

/// Lower triangular, L L' = X'X but for a part in 1e12 that columns which depend on each other need.
Matrix gram_factor(const Matrix& X) {
  Matrix L = Matrix::Zero(X.cols(), X.cols());
  dense::rank_update(1.0, dense::Op::transpose, X, 0.0, L);
  L.diagonal().array() += 1e-12 * L.trace();
  return dense::cholesky(L) ? L : Matrix();
}

/// Fills the columns of `directions`.
void separate(const Matrix& X, const Matrix& L, const MatrixView& signs, Eigen::Ref<Matrix> directions) {
  Matrix b = Matrix::Ones(X.rows(), signs.cols());
  Matrix ahead = b;  // with momentum
  Matrix outputs(b.rows(), b.cols());
  Matrix U(X.cols(), b.cols());
  Vector best = Vector::Zero(b.cols());  // of the least outputs so far: momentum makes them swing
  double t = 1;
  for (int step = 0; step < kMaxProjections && best.minCoeff() < kRoom; ++step) {
    ahead.array() *= signs.array();
    dense::multiply(1.0, dense::Op::transpose, X, dense::Op::none, ahead, 0.0, U);
    dense::solve_lower(dense::Op::none, L, U);
    dense::solve_lower(dense::Op::transpose, L, U);
    dense::multiply(1.0, dense::Op::none, X, dense::Op::none, U, 0.0, outputs);
    outputs.array() *= signs.array();
    for (Index i = 0; i < b.cols(); ++i) {
      const double least = outputs.col(i).minCoeff();
      if (best(i) >= kRoom || !(least > std::max(best(i), kNarrowest * U.col(i).norm()))) continue;
      directions.col(i) = U.col(i);
      best(i) = least;
    }
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
    outputs = outputs.cwiseMax(1.0);
    ahead = outputs + (t - 1) / next * (outputs - b);
    std::swap(b, outputs);
    t = next;
  }
}

}  // namespace

Matrix separating_directions(const MatrixView& X, const VectorView& row_norms, const MatrixView& signs) {
  Matrix directions = Matrix::Zero(X.cols(), signs.cols());
  std::vector<Index> rows;
  for (Index k = 0; k < X.rows(); ++k) {
    if (row_norms(k) > 0) rows.push_back(k);
  }
  if (rows.empty() || signs.cols() == 0) return directions;
  const Matrix unit = row_norms(rows).cwiseInverse().asDiagonal() * X(rows, Eigen::all);
  const Matrix L = gram_factor(unit);
  if (L.size() == 0) return directions;
  for (Index first = 0; first < signs.cols(); first += kPatternsAtOnce) {
    const Index count = std::min(kPatternsAtOnce, signs.cols() - first);
    separate(unit, L, signs.middleCols(first, count)(rows, Eigen::all), directions.middleCols(first, count));
  }
  return directions;
}

}  // namespace conelu
