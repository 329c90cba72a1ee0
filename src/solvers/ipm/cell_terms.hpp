#pragma once

#include "solvers/ipm/norm_cones.hpp"
#include "solvers/ipm/scaled_problem.hpp"

namespace conelu::ipm {

/// What a sample's loss sees of a step: by how much its highest output rises and its lowest falls. `across` numbers the
/// row that ties the two.
enum Side { up, down, across };
/// The side that a block pushes against the bound, and the one that it helps.
inline Side side_of(Index block) { return block % 2 == 0 ? up : down; }
inline Side side_helped(Index block) { return block % 2 == 0 ? down : up; }

/// Rows of the Newton system of one cell, in s-space: gradient sum_r (w_r a_r'ds + k_r) a_r.
///
/// Three rows a group of samples (up, down, across), then the anchor of the norm cone, then the rows of a root of its
/// S; weights may be 0, and vectors are set only where they are not.
struct CellRows {
  Matrix vectors;  // d x rows
  Vector weights;
  Matrix root;  // scratch
  Index count = 0;
};

/// What the samples of a cell and the norm cone of its s_c contribute to a Newton step.
///
/// All samples of a cell share s_c and rho_c >= |eps o s_c|_q. Sample g sees
///
///     b_up = x_g'ds + drho + e_up,     b_down = -x_g'ds + drho + e_down
///
/// (e: what freed pairs add, else 0) and answers with multipliers N as in SampleTerms. The norm cone of (rho, s) with
/// its kappa, m, S (see NormCones) answers chi = sum_g N_up + N_down in rho, which fixes
///
///     drho = m'ds + shift - chi / kappa,
///
/// and m chi + S ds - l in s. Eliminating drho leaves rows centred at c, with nothing but positive terms:
///
///     Q_c = sum_g theta_up (x + c)(x + c)' + theta_down (x - c)(x - c)' + 4 theta_across x x'
///           + kappa (m - c)(m - c)' + S
///     c = (sum_g (theta_down - theta_up) x + kappa m) / mass,     mass = sum_g (theta_up + theta_down) + kappa.
///
/// Without a threat there is no rho and c = 0. The multipliers N and the vectors S ds are kept as unknowns of their own
/// in refinement: recomputed from ds they would carry its rounding errors times the largest weights.
class CellTerms {
 public:
  explicit CellTerms(const ScaledProblem& problem);

  /// `norms` is null without a threat.
  void linearize(const Matrix& side_theta, const Vector& across_theta, const NormCones* norms);

  /// The parts of N (groups x 2) that do not depend on ds and e, given the residuals of N's equations; the norm cones'
  /// shifts are in these already.
  void set_constants(const Matrix& multiplier_residual, Matrix& constants) const;
  /// The part of a row's answer that does not depend on the step, given all of these.
  double constant_of_row(Index cell, Index row, const Matrix& constants) const;

  /// Gradients (d x cells): sum_g (N_up - N_down) x_g + chi m + spring, without -l.
  void gradients(const Matrix& N, const Matrix& springs, Matrix& Y) const;
  /// b (groups x 2) and drho of a step, chi taken from N. `e` may be null.
  void sides(const Matrix& ds, const Matrix* e, const Matrix& N, Vector& drho, Matrix& b) const;
  /// theta b, the answer of the samples without their targets.
  void respond(const Matrix& b, Matrix& N) const;
  /// S ds
  void springs(const Matrix& ds, Matrix& Y) const;
  /// chi of every cell
  double chi(Index cell, const Matrix& N) const;

  Index rows_of(Index cell) const { return first_row_[static_cast<std::size_t>(cell) + 1] - first_row(cell); }
  Index first_row(Index cell) const { return first_row_[static_cast<std::size_t>(cell)]; }
  Index all_rows() const { return first_row_.back(); }
  void set_rows(Index cell, CellRows& rows) const;
  /// The last of these, with a threat: d rows B with B'B = S.
  void set_root(Index cell, Eigen::Ref<Matrix> root) const { norms_->set_root(cell, root); }

  const std::vector<std::vector<Index>>& groups_of_cell() const { return groups_; }
  Eigen::Ref<const Vector> sample(Index group) const { return samples_.col(group); }
  const Matrix& centers() const { return centers_; }  // d x cells
  const Vector& masses() const { return masses_; }    // cells
  const Matrix& side_theta() const { return side_theta_; }
  const Vector& across_theta() const { return across_theta_; }

 private:
  const ScaledProblem& problem_;
  const NormCones* norms_ = nullptr;
  std::vector<std::vector<Index>> groups_;
  std::vector<Index> first_row_;  // cells + 1
  Matrix samples_;                // d x groups: the samples as columns
  Matrix side_theta_;
  Vector across_theta_;
  Matrix centers_;
  Vector masses_;
};

}  // namespace conelu::ipm
