#pragma once

#include <memory>

#include "conelu/threat.hpp"

namespace conelu {

/// The condition |v|_q <= 1 of a primal-dual interior-point method for q = 1 and q = 2; a box, q = inf, is rows.
///
///     q = 1     w_a >= |v_a|, sum w <= 1      rows over unknowns w of its own
///     q = 2     (1, v) in the second-order cone
///
/// Slacks s and duals z live in the cone. A Newton step of a program reduces to one in v: this class adds its part of
/// the matrix and of the right-hand side, both sums of positive terms, and finds the step of w afterwards.
class UnitBall {
 public:
  explicit UnitBall(Index features) : features_(features) {}
  virtual ~UnitBall() = default;

  Index features() const { return features_; }
  virtual Index unknowns() const = 0;
  virtual Index size() const = 0;       ///< entries of s, and of z
  virtual double degree() const = 0;    ///< s'z / degree is the complementarity
  virtual bool is_round() const = 0;    ///< not made of rows
  virtual Vector constant() const = 0;  ///< of s; the rest is linear in v and w

  virtual Vector start(const VectorView& v) const = 0;  ///< w with slacks strictly inside, for v well inside the ball
  /// Duals strictly inside whose pull is delta.
  virtual Vector start_duals(const VectorView& delta, double room) const = 0;
  virtual void slacks(const VectorView& v, const VectorView& w, Eigen::Ref<Vector> s) const = 0;  ///< their linear part
  /// The linear part of s'z is on_unknowns'w - pull'v.
  virtual Vector pull(const VectorView& z) const = 0;
  virtual Vector on_unknowns(const VectorView& z) const = 0;

  /// Takes the scaling point of s and z, from which all below follows.
  virtual void scale(const VectorView& s, const VectorView& z) = 0;
  virtual void add_to(Eigen::Ref<Matrix> matrix) const = 0;  ///< leading lower triangle
  /// Right-hand side in v alone; remembers for expand() what that loses.
  virtual void condense(const VectorView& on_w, Eigen::Ref<Vector> on_v) = 0;
  virtual Vector expand(const VectorView& v) const = 0;  ///< the step of w
  virtual Vector weigh(const VectorView& ds) const = 0;  ///< the dual side of a step of the slacks
  /// The z to aim at for complementarity mu after steps ds, dz.
  virtual Vector corrected(double mu, const VectorView& ds, const VectorView& dz) const = 0;
  /// The longest step that stays in the cone, at most `limit`.
  virtual double longest_step(const VectorView& value, const VectorView& change, double limit) const = 0;
  virtual bool is_inside(const VectorView& value) const = 0;

 private:
  Index features_;
};

/// The ball of the dual of the attacker's norm, or nothing for Norm::one, whose dual ball is a box.
std::unique_ptr<UnitBall> make_dual_ball(Norm norm, Index features);

}  // namespace conelu
