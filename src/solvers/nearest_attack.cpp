#include "solvers/nearest_attack.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace conelu {
namespace {

/// a_f r_f^2 / (r_f^2 + t) with the t > 0 for which it has the size. Newton's method for the inverse of the size, which
/// is concave in t: from the left it never goes too far.
void move_into_ellipsoid(const Vector& radii, double size, Eigen::Ref<Vector> attack) {
  double t = 0;
  for (int step = 0; step < 50; ++step) {
    double square = 0, slope = 0;
    for (Index f = 0; f < radii.size(); ++f) {
      if (!(radii(f) > 0)) continue;
      const double below = radii(f) * radii(f) + t;
      const double part = attack(f) * radii(f) / below;
      square += part * part;
      slope += part * part / below;
    }
    const double length = std::sqrt(square);
    if (!(length > size * (1 + 1e-12))) break;
    t += (length / size - 1) * square / slope;
  }
  for (Index f = 0; f < radii.size(); ++f) {
    const double square = radii(f) * radii(f);
    attack(f) *= square > 0 ? square / (square + t) : 0.0;
  }
}

/// a_f moved towards 0 by t / r_f, with the t > 0 for which it has the size: that is linear in t between the values at
/// which entries vanish.
void move_into_cross_polytope(const Vector& radii, double size, Eigen::Ref<Vector> attack) {
  std::vector<std::pair<double, Index>> vanishing;
  for (Index f = 0; f < radii.size(); ++f) {
    if (radii(f) > 0) vanishing.emplace_back(std::abs(attack(f)) * radii(f), f);
  }
  std::ranges::sort(vanishing, std::greater());
  double t = 0, sum = 0, slope = 0;
  for (std::size_t i = 0; i < vanishing.size(); ++i) {
    const Index f = vanishing[i].second;
    sum += std::abs(attack(f)) / radii(f);
    slope += 1 / (radii(f) * radii(f));
    t = (sum - size) / slope;
    if (i + 1 == vanishing.size() || t >= vanishing[i + 1].first) break;
  }
  for (Index f = 0; f < radii.size(); ++f) {
    const double left = radii(f) > 0 ? std::max(0.0, std::abs(attack(f)) - t / radii(f)) : 0.0;
    attack(f) = std::copysign(left, attack(f));
  }
}

}  // namespace

void move_into_reach(const Threat& threat, double size, Eigen::Ref<Vector> attack) {
  if (!(size > 0)) {
    attack.setZero();
    return;
  }
  if (threat.norm == Norm::infinity) {
    attack = attack.cwiseMin(size * threat.radii).cwiseMax(-size * threat.radii);
    return;
  }
  double now = 0;
  for (Index f = 0; f < attack.size(); ++f) {
    if (!(threat.radii(f) > 0)) {
      attack(f) = 0;
      continue;
    }
    const double part = std::abs(attack(f)) / threat.radii(f);
    now += threat.norm == Norm::two ? part * part : part;
  }
  if (threat.norm == Norm::two) now = std::sqrt(now);
  if (now <= size) return;
  if (threat.norm == Norm::two) {
    move_into_ellipsoid(threat.radii, size, attack);
  } else {
    move_into_cross_polytope(threat.radii, size, attack);
  }
}

}  // namespace conelu
