#pragma once

#include <nanobind/eigen/dense.h>
#include <nanobind/ndarray.h>

#include <utility>
#include <vector>

#include "conelu/linear_algebra.hpp"

namespace conelu::python {

namespace nb = nanobind;

/// A matrix of any layout. Functions that only look at one take a MatrixView instead, which borrows column-major
/// (Fortran-ordered) arrays and copies others; this one is for those that keep a matrix, and copy it once either way.
using AnyMatrix = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;

/// The array's own numbers, in whatever order they lie.
inline auto borrowed(const AnyMatrix& array) {
  using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  return Eigen::Map<const Matrix, 0, Strides>(array.data(), static_cast<Index>(array.shape(0)),
                                              static_cast<Index>(array.shape(1)),
                                              Strides(array.stride(1), array.stride(0)));
}

inline Matrix to_matrix(const AnyMatrix& array) { return borrowed(array); }

inline Vector to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

}  // namespace conelu::python
