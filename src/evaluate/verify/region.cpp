#include "evaluate/verify/region.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "program/rounding.hpp"

namespace conelu::verification {
namespace {

using rounding::kEpsilon;
using rounding::share;

double dual_norm(Norm norm, const VectorView& u) {
  if (u.size() == 0) return 0;
  switch (norm) {
    case Norm::infinity:
      return u.lpNorm<1>();
    case Norm::two:
      return u.stableNorm();
    case Norm::one:
      break;
  }
  return u.lpNorm<Eigen::Infinity>();
}

}  // namespace

Region::Region(const VectorView& x, const Threat& threat, const Vector& lower, const Vector& upper)
    : x_(x),
      threat_(threat),
      lower_(lower),
      upper_(upper),
      moved_radii_(x.size()),
      lowest_(x.size()),
      highest_(x.size()),
      boxed_(threat.norm == Norm::infinity) {
  constexpr double kOutward = 1 + 4 * kEpsilon;
  Index moved = 0;
  for (Index a = 0; a < threat.radii.size(); ++a) {
    const double radius = threat.radii(a);
    const double down = lower.size() > 0 ? x(a) - lower(a) : radius;
    const double up = upper.size() > 0 ? upper(a) - x(a) : radius;
    if (radius == 0 || down < 0 || up < 0 || (down == 0 && up == 0)) continue;
    features_.push_back(a);
    moved_radii_(moved) = radius;
    lowest_(moved) = down < radius ? -std::min(1.0, down / radius * kOutward) : -1.0;
    highest_(moved) = up < radius ? std::min(1.0, up / radius * kOutward) : 1.0;
    boxed_ = boxed_ || lowest_(moved) > -1 || highest_(moved) < 1;
    ++moved;
  }
  for (Vector* values : {&moved_radii_, &lowest_, &highest_}) values->conservativeResize(moved);
}

Vector Region::center() const {
  const Vector middle = 0.5 * (lowest_ + highest_);
  if (norm() == Norm::infinity) return middle;
  const double size = norm() == Norm::two ? middle.norm() : middle.lpNorm<1>();
  return size > 0.5 ? Vector(0.5 / size * middle) : middle;
}

Vector Region::scaled(const VectorView& u) const { return moved_radii_.cwiseProduct(u(features_)); }

double Region::reach(const VectorView& r) const { return dual_norm(norm(), r) * (1 + share(r.size())); }

/// The dearest features first, until the length of 1 is spent.
double Region::share_out_of_cross_polytope(const VectorView& r, Eigen::Ref<Vector> lengths) const {
  std::vector<std::pair<double, Index>> order;
  for (Index i = 0; i < r.size(); ++i) {
    if (r(i) != 0) order.emplace_back(-std::abs(r(i)), i);
  }
  std::sort(order.begin(), order.end());
  double left = 1;
  for (const auto& [worth, i] : order) {
    lengths(i) = std::min(limit(r, i), left);
    left -= lengths(i);
    if (!(left > 0)) return -worth;
  }
  return 0;
}

/// Lengths |r| / price up to the limits, which features reach in the order in which these are small for their worth.
double Region::share_out_of_round_ball(const VectorView& r, Eigen::Ref<Vector> lengths) const {
  std::vector<std::pair<double, Index>> order;
  for (Index i = 0; i < r.size(); ++i) {
    if (r(i) != 0) order.emplace_back(limit(r, i) / std::abs(r(i)), i);
  }
  std::sort(order.begin(), order.end());
  // Of a feature and all that follow; subtracting one after the other would cancel.
  std::vector<double> squares(order.size());
  double sum = 0;
  for (std::size_t k = order.size(); k-- > 0;) squares[k] = sum += r(order[k].second) * r(order[k].second);
  double price = 0;
  double left = 1;
  for (std::size_t k = 0; k < order.size() && left > 0; ++k) {
    const auto [ratio, i] = order[k];
    price = std::sqrt(squares[k] / left);
    if (price * ratio >= 1) break;
    left -= limit(r, i) * limit(r, i);
    price = 0;
  }
  for (const auto& [ratio, i] : order) lengths(i) = price * ratio >= 1 ? std::abs(r(i)) / price : limit(r, i);
  return price;
}

/// How far v goes against r, feature by feature, and what the last piece of length is worth.
double Region::share_out(const VectorView& r, Eigen::Ref<Vector> lengths) const {
  return norm() == Norm::two ? share_out_of_round_ball(r, lengths) : share_out_of_cross_polytope(r, lengths);
}

double Region::minimum(const VectorView& r) const {
  double most = 0;
  if (!boxed_) {
    most = dual_norm(norm(), r);
  } else if (norm() == Norm::infinity) {
    for (Index i = 0; i < r.size(); ++i) most += std::abs(r(i)) * limit(r, i);
  } else {
    // |r| = on_ball + the rest, one bounded on the ball and the other on the box: valid for every split, exact for the
    // one that the price gives.
    Vector on_ball = Vector::Zero(r.size());
    const double price = share_out(r, on_ball);
    for (Index i = 0; i < r.size(); ++i) {
      const double worth = std::abs(r(i));
      on_ball(i) = std::min(worth, norm() == Norm::two ? price * limit(r, i) : price);
      most += (worth - on_ball(i)) * limit(r, i);
    }
    most += dual_norm(norm(), on_ball);
  }
  return -most * (1 + 2 * share(r.size()));
}

Vector Region::minimiser(const VectorView& r) const {
  Vector v = Vector::Zero(r.size());
  if (r.size() == 0) return v;
  const auto against = [&](Index i, double length) { return r(i) < 0 ? length : r(i) > 0 ? -length : 0.0; };
  if (boxed_) {
    if (norm() != Norm::infinity) share_out(r, v);
    for (Index i = 0; i < r.size(); ++i) v(i) = against(i, norm() == Norm::infinity ? limit(r, i) : v(i));
  } else if (norm() == Norm::two) {
    v = -r.stableNormalized();
  } else {
    Index dearest = 0;
    r.cwiseAbs().maxCoeff(&dearest);
    v(dearest) = against(dearest, 1.0);
  }
  return v;
}

double Region::along(const VectorView& r, const VectorView& w) const {
  if (norm() != Norm::infinity) return w.dot(minimiser(r));
  double sum = 0;
  for (Index i = 0; i < r.size(); ++i) sum += w(i) * (r(i) < 0 ? highest_(i) : r(i) > 0 ? lowest_(i) : 0.0);
  return sum;
}

double Region::best_multiplier(const VectorView& r, const VectorView& w, double gain, double step) const {
  constexpr int kScalings = 10;
  constexpr int kHalvings = 5;
  Vector sum(r.size());
  const auto rises = [&](double b) {
    sum = r + b * w;
    return gain + along(sum, w) > 0;
  };
  if (!(step > 0 && std::isfinite(step)) || !rises(0)) return 0;
  // Its size first: it rises at `low` and falls at `high`, twice as large.
  double low = step;
  double high = 2 * step;
  if (rises(low)) {
    for (int i = 0; i < kScalings && rises(high); ++i) {
      low = high;
      high *= 2;
    }
  } else {
    for (int i = 0; i < kScalings && low == step; ++i) {
      high /= 2;
      if (rises(high / 2)) low = high / 2;
    }
    if (low == step) return 0;
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (rises(middle) ? low : high) = middle;
  }
  return low;
}

Vector Region::point(const VectorView& v) const {
  Vector p = x_;
  double shrunk = 1;
  for (double less = kEpsilon; less < 1; less *= 2) {
    for (Index i = 0; i < dimension(); ++i) {
      const Index a = features_[static_cast<std::size_t>(i)];
      p(a) = x_(a) + moved_radii_(i) * (shrunk * std::clamp(v(i), lowest_(i), highest_(i)));
      if (lower_.size() > 0) p(a) = std::max(p(a), lower_(a));
      if (upper_.size() > 0) p(a) = std::min(p(a), upper_(a));
      // In a box every feature comes inside on its own; balls are shrunk as a whole.
      while (norm() == Norm::infinity && std::abs((p(a) - x_(a)) / moved_radii_(i)) > 1) {
        p(a) = std::nextafter(p(a), x_(a));
      }
    }
    if (dimension() == 0 || threat_.size(p - x_) <= 1) return p;
    shrunk = 1 - less;
  }
  return x_;
}

}  // namespace conelu::verification
