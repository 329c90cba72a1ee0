#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "conelu/program.hpp"

namespace conelu {

using Real = long double;

/// Everything of the program's definition once more, entry by entry and in long double.
class Exact {
 public:
  Exact(const Program& program, const Matrix& U) : program_(program), U_(U) {}

  Real preactivation(Index k, Index j) const {
    Real sum = 0;
    for (Index a = 0; a < U_.rows(); ++a) sum += static_cast<Real>(program_.X()(k, a)) * U_(a, j);
    return sum;
  }
  /// |eps o u|_q for u given entry by entry.
  template <class Entry>
  Real worst_change(const Entry& entry) const {
    const Threat& threat = program_.threat();
    Real sum = 0;
    Real largest = 0;
    for (Index a = 0; a < threat.radii.size(); ++a) {
      const Real part = std::abs(threat.radii(a) * static_cast<Real>(entry(a)));
      sum += threat.norm == Norm::two ? part * part : part;
      largest = std::max(largest, part);
    }
    return threat.norm == Norm::infinity ? sum : threat.norm == Norm::two ? std::sqrt(sum) : largest;
  }
  Real attack(Index j) const {
    return worst_change([&](Index a) { return U_(a, j); });
  }

  Real smallest_slack() const {
    Real smallest = std::numeric_limits<Real>::infinity();
    for (Index j = 0; j < U_.cols(); ++j) {
      for (Index k = 0; k < program_.samples(); ++k) {
        if (program_.pair(k, j) != Pair::kept) continue;
        const Real sign = program_.activations()(k, program_.pattern_of(j)) > 0 ? 1 : -1;
        smallest = std::min(smallest, sign * preactivation(k, j) - attack(j));
      }
    }
    return smallest;
  }

  Real objective() const {
    Real sum = 0;
    for (Index k = 0; k < program_.samples(); ++k) {
      const double y = program_.y()(k);
      const auto [low, high] = program_.method() == Method::separate ? separate_range(k) : joint_range(k);
      const Real worst = !program_.loss().is_margin_loss() ? std::max(loss(low, y), loss(high, y))
                         : y > 0                           ? loss(low, y)
                                                           : loss(high, y);
      sum += program_.loss_weights()(k) * worst;
    }
    for (Index j = 0; j < U_.cols(); ++j) {
      Real square = 0;
      for (Index a = 0; a < U_.rows(); ++a) square += static_cast<Real>(U_(a, j)) * U_(a, j);
      sum += program_.beta() * std::sqrt(square);
    }
    return sum;
  }

 private:
  std::pair<Real, Real> joint_range(Index k) const {
    const auto s = [&](Index a) {
      Real entry = 0;
      for (Index j = 0; j < U_.cols(); ++j) {
        entry +=
            (j % 2 == 0 ? 1 : -1) * program_.activations()(k, program_.pattern_of(j)) * static_cast<Real>(U_(a, j));
      }
      return entry;
    };
    Real f = 0;
    for (Index a = 0; a < U_.rows(); ++a) f += program_.X()(k, a) * s(a);
    Real low = f - worst_change(s);
    Real high = f + worst_change(s);
    for (Index j = 0; j < U_.cols(); ++j) {
      if (program_.pair(k, j) != Pair::freed) continue;
      const Real e = program_.activations()(k, program_.pattern_of(j)) > 0 ? 1 : -1;
      const Real share = std::max<Real>(0, attack(j) - e * preactivation(k, j));
      (j % 2 == 0 ? high : low) += j % 2 == 0 ? share : -share;
    }
    return {low, high};
  }

  /// Every neuron attacked by itself: open gates bound it from below, nothing but itself from above.
  std::pair<Real, Real> separate_range(Index k) const {
    Real low = 0;
    Real high = 0;
    for (Index j = 0; j < U_.cols(); ++j) {
      const Real least = program_.activations()(k, j) > 0 ? preactivation(k, j) - attack(j) : 0;
      const Real most = std::max<Real>(0, preactivation(k, j) + attack(j));
      low += j % 2 == 0 ? least : -most;
      high += j % 2 == 0 ? most : -least;
    }
    return {low, high};
  }

  /// Losses that are piecewise quadratic are exact here; any other is taken as it is.
  Real loss(Real f, double y) const {
    if (program_.loss().name() == "hinge") return std::max<Real>(0, 1 - y * f);
    if (program_.loss().name() == "squared") return (f - y) * (f - y) / 2;
    return program_.loss().value(static_cast<double>(f), y);
  }

  const Program& program_;
  const Matrix& U_;
};

}  // namespace conelu
