#pragma once

#include "conelu/attack.hpp"
#include "linalg/random.hpp"

namespace conelu::attacks {

/// Where the attacker may move some rows: the ball of the threat around each, cut with the values that features can
/// take.
///
/// Inside it is worked with z = (p - x) / radii, entry by entry, for which the ball is the unit ball of the norm; z is
/// 0 for a feature that is out of reach.
class Ball {
 public:
  /// The rows as columns (d x rows), of which the first `count` can be moved.
  Ball(const AttackSettings& settings, Matrix centers, Index count);

  Norm norm() const { return norm_; }
  Index dimension() const { return centers_.rows(); }
  const Matrix& centers() const { return centers_; }
  const Vector& radii() const { return radii_; }

  /// Range of feature a of row k, on its own: of the box for the infinity norm, else of the features' values only.
  double lowest(Index a, Index k) const { return low_(a, k); }
  double highest(Index a, Index k) const { return high_(a, k); }

  /// From the points along the steepest way up, over a distance of lengths(k) radii, and back into the ball:
  ///
  ///     infinity   all features, by the sign of the gradient
  ///     2          along the gradient of z
  ///     1          the one feature that changes most
  void step(const Matrix& gradients, const Vector& lengths, Matrix& points) const;

  /// Uniform in the unit ball, and the unit ball's extreme points (of the sphere, for 2).
  Vector random_point(Random& random) const;
  Vector random_vertex(Random& random) const;
  /// The same z around every row.
  Matrix place(const Vector& z) const;

  /// z of a point of row k.
  Vector scaled(Index k, const VectorView& point) const;
  /// The largest s for which point + s direction is inside, up to rounding.
  double reach(Index k, const VectorView& point, const VectorView& direction) const;

  /// Moves points that rounding has put outside by as little as it takes: then Threat::size(p - x) <= 1 as it is
  /// computed.
  void pull_in(Matrix& points) const;

 private:
  void set_ranges(const Vector& lower, const Vector& upper);
  void step_in_box(const Matrix& gradients, const Vector& lengths, Matrix& points) const;
  void step_in_ball(Index k, const Matrix& gradients, double length, Matrix& points) const;
  double size(const VectorView& z) const;

  Norm norm_;
  Threat threat_;
  Vector radii_;    // d, zeros if nobody perturbs anything
  bool limited_;    // features have ranges of their own
  Matrix centers_;  // d x rows
  Index count_;
  Matrix low_, high_;                // d x rows
  Matrix scaled_low_, scaled_high_;  // the same as z; not used by the infinity norm
};

}  // namespace conelu::attacks
