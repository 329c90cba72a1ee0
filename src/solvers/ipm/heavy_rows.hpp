#pragma once

#include <vector>

#include "conelu/linear_algebra.hpp"

namespace conelu::ipm {

/// How far a row must tower above the blocks to be kept apart. Refinement makes up for what the fast way loses to rows
/// below that; the orthogonal way is there for when it does not, and wants all of its digits.
inline double heavy_limit(bool orthogonal) { return orthogonal ? 1e4 : 1e8; }

/// Solves (M + A A') z = g, where M = L L' is factored and the columns of A, the heavy rows of a Newton system, would
/// drown M in their rounding errors if they were added to it.
///
/// Towards the end of a solve the weights of rows that bind outgrow everything else. Here p = A'z + c are unknowns of
/// their own, so that the multiplier of a heavy row comes from p, not from a tiny A'z times a huge weight. Two ways:
/// - fast: with B = L^-1 A and y = L^-1 g,   (I + B'B) p = B'y + c,   L'z = y - B p;
/// - orthogonal: the least-squares system r = F z + (c, 0), F'r = g with the rows of F = (A', L') in order of their
///   length, by a QR factorisation: about four times the work, and right where heavy rows depend on each other.
class HeavyRows {
 public:
  /// At most `most` rows of length `size`.
  HeavyRows(Index size, Index most);

  Index most() const { return rows_.cols(); }
  Index count() const { return count_; }
  /// The rows, as columns: to be filled after set_count and before `factor`.
  void set_count(Index count) { count_ = count; }
  Eigen::Ref<Matrix> rows() { return rows_.leftCols(count_); }
  /// The right sides c: to be filled before `solve`, which leaves p there.
  Eigen::Ref<Vector> p() { return p_.head(count_); }

  /// False if the factor failed.
  bool factor(const Eigen::Ref<const Matrix>& L, bool orthogonal);
  /// g += A x: for constant parts that move from g to c.
  void add_rows(const Eigen::Ref<const Vector>& x, Eigen::Ref<Vector> g) const;
  /// z holds g and receives the solution.
  void solve(const Eigen::Ref<const Matrix>& L, Eigen::Ref<Vector> z);

 private:
  void factor_orthogonal(const Eigen::Ref<const Matrix>& L);
  void solve_orthogonal(Eigen::Ref<Vector> z);

  Index count_ = 0;
  Matrix rows_, solved_rows_, system_;  // A, B, I + B'B
  Vector p_;
  bool orthogonal_ = false;
  Matrix stacked_;            // F in order, then its factors
  std::vector<Index> place_;  // of each row in that order, heavy rows first
  Vector work_, r_, q_;
};

}  // namespace conelu::ipm
