#include "conelu/preprocessing.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

namespace conelu {

Preprocessing Preprocessing::standardize(const Dataset& data) {
  const Dataset present = drop_zero_weights(data);
  if (present.samples() == 0) throw std::invalid_argument("cannot standardize without samples");
  const Index d = present.X.cols();
  Vector share = present.weights.size() > 0 ? present.weights : Vector::Ones(present.samples());
  share /= share.maxCoeff();  // so that the sum does not overflow
  share /= share.sum();

  Preprocessing result{Vector::Zero(d), Vector::Ones(d)};
  for (Index j = 0; j < d; ++j) {
    const auto column = present.X.col(j);
    if (column.minCoeff() == column.maxCoeff()) {
      // Exactly: a rounded mean would turn a constant column into noise of size one.
      result.center[j] = column[0];
      continue;
    }
    result.center[j] = share.dot(column);
    const Vector deviation = column.array() - result.center[j];
    const double largest = deviation.cwiseAbs().maxCoeff();
    // Squares of deviations beyond 1e154 would overflow, those below 1e-162 vanish.
    result.scale[j] = largest * std::sqrt(share.dot((deviation / largest).cwiseAbs2()));
  }
  return result;
}

Matrix Preprocessing::apply(const MatrixView& X) const {
  for (const Vector& entries : {center, scale}) {
    if (entries.size() > 0 && entries.size() != X.cols()) {
      throw std::invalid_argument(
          fmt::format("the preprocessing is for {} features, the data has {}", entries.size(), X.cols()));
    }
  }
  Matrix result = X;
  if (center.size() > 0) result.rowwise() -= center.transpose();
  if (scale.size() > 0) result.array().rowwise() /= scale.transpose().array();
  return result;
}

Matrix with_bias(const MatrixView& X) {
  Matrix result(X.rows(), X.cols() + 1);
  result << X, Vector::Ones(X.rows());
  return result;
}

}  // namespace conelu
