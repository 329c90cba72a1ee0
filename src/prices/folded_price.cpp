#include "prices/folded_price.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "linalg/orthogonal.hpp"
#include "linalg/random.hpp"
#include "program/rounding.hpp"

namespace conelu {
namespace {

constexpr double kDependent = 1e-12;  // of the longest row: what is left beside the basis is part of the bound

constexpr Index kFewFeatures = 40;
constexpr std::uint64_t kSketchStream = 0x736b6574;

/// m 2^e with m in [.5, 1): products of numbers of any size without overflow.
struct ScaledNumber {
  double mantissa = 0;
  int exponent = 0;

  explicit ScaledNumber(double a, double b) {
    int e_a = 0, e_b = 0, e_m = 0;
    mantissa = std::frexp(std::frexp(a, &e_a) * std::frexp(b, &e_b), &e_m);
    exponent = e_a + e_b + e_m;
  }
  double times_power(int power) const { return std::ldexp(mantissa, exponent + power); }
};

/// Rows divided by their largest entry, in the order of their entries and then of their weights: what comes out does
/// not depend on the order of the samples.
struct DirectedRows {
  Matrix rows;  // d x n, one a column
  std::vector<ScaledNumber> weights;
  std::vector<Index> order;
  int exponent = 0;

  DirectedRows(const MatrixView& X, const VectorView& nu) : rows(X.cols(), X.rows()) {
    Index count = 0;
    for (Index k = 0; k < X.rows(); ++k) {
      Index pivot = 0;
      if (nu(k) == 0 || X.cols() == 0 || !(X.row(k).cwiseAbs().maxCoeff(&pivot) > 0)) continue;
      rows.col(count++) = X.row(k).transpose() / X(k, pivot);
      weights.emplace_back(nu(k), X(k, pivot));
      exponent = count == 1 ? weights.back().exponent : std::max(exponent, weights.back().exponent);
      signs_.push_back(X(k, pivot) < 0 ? -1.0 : 1.0);
    }
    rows.conservativeResize(Eigen::NoChange, count);
    order.resize(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::sort(order, [&](Index j, Index k) {
      const auto a = rows.col(j), b = rows.col(k);
      for (Index i = 0; i < a.size(); ++i) {
        if (a(i) != b(i)) return a(i) < b(i);
      }
      return std::pair(odd(j), even(j)) < std::pair(odd(k), even(k));
    });
  }
  /// The weight of x'u / 2 and of |x'u| / 2, at most 1.
  double odd(Index k) const { return weights[static_cast<std::size_t>(k)].times_power(-exponent); }
  double even(Index k) const { return odd(k) * signs_[static_cast<std::size_t>(k)]; }

 private:
  std::vector<double> signs_;
};

/// Columns that span those of A, or none if these span more than kFewFeatures dimensions. Of many features, random
/// mixtures of the columns are looked at: what they may miss is beside the basis and part of the bound.
Matrix spanning_basis(const Matrix& A) {
  if (A.isZero(0)) return Matrix(A.rows(), 0);
  if (A.rows() <= kFewFeatures) {
    const OrthogonalBasis basis = orthogonal_basis(A, kDependent);
    return basis.Q.leftCols(basis.rank);
  }
  Random random(0, kSketchStream);
  Matrix mixtures(A.cols(), kFewFeatures);
  for (Index j = 0; j < kFewFeatures; ++j) {
    for (Index k = 0; k < A.cols(); ++k) mixtures(k, j) = random.normal();
  }
  const OrthogonalBasis basis = orthogonal_basis(A * mixtures, kDependent);
  return basis.Q.leftCols(basis.rank < kFewFeatures ? basis.rank : 0);
}

}  // namespace

double FoldedPrice::allowance(Index operations) const {
  return rounding::share(operations + up.rows() + down.rows() + rank()) * size;
}

double FoldedPrice::value(const VectorView& a) const {
  return g.dot(a) + (up * a).cwiseAbs().sum() - (down * a).cwiseAbs().sum();
}

Vector FoldedPrice::gradient(const VectorView& a) const {
  const auto sign = [](double z) { return std::copysign(1.0, z); };
  return g + up.transpose() * (up * a).unaryExpr(sign) - down.transpose() * (down * a).unaryExpr(sign);
}

double FoldedPrice::restored(double bound) const {
  const double whole = (bound * stretch + residual) * (1 + rounding::share(4));
  return std::nextafter(std::ldexp(whole, exponent), rounding::kInfinity);
}

double FoldedPrice::reduced(double price) const {
  return (std::ldexp(price, -exponent) * (1 - 2 * rounding::share(4)) - residual) / stretch;
}

FoldedPrice fold_price(const MatrixView& X, const VectorView& nu) {
  const DirectedRows all(X, nu);
  const Index d = X.cols(), n = all.rows.cols();
  FoldedPrice price;
  price.exponent = all.exponent - 1;  // for the halves
  Vector g = Vector::Zero(d);
  Matrix rows(d, n);
  std::vector<double> weights;
  double size = 0;
  for (Index first = 0, last = 0; first < n; first = last) {
    const auto row = all.rows.col(all.order[static_cast<std::size_t>(first)]);
    double odd = 0, even = 0;
    for (; last < n && all.rows.col(all.order[static_cast<std::size_t>(last)]) == row; ++last) {
      const Index k = all.order[static_cast<std::size_t>(last)];
      odd += all.odd(k);
      even += all.even(k);
      size += 2 * std::abs(all.odd(k)) * row.norm();
    }
    g += odd * row;
    if (even == 0) continue;
    rows.col(static_cast<Index>(weights.size())) = std::abs(even) * row;
    weights.push_back(even);
  }
  const auto m = static_cast<Index>(weights.size());
  rows.conservativeResize(Eigen::NoChange, m);

  // g is spanned too, where all rows have cancelled.
  Matrix spanned(d, m + 1);
  spanned << rows, g;
  price.Q = spanning_basis(spanned);
  price.size = size * (1 + rounding::share(n + d));
  const bool whole = price.Q.cols() == 0 && !spanned.isZero(0);
  const Index r = whole ? d : price.Q.cols();
  const Matrix reduced = whole ? spanned : Matrix(price.Q.transpose() * spanned);
  double beside = 0;
  if (!whole) {
    beside = (spanned - price.Q * reduced).colwise().norm().sum();
    const double skew = (price.Q.transpose() * price.Q - Matrix::Identity(r, r)).norm();
    price.stretch = std::sqrt(1 + skew + rounding::share(d) * static_cast<double>(r)) * (1 + rounding::share(1));
  }
  price.g = reduced.col(m);
  std::vector<Index> up, down;
  for (Index k = 0; k < m; ++k) (weights[static_cast<std::size_t>(k)] > 0 ? up : down).push_back(k);
  price.up = reduced(Eigen::all, up).transpose();
  price.down = reduced(Eigen::all, down).transpose();
  // Sums over n samples, then products with Q twice.
  price.residual =
      beside * (1 + rounding::share(n + d)) + 4 * rounding::share(n + d + r) * static_cast<double>(r + 1) * price.size;
  return price;
}

}  // namespace conelu
