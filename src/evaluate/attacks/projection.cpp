#include "evaluate/attacks/projection.hpp"

#include <algorithm>
#include <cmath>

namespace conelu::attacks {
namespace {

/// How far z_a may go in the direction that it has.
double bound(const VectorView& lower, const VectorView& upper, double z, Index a) {
  return z > 0 ? upper(a) : -lower(a);
}

/// sum_a min(bound_a, (|z_a| - theta)_+), and how many terms still fall with theta.
struct Shrunk {
  double length = 0;
  Index falling = 0;
};

Shrunk shrunk(const VectorView& lower, const VectorView& upper, const VectorView& z, double theta) {
  Shrunk result;
  for (Index a = 0; a < z.size(); ++a) {
    const double left = std::abs(z(a)) - theta;
    if (!(left > 0)) continue;
    const double most = bound(lower, upper, z(a), a);
    result.length += std::min(left, most);
    result.falling += left < most ? 1 : 0;
  }
  return result;
}

/// Newton's method where it stays inside the bracket, else bisection. Without bounds the length is convex in theta and
/// every step is Newton's.
double theta_of_length_one(const VectorView& lower, const VectorView& upper, const VectorView& z) {
  double below = 0;
  double above = z.lpNorm<Eigen::Infinity>();
  double theta = 0;
  for (int pass = 0; pass < 200; ++pass) {
    const Shrunk now = shrunk(lower, upper, z, theta);
    (now.length > 1 ? below : above) = theta;
    const double newton = theta + (now.length - 1) / static_cast<double>(now.falling);
    if (newton == theta) break;
    theta = below < newton && newton < above ? newton : 0.5 * (below + above);
    if (!(below < theta && theta < above)) break;
  }
  return theta;
}

}  // namespace

void project_two(const VectorView& lower, const VectorView& upper, Eigen::Ref<Vector> z) {
  if (!(z.cwiseMin(upper).cwiseMax(lower).squaredNorm() > 1)) {
    z = z.cwiseMin(upper).cwiseMax(lower);
    return;
  }
  double t = 1 / z.squaredNorm();
  for (Index before = -1, cut = 0; cut != before;) {
    before = cut;
    cut = 0;
    double fixed = 0;
    double free = 0;
    for (Index a = 0; a < z.size(); ++a) {
      const double square = z(a) * z(a);
      const double most = bound(lower, upper, z(a), a) * bound(lower, upper, z(a), a);
      if (t * square > most) {
        fixed += most;
        ++cut;
      } else {
        free += square;
      }
    }
    if (free > 0 && fixed < 1) t = std::max(t, (1 - fixed) / free);
  }
  z = (std::sqrt(t) * z).cwiseMin(upper).cwiseMax(lower);
}

void project_one(const VectorView& lower, const VectorView& upper, Eigen::Ref<Vector> z) {
  double theta = 0;
  if (shrunk(lower, upper, z, 0).length > 1) theta = theta_of_length_one(lower, upper, z);
  for (Index a = 0; a < z.size(); ++a) {
    const double size = std::min(std::max(0.0, std::abs(z(a)) - theta), bound(lower, upper, z(a), a));
    z(a) = z(a) < 0 ? -size : size;
  }
}

}  // namespace conelu::attacks
