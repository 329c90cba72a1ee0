#pragma once

#include <vector>

#include "conelu/certificate.hpp"

namespace conelu::ipm {

/// Rows of the samples that are treated together: with 20 features and 20 patterns, what belongs to them fits caches.
constexpr Index kRowsAtOnce = 1024;

using IndexMatrix = Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic>;

/// The program in the units in which it is solved: rows of X of length about 1, penalty weight 1.
///
/// With u' = c u, X' = X / c, eps' = eps / c and the objective divided by beta / c the optimum is the same point.
/// Samples with equal rows share their output and their cone row, so they are solved as one group (in the worst-case
/// form only if they also share their activations and their pairs). Without a threat the zero row, if any, is the last
/// group and has no cone row.
class ScaledProblem {
 public:
  explicit ScaledProblem(const Program& program);

  Index samples() const { return y.size(); }
  Index groups() const { return X.rows(); }
  /// Of each block: all that there are, or the near ones.
  Index cone_rows() const { return selective() ? near.rows() : unit_rows.rows(); }
  /// True if the cones are worked with through some of their rows only; see NearRows.
  bool selective() const { return near.size() > 0; }
  /// Feature a of the cone rows of a block; with their signs if these are near ones, without them if they are all.
  auto cone_column(Index block, Index a) const {
    return selective() ? signed_rows.col(pattern_of(block) * dimension() + a) : unit_rows.col(a);
  }
  /// cone rows x d: e_k x_k / |x_k|, of a selective problem
  auto near_rows_of(Index pattern) const { return signed_rows.middleCols(pattern * dimension(), dimension()); }
  Index dimension() const { return X.cols(); }
  Index patterns() const { return activations.cols(); }
  Index blocks() const { return program_.blocks(); }
  Index pattern_of(Index block) const { return program_.pattern_of(block); }
  /// +1 or -1: with which block j enters the output
  static double sign_of(Index block) { return block % 2 == 0 ? 1.0 : -1.0; }
  /// sum of sigma_j u_j over the blocks of each pattern
  void sum_blocks(const Matrix& U, Matrix& sums) const;

  Index cells() const { return cell_activations.rows(); }
  /// True if a threat or freed pairs make the loss at a sample depend on more than its output.
  bool worst_case() const { return robust || reduced; }
  Pair pair(Index group, Index block) const {
    return program_.pair(representatives_[static_cast<std::size_t>(group)], block);
  }

  Method method() const { return program_.method(); }
  /// True if no block has a kept row to be inside of.
  bool unconstrained() const { return program_.unconstrained(); }

  /// Complementarity products of all pairs: one for a kept row, two for a freed share.
  Index pair_products() const { return cone_rows() * blocks() + surplus_; }

  /// Blocks of the program in the units that are solved with.
  Matrix scaled(const MatrixView& blocks) const { return data_scale_ * blocks; }
  /// Writes blocks and multipliers in the program's own units.
  void unscale(const Matrix& U, const Vector& nu, const Matrix& lambda, Matrix& blocks_out, DualPoint& dual_out) const;
  /// The same for what only the worst-case form has, in place. Multipliers of freed pairs are shared out among the
  /// samples of a group, each of which allows for its own part only.
  void unscale_worst_case(const Matrix& lambda, DualPoint& dual_out) const;

  const Loss& loss;
  bool robust;
  bool reduced;
  bool joint;  // robust, and the attacks on the blocks of a sample are one: there is s, and its norm
  Norm norm;
  Vector radii;        // d, if robust
  Matrix X;            // groups x d
  Matrix unit_rows;    // x_k / |x_k| of all rows that there are, each with d entries; in the worst-case form X itself
  Matrix activations;  // groups x P: of what enters s; 0 if every block is bounded by itself
  Matrix open;         // groups x J, if every block is bounded by itself: gates of these bounds; else empty
  Matrix signs;        // unit rows x P: e
  IndexMatrix near;    // cone rows x P, if selective: which of the unit rows; else empty
  Matrix signed_rows;  // cone rows x (d P), if selective: these, times their signs
  Matrix witnesses;    // d x P, unit length, strictly inside the cones
  Vector y;            // n
  Vector weights;      // n: of each sample's loss
  std::vector<Index> group_of;  // n
  std::vector<Index> cell_of;   // groups
  Matrix cell_activations;      // cells x P

 private:
  const Program& program_;
  std::vector<Index> representatives_;  // groups: one sample of each
  Vector row_scales_;                   // unit rows: factor from the program's row to the one that is solved with
  Index surplus_ = 0;                   // products of freed pairs, less the pairs that are not there
  double data_scale_;
  double beta_;
};

}  // namespace conelu::ipm
