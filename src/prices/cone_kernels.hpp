#pragma once

#include <cmath>

#include "conelu/linear_algebra.hpp"

/// What is done for every row that a cone cuts. A column holds the products of all rows with one edge.
namespace conelu::cone_kernels {

inline void average(const double* a, const double* b, Index n, double* middle) {
#pragma omp simd
  for (Index k = 0; k < n; ++k) middle[k] = 0.5 * (a[k] + b[k]);
}

/// By how much sum |z_k'u| at the middle of two edges is below its mean at the edges.
inline double dip(const double* a, const double* b, Index n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index k = 0; k < n; ++k) sum += std::abs(a[k]) + std::abs(b[k]) - std::abs(a[k] + b[k]);
  return 0.5 * sum;
}

/// The sign of every row at the point with these weights.
inline void signs_at(const double* const* columns, const double* weights, Index edges, Index n, double* signs) {
  for (Index k = 0; k < n; ++k) signs[k] = 0;
  for (Index i = 0; i < edges; ++i) {
    const double* column = columns[i];
    const double weight = weights[i];
    if (weight == 0) continue;
#pragma omp simd
    for (Index k = 0; k < n; ++k) signs[k] += weight * column[k];
  }
#pragma omp simd
  for (Index k = 0; k < n; ++k) signs[k] = std::copysign(1.0, signs[k]);
}

/// sum |z_k'v| - sign_k z_k'v
inline double excess(const double* column, const double* signs, Index n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index k = 0; k < n; ++k) {
    const double against = -signs[k] * column[k];
    sum += against > 0 ? against : 0.0;
  }
  return 2 * sum;
}

/// Numbers of the rows that have both signs among the columns; returns how many.
inline Index find_mixed(const double* const* columns, Index edges, Index n, double* low, double* high, int* which) {
  for (Index k = 0; k < n; ++k) low[k] = high[k] = columns[0][k];
  for (Index i = 1; i < edges; ++i) {
    const double* column = columns[i];
#pragma omp simd
    for (Index k = 0; k < n; ++k) {
      low[k] = column[k] < low[k] ? column[k] : low[k];
      high[k] = column[k] > high[k] ? column[k] : high[k];
    }
  }
  Index count = 0;
  for (Index k = 0; k < n; ++k) {
    which[count] = static_cast<int>(k);
    count += static_cast<Index>((low[k] < 0) & (high[k] > 0));
  }
  return count;
}

}  // namespace conelu::cone_kernels
