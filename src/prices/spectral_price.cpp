#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "prices/folded_price.hpp"
#include "program/rounding.hpp"

namespace conelu {
namespace {

using rounding::share;

constexpr Index kLargestMatrix = 600;  // of eigenvalues: those of larger ones take longer than their bound is worth

/// At least the largest eigenvalue of the positive semidefinite M, for any eigenvectors V that are suggested:
/// M = V L V' + E gives |V|^2 max L + |E|.
double largest_eigenvalue_above(const Matrix& M) {
  const Index r = M.rows();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(M);
  const double everything = M.norm() * (1 + share(r * r));
  if (solver.info() != Eigen::Success) return everything;
  const Matrix& V = solver.eigenvectors();
  const Vector& values = solver.eigenvalues();
  const double skew = (V.transpose() * V - Matrix::Identity(r, r)).norm() + share(r) * static_cast<double>(r);
  const double rest = (M - V * values.asDiagonal() * V.transpose()).norm() +
                      4 * share(r) * static_cast<double>(r) * (1 + skew) * values.cwiseAbs().sum();
  const double above = (1 + skew) * std::max(0.0, values.maxCoeff()) + rest;
  return above <= everything ? above : everything;
}

/// Of sum_k |z_k'a| over the unit ball.
double sum_bound(const Matrix& rows) {
  if (rows.rows() == 0) return 0;
  const Vector lengths = rows.rowwise().norm();
  const double total = lengths.sum() * (1 + share(rows.rows() + rows.cols()));
  if (std::min(rows.rows(), rows.cols()) > kLargestMatrix) return total;
  const Vector weights = lengths.unaryExpr([](double length) { return length > 0 ? 1 / std::sqrt(length) : 0.0; });
  const Matrix scaled = weights.asDiagonal() * rows;
  // Of the two products the smaller one: their largest eigenvalues are the same.
  const bool wide = rows.cols() > rows.rows();
  const Matrix M = wide ? Matrix(scaled * scaled.transpose()) : Matrix(scaled.transpose() * scaled);
  const double lost = 2 * share(rows.rows() + rows.cols()) * total;
  return std::min(total, std::sqrt(total * (largest_eigenvalue_above(M) + lost)) * (1 + share(4)));
}

}  // namespace

double spectral_price_bound(const FoldedPrice& price) {
  return (price.g.norm() + std::max(sum_bound(price.up), sum_bound(price.down))) * (1 + share(price.rank()));
}

}  // namespace conelu
