#include "evaluate/attacks/ball.hpp"

#include <cmath>
#include <limits>

#include "evaluate/attacks/projection.hpp"

namespace conelu::attacks {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The last number on the way from x by `change` that is no further away than that, as differences are computed.
double furthest(double x, double change) {
  const double end = x + change;
  return std::abs(end - x) <= std::abs(change) ? end : std::nextafter(end, x);
}

Vector unit(const Vector& slope) {
  const double length = slope.norm();
  if (length > 0 && std::isfinite(length)) return slope / length;
  return slope.stableNormalized();  // squares that underflow or overflow
}

double sign(double value) { return value > 0 ? 1.0 : value < 0 ? -1.0 : 0.0; }

}  // namespace

Ball::Ball(const AttackSettings& settings, Matrix centers, Index count)
    : norm_(settings.threat.norm),
      threat_(settings.threat),
      radii_(settings.threat.radii),
      limited_(settings.lower.size() > 0 || settings.upper.size() > 0),
      centers_(std::move(centers)),
      count_(count),
      low_(centers_),
      high_(centers_) {
  if (radii_.size() == 0) radii_ = Vector::Zero(centers_.rows());
  set_ranges(settings.lower, settings.upper);
  if (norm_ == Norm::infinity) return;
  scaled_low_.resize(dimension(), count_);
  scaled_high_.resize(dimension(), count_);
  for (Index k = 0; k < count_; ++k) {
    scaled_low_.col(k) = scaled(k, low_.col(k));
    scaled_high_.col(k) = scaled(k, high_.col(k));
  }
}

void Ball::set_ranges(const Vector& lower, const Vector& upper) {
  for (Index k = 0; k < count_; ++k) {
    for (Index a = 0; a < centers_.rows(); ++a) {
      const double x = centers_(a, k);
      const double lowest = lower.size() > 0 ? lower(a) : -kInfinity;
      const double highest = upper.size() > 0 ? upper(a) : kInfinity;
      const bool stays = radii_(a) == 0 || x < lowest || x > highest;
      const bool box = norm_ == Norm::infinity;
      low_(a, k) = stays ? x : std::max(lowest, box ? furthest(x, -radii_(a)) : -kInfinity);
      high_(a, k) = stays ? x : std::min(highest, box ? furthest(x, radii_(a)) : kInfinity);
    }
  }
}

void Ball::step(const Matrix& gradients, const Vector& lengths, Matrix& points) const {
  if (norm_ == Norm::infinity) return step_in_box(gradients, lengths, points);
  for (Index k = 0; k < count_; ++k) step_in_ball(k, gradients, lengths(k), points);
}

void Ball::step_in_box(const Matrix& gradients, const Vector& lengths, Matrix& points) const {
  for (Index k = 0; k < count_; ++k) {
    double* p = points.col(k).data();
    const double* g = gradients.col(k).data();
    const double* low = low_.col(k).data();
    const double* high = high_.col(k).data();
    const double* radii = radii_.data();
    const double length = lengths(k);
#pragma omp simd
    for (Index a = 0; a < dimension(); ++a) {
      const double up = g[a] > 0 ? 1.0 : 0.0;
      const double down = g[a] < 0 ? -1.0 : 0.0;
      const double moved = p[a] + length * radii[a] * (up + down);
      const double below_high = moved < high[a] ? moved : high[a];
      p[a] = below_high > low[a] ? below_high : low[a];
    }
  }
}

void Ball::step_in_ball(Index k, const Matrix& gradients, double length, Matrix& points) const {
  auto p = points.col(k);
  Vector slope = radii_.cwiseProduct(gradients.col(k));
  for (Index a = 0; limited_ && a < slope.size(); ++a) {  // what is at the end of its range cannot go on
    if ((slope(a) > 0 && p(a) >= high_(a, k)) || (slope(a) < 0 && p(a) <= low_(a, k))) slope(a) = 0;
  }
  Vector z = scaled(k, p);
  if (norm_ == Norm::two) {
    z += length * unit(slope);
    project_two(scaled_low_.col(k), scaled_high_.col(k), z);
  } else {
    Index steepest = 0;
    slope.cwiseAbs().maxCoeff(&steepest);
    z(steepest) += length * sign(slope(steepest));
    project_one(scaled_low_.col(k), scaled_high_.col(k), z);
  }
  p = (centers_.col(k) + radii_.cwiseProduct(z)).cwiseMin(high_.col(k)).cwiseMax(low_.col(k));
}

