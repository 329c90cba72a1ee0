#include "conelu/preprocessing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace conelu {
namespace {

/// The part of the whole that each sample is.
Vector shares(const Dataset& data) {
  Vector share = data.weights.size() > 0 ? data.weights : Vector::Ones(data.samples());
  share /= share.maxCoeff();  // so that the sum does not overflow
  return share / share.sum();
}

TargetScaling mean_and_deviation(const VectorView& values, const Vector& share) {
  // Exactly: a rounded mean would turn a constant column into noise of size one.
  if (values.minCoeff() == values.maxCoeff()) return {values[0], 1};
  const double mean = share.dot(values);
  const Vector deviation = values.array() - mean;
  const double largest = deviation.cwiseAbs().maxCoeff();
  // Squares of deviations beyond 1e154 would overflow, those below 1e-162 vanish.
  return {mean, largest * std::sqrt(share.dot((deviation / largest).cwiseAbs2()))};
}

Dataset present_samples(const Dataset& data, const char* action) {
  Dataset present = drop_zero_weights(data);
  if (present.samples() == 0) throw std::invalid_argument(fmt::format("cannot {} without samples", action));
  return present;
}

}  // namespace

TargetScaling TargetScaling::standardize(const Dataset& data) {
  const Dataset present = present_samples(data, "scale the target");
  if (!data.classes.empty() || present.y.size() != present.samples()) {
    throw std::invalid_argument("the target can only be scaled in regression, with a number for each sample");
  }
  return mean_and_deviation(present.y, shares(present));
}

Dataset TargetScaling::apply(Dataset data) const {
  data.y = (data.y.array() - center) / scale;
  return data;
}

Preprocessing Preprocessing::of(const Dataset& data) {
  Preprocessing result;
  result.encodings = data.encodings;
  result.missing = data.missing;
  result.fill = data.fill;
  const Dataset present = drop_zero_weights(data);
  if (present.samples() == 0) return result;
  const Vector share = shares(present);
  result.seen.lowest = present.X.colwise().minCoeff();
  result.seen.highest = present.X.colwise().maxCoeff();
  // Rounding must not leave the range.
  const Vector mean = present.X.transpose() * share;
  result.seen.mean = mean.cwiseMax(result.seen.lowest).cwiseMin(result.seen.highest);
  return result;
}

Preprocessing Preprocessing::standardize(const Dataset& data) {
  const Dataset present = present_samples(data, "standardize");
  const Vector share = shares(present);
  Preprocessing result = of(data);
  result.center = Vector::Zero(present.X.cols());
  result.scale = Vector::Ones(present.X.cols());
  for (Index j = 0; j < present.X.cols(); ++j) {
    if (result.is_encoded(j)) continue;
    const TargetScaling column = mean_and_deviation(present.X.col(j), share);
    result.center[j] = column.center;
    result.scale[j] = column.scale;
  }
  return result;
}

Preprocessing Preprocessing::min_max(const Dataset& data) {
  const Dataset present = present_samples(data, "scale");
  Preprocessing result = of(data);
  result.center = present.X.colwise().minCoeff();
  result.scale = Vector::Ones(present.X.cols());
  for (Index j = 0; j < present.X.cols(); ++j) {
    if (result.is_encoded(j)) {
      result.center[j] = 0;
      continue;
    }
    const double range = present.X.col(j).maxCoeff() - result.center[j];
    if (!std::isfinite(range)) {
      throw std::invalid_argument(fmt::format("feature {}: its range is too large for a number", j + 1));
    }
    if (range > 0) result.scale[j] = range;
  }
  return result;
}

bool Preprocessing::is_encoded(Index feature) const {
  return std::any_of(encodings.begin(), encodings.end(), [&](const Encoding& encoding) {
    return encoding.first <= feature && feature < encoding.first + static_cast<Index>(encoding.levels.size());
  });
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
