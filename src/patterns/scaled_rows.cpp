#include "patterns/scaled_rows.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/dense.hpp"

namespace conelu {

ScaledRows::ScaledRows(const MatrixView& X, const Vector& radii) : rows(X), scale(Vector::Ones(X.cols())) {
  for (Index a = 0; a < X.cols() && X.rows() > 0; ++a) {
    double largest = X.col(a).cwiseAbs().maxCoeff();
    if (radii.size() > 0) largest = std::max(largest, radii(a));
    if (largest > 0) scale(a) = std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1000, 1000));
  }
  rows *= scale.asDiagonal();
  norms = rows.rowwise().stableNorm();
  for (Index k = 0; k < rows.rows(); ++k) {
    if (norms(k) > 0) nonzero.push_back(k);
  }
}

Matrix ScaledRows::unit_rows() const {
  Matrix units = rows(nonzero, Eigen::all);
  units.array().colwise() /= norms(nonzero).array();
  return units;
}

Vector products_in_order(const MatrixView& X, const VectorView& a) {
  Vector products = Vector::Zero(X.rows());
  for (Index f = 0; f < X.cols(); ++f) products += a(f) * X.col(f);
  return products;
}

bool surely_span(const Matrix& A) {
  Matrix gram(A.cols(), A.cols());
  dense::rank_update(1.0, dense::Op::transpose, A, 0.0, gram);
  gram.diagonal().array() -= 1e-10 * gram.trace();
  return dense::cholesky(gram);
}

}  // namespace conelu
