#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "conelu/linear_algebra.hpp"
#include "conelu/patterns.hpp"
#include "linalg/random.hpp"

/// The largest |nu'(Xu)_+| over unit directions by ways that share nothing with the library's search.
namespace conelu::test {

inline double price_at(const Matrix& X, const Vector& nu, const Vector& u) {
  long double sum = 0;
  for (Index k = 0; k < X.rows(); ++k) {
    long double product = 0;
    for (Index a = 0; a < X.cols(); ++a) product += static_cast<long double>(X(k, a)) * u(a);
    if (product > 0) sum += product * nu(k);
  }
  return std::abs(static_cast<double>(sum));
}

/// d = 2: between two neighbouring normals of rows the price is a cosine, c'u, largest at c or at an end.
inline double largest_price_in_the_plane(const Matrix& X, const Vector& nu) {
  std::vector<double> angles{0.0};
  const double pi = std::numbers::pi;
  for (Index k = 0; k < X.rows(); ++k) {
    if (X.row(k).isZero(0)) continue;
    const double angle = std::atan2(X(k, 1), X(k, 0));
    for (const double turn : {-0.5 * pi, 0.5 * pi}) angles.push_back(std::remainder(angle + turn, 2 * pi));
  }
  std::ranges::sort(angles);
  angles.push_back(angles.front() + 2 * pi);
  double largest = 0;
  const auto direction = [](double angle) { return Vector{{std::cos(angle), std::sin(angle)}}; };
  for (std::size_t i = 0; i + 1 < angles.size(); ++i) {
    const Vector middle = direction(0.5 * (angles[i] + angles[i + 1]));
    Vector c = Vector::Zero(2);
    for (Index k = 0; k < X.rows(); ++k) {
      if (X.row(k).dot(middle) > 0) c += nu(k) * X.row(k).transpose();
    }
    largest = std::max(largest, price_at(X, nu, direction(angles[i])));
    for (const double side : {-1.0, 1.0}) {
      const double top = std::atan2(side * c(1), side * c(0));
      for (const double angle : {top, top + 2 * pi}) {
        if (angle >= angles[i] && angle <= angles[i + 1]) largest = std::max(largest, c.norm());
      }
    }
  }
  return largest;
}

/// Any small d: the largest price is on a face of a cell, where some rows are 0. On that face's span it is the largest
/// value of a linear function, that of any cell around, so it is at the projection of a cell's c beside some rows.
/// Every such point is tried and its price evaluated, whether or not it belongs to the cell.
inline double largest_price_by_faces(const Matrix& X, const Vector& nu) {
  const Index n = X.rows(), d = X.cols();
  std::vector<Matrix> beside;
  const std::function<void(Index, Matrix)> add_faces = [&](Index first, const Matrix& projection) {
    beside.push_back(projection);
    if (projection.trace() < 1.5) return;
    for (Index k = first; k < n; ++k) {
      const Vector row = projection * X.row(k).transpose();
      if (row.norm() <= 1e-9 * X.row(k).norm()) continue;
      add_faces(k + 1, projection - row * row.transpose() / row.squaredNorm());
    }
  };
  add_faces(0, Matrix::Identity(d, d));
  double largest = 0;
  const PatternSet cells = make_patterns("all", X, {}).patterns;
  for (Index i = 0; i < cells.count(); ++i) {
    Vector c = Vector::Zero(d);
    for (Index k = 0; k < n; ++k) {
      if (cells.active(i, k)) c += nu(k) * X.row(k).transpose();
    }
    for (const Matrix& projection : beside) {
      const Vector top = projection * c;
      if (!(top.norm() > 1e-12 * c.norm())) continue;
      largest = std::max({largest, price_at(X, nu, top.normalized()), price_at(X, nu, -top.normalized())});
    }
  }
  return largest;
}

inline Matrix normal_matrix(Random& random, Index rows, Index columns) {
  Matrix X(rows, columns);
  for (Index a = 0; a < columns; ++a) {
    for (Index k = 0; k < rows; ++k) X(k, a) = random.normal();
  }
  return X;
}

inline Vector normal_vector(Random& random, Index size) { return normal_matrix(random, size, 1).col(0); }

}  // namespace conelu::test
