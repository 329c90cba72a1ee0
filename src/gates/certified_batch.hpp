#pragma once

#include "conelu/gates.hpp"

namespace conelu {

/// The certified worst case of a few samples and its slope in the blocks; samples are columns.
///
/// Of a few choices of gates each sample takes the one that bounds it best. Blocks that help its side are open where
/// they are active, at x or at the worst point of the first choice (`separate`: where their own attacks leave
/// something). Blocks that oppose it are closed, and open where t = x'u is large, if the method lets them: closed they
/// cost t + A, with all of their attack A; open t + (A - t)_+ and what they add to the one norm of all open blocks,
/// where attacks may cancel. From which t on that is cheaper depends on the others, so several are tried.
///
/// Residual losses are bounded on the side on which the sample is off already, with gates for that side alone: a guide
/// for descent. What is certified of its result is for choose_gates and Program to say.
class CertifiedBatch {
 public:
  CertifiedBatch(const Loss& loss, Method method);

  /// Lower bounds of side * f within the ball of each sample.
  const Vector& bound(const Matrix& U, const Threat& threat, const Matrix& points, const Vector& y);
  /// Which output counts: y, or for residual losses 1 where f is below y and -1 elsewhere.
  const Vector& sides() const { return sides_; }
  /// Adds the slope of sum_k c_k worst_k to `slope` (d x J).
  void add_slope(const Matrix& U, const Threat& threat, const Matrix& points, const Vector& y, const Vector& weights,
                 Matrix& slope);

 private:
  struct Choice {
    Matrix gates;   // J x batch: what an open gate's block does to the side that counts, 1 or -1; closed: 0
    Matrix shares;  // J x batch: 1 where the attacker has t + A of a pair beyond the gate, -1: A - t, 0: nothing
    Matrix worst;   // d x batch: where the attacker would go
    Vector bound;   // of side * f
  };

  bool opposes(Index j, Index k) const;
  void set_products(const Matrix& U, const Threat& threat, const Matrix& points, const Vector& y);
  /// Helping blocks as `products` say, opposing ones open from `least` attacks on.
  void choose(const Matrix& products, double least, Choice& choice) const;
  void set_bound(const Matrix& U, const Threat& threat, const Matrix& points, Choice& choice);
  /// Takes gates at the first choice's worst points for the samples that they bound better.
  void try_gates(const Matrix& U, const Threat& threat, const Matrix& points, double least);

  const Loss& loss_;
  bool separate_;                        // every block is bounded by itself
  bool may_open_;                        // blocks that oppose
  Matrix products_, products_at_worst_;  // J x batch
  Matrix weights_;                       // d x batch
  Vector attacks_, sides_;
  Choice best_, other_;
};

}  // namespace conelu
