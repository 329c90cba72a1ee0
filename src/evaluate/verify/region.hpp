#pragma once

#include <vector>

#include "conelu/threat.hpp"

namespace conelu::verification {

/// The points that an attacker can reach from one row x, in units of the radii: x + radii o v with |v|_p <= 1 and
/// lowest <= v <= highest, the second because features have only the values that they can take. Features that cannot
/// move have no entry in v.
///
/// Everything that bounds need of it is the smallest value of a linear function, in closed form: a sum over the box for
/// p = infinity, the dual norm for the others, and where ball and box both matter a sum that splits the function
/// between them.
class Region {
 public:
  /// `lower` and `upper` may be empty. A feature of x outside of them stays where it is.
  Region(const VectorView& x, const Threat& threat, const Vector& lower, const Vector& upper);

  const Vector& x() const { return x_; }
  Norm norm() const { return threat_.norm; }
  const Vector& radii() const { return threat_.radii; }  ///< of all features; empty if nobody moves any
  Index dimension() const { return static_cast<Index>(features_.size()); }

  bool is_boxed() const { return boxed_; }  ///< `lowest` and `highest` say more than the ball
  const Vector& lowest() const { return lowest_; }
  const Vector& highest() const { return highest_; }
  Vector center() const;  ///< strictly inside

  /// The features' weights u as weights of v, with one rounding each.
  Vector scaled(const VectorView& u) const;

  /// |r|_q, rounded up: at least |r'v| everywhere.
  double reach(const VectorView& r) const;
  /// At most the smallest r'v, in spite of rounding, of all points that Threat::size calls inside.
  double minimum(const VectorView& r) const;
  /// A v that attains it, up to rounding.
  Vector minimiser(const VectorView& r) const;

  /// Nearly the b >= 0 for which gain b + min { (r + b w)'v } is largest; it is concave in b. `step` is about how large
  /// b may be expected.
  double best_multiplier(const VectorView& r, const VectorView& w, double gain, double step) const;

  /// x + radii o v, moved by as little as puts it inside: Threat::size is at most 1 as it is computed.
  Vector point(const VectorView& v) const;

 private:
  /// How far a feature can go against r.
  double limit(const VectorView& r, Index i) const { return r(i) < 0 ? highest_(i) : -lowest_(i); }
  double share_out(const VectorView& r, Eigen::Ref<Vector> lengths) const;
  double share_out_of_cross_polytope(const VectorView& r, Eigen::Ref<Vector> lengths) const;
  double share_out_of_round_ball(const VectorView& r, Eigen::Ref<Vector> lengths) const;
  /// w'v at the minimiser of r'v.
  double along(const VectorView& r, const VectorView& w) const;

  Vector x_;
  Threat threat_;
  Vector lower_, upper_;
  std::vector<Index> features_;  // those that move
  Vector moved_radii_;
  Vector lowest_, highest_;  // -1 and 1 where the ball alone limits v
  bool boxed_;
};

}  // namespace conelu::verification