Vector Ball::random_point(Random& random) const {
  const Index d = dimension();
  if (norm_ == Norm::infinity) {
    Vector z = Vector::NullaryExpr(d, [&] { return 2 * random.uniform() - 1; });
    return (radii_.array() > 0).select(z, 0.0);
  }
  const auto reached = static_cast<double>((radii_.array() > 0).count());
  const Vector z = random_vertex(random);
  if (norm_ == Norm::two) return z * std::pow(random.uniform(), 1 / std::max(reached, 1.0));
  // Spacings of an exponential each, one more than there are features: uniform in the simplex.
  const auto exponential = [&] {
    const double a = random.normal();
    const double b = random.normal();
    return 0.5 * (a * a + b * b);
  };
  Vector shares = Vector::NullaryExpr(d, exponential);
  for (Index a = 0; a < d; ++a) {
    if (radii_(a) == 0) shares(a) = 0;
    if (random.uniform() < 0.5) shares(a) = -shares(a);
  }
  return shares / (shares.lpNorm<1>() + exponential());
}

Vector Ball::random_vertex(Random& random) const {
  const Index d = dimension();
  Vector z = Vector::Zero(d);
  if (norm_ == Norm::one) {
    const Index reached = (radii_.array() > 0).count();
    Index left = reached > 0 ? random.below(reached) : 0;
    for (Index a = 0; a < d; ++a) {
      if (radii_(a) > 0 && left-- == 0) z(a) = random.uniform() < 0.5 ? -1 : 1;
    }
    return z;
  }
  for (Index a = 0; a < d; ++a) {
    const double draw = norm_ == Norm::two ? random.normal() : random.uniform() < 0.5 ? -1.0 : 1.0;
    if (radii_(a) > 0) z(a) = draw;
  }
  return norm_ == Norm::two ? z.stableNormalized() : z;
}

Matrix Ball::place(const Vector& z) const {
  Matrix points = centers_;
  points.colwise() += radii_.cwiseProduct(z);
  return points.cwiseMin(high_).cwiseMax(low_);
}

Vector Ball::scaled(Index k, const VectorView& point) const {
  Vector z(point.size());
  for (Index a = 0; a < z.size(); ++a) z(a) = radii_(a) > 0 ? (point(a) - centers_(a, k)) / radii_(a) : 0.0;
  return z;
}

double Ball::size(const VectorView& z) const {
  if (norm_ == Norm::infinity) return z.lpNorm<Eigen::Infinity>();
  return norm_ == Norm::two ? z.norm() : z.lpNorm<1>();
}

double Ball::reach(Index k, const VectorView& point, const VectorView& direction) const {
  double longest = kInfinity;
  for (Index a = 0; a < point.size(); ++a) {
    if (direction(a) == 0) continue;
    const double end = direction(a) > 0 ? high_(a, k) : low_(a, k);
    longest = std::min(longest, std::max(0.0, (end - point(a)) / direction(a)));
  }
  if (norm_ == Norm::infinity) return std::isfinite(longest) ? longest : 0.0;
  const Vector z = scaled(k, point);
  Vector dz(z.size());
  for (Index a = 0; a < z.size(); ++a) dz(a) = radii_(a) > 0 ? direction(a) / radii_(a) : 0.0;
  const double length = size(dz);
  if (!(length > 0 && std::isfinite(length))) return 0;
  double inside = 0;
  double outside = std::min(longest, 2.5 / length);  // the diameter is 2
  if (size(z + outside * dz) <= 1) return outside;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = 0.5 * (inside + outside);
    (size(z + middle * dz) <= 1 ? inside : outside) = middle;
  }
  return inside;
}

void Ball::pull_in(Matrix& points) const {
  points = points.cwiseMin(high_).cwiseMax(low_);
  if (norm_ == Norm::infinity) return;
  for (Index k = 0; k < count_; ++k) {
    auto p = points.col(k);
    const Vector change = p - centers_.col(k);
    // Twice as much is taken off each time: where features are much larger than their radii, a small share may change
    // nothing.
    for (double share = std::numeric_limits<double>::epsilon(); threat_.size(p - centers_.col(k)) > 1; share *= 2) {
      p = centers_.col(k) + std::max(0.0, 1 - share) * change;
      p = p.cwiseMin(high_.col(k)).cwiseMax(low_.col(k));
    }
  }
}

}  // namespace conelu::attacks
