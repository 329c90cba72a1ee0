#pragma once

#include "solvers/ipm/cell_sum.hpp"
#include "solvers/ipm/freed_coupling.hpp"
#include "solvers/ipm/pattern_sums.hpp"

namespace conelu::ipm {

/// Where two blocks share a pattern: a dense factor of the differences z_i = v_i - w_i for the springs S_c of the norms
/// of s, d unknowns a pattern, and then one with an unknown a row of the samples.
///
/// Springs see the differences alone. What blocks and springs make of a step is K = blockdiag(H_j, mass_j) + E'B E with
/// E du = z and B = sum_c d_c d_c' (x) S_c, whose inverse is that of M = blockdiag(N_i) + B, see PatternSums. Freed
/// pairs see every block, but only through the n rows a_r of the samples. The norm of s_c, its own rho eliminated, adds
/// its anchor m_c to these rows and 1 / kappa_c to the compliance of all rows of the cell: with weights w_r,
/// A = w^1/2 (a + m), e = w^1/2 within a cell, and q = w^-1/2 times the answer of a row,
///
///     (I + A K^-1 A' + e e' / kappa) q = A K^-1 R + c / w^1/2,   step = K^-1 (R - A'q).
///
/// Nothing is subtracted to get there, and eigenvalues are at least 1. Springs that tower above the blocks stay out of
/// M: they are rows of A as well.
class SpringCoupling final : public FreedCoupling {
 public:
  SpringCoupling(const ScaledProblem& problem, const CellTerms& cells, FreedPairs& freed, int threads);

  bool factor(const BlockFactors& blocks, const NormCones* norms, double regularization, bool careful) override;
  void solve(const BlockFactors& blocks, Matrix& R, Vector& R_tau, Matrix& multiplier_residual, Matrix& spring_residual,
             Matrix& du, Vector& dtau, Matrix& N, Matrix& springs) override;

  /// Of the last factor: springs that stayed out of M.
  Index heavy_springs() const { return heavy_vectors_.cols(); }

 private:
  /// Of a sample: `which` is its group. Of a spring: `which` numbers the rows of the root of S, `side` is kSpring.
  struct Row {
    Index cell;
    Index which;
    int side;
    double root;  // of the weight
  };
  static constexpr int kSpring = -1;
  static bool sees_norm(const Row& row) { return row.side == up || row.side == down; }

  /// Both are false if weights are not numbers.
  bool choose_rows();
  bool choose_heavy(double limit);
  void add_springs();
  /// F^-1 A' with K = F F': what M leaves of the differences, then what blocks leave of v_i + w_i, then tau.
  void set_panel(const BlockFactors& blocks);
  bool factor_rows(double regularization);
  /// R -= what N and springs push
  void push(const BlockFactors& blocks, const Matrix& N, const Matrix& springs, Matrix& R, Vector& R_tau);

  const ScaledProblem& problem_;
  const CellTerms& cells_;
  FreedPairs& freed_;
  const NormCones* norms_ = nullptr;
  Index size_;  // P d
  PatternSums sums_;
  CellSum cell_sum_;
  std::vector<Row> rows_;  // those of the samples cell by cell, then heavy springs cell by cell
  Index sample_rows_ = 0;
  std::vector<char> heavy_;  // cells x d: which springs are
  Matrix heavy_vectors_;     // d x heavy springs
  Matrix system_;            // M
  Matrix panel_;             // unknowns x rows
  Matrix rows_system_;
  Vector q_, y_;
  Matrix constants_, answers_;             // groups x 2
  Matrix Z_, T_, sums_of_cells_;           // d x P
  Matrix ds_, Y_, heavy_answers_;          // d x cells
  std::vector<Matrix> roots_;              // one per thread: of S
  std::vector<Matrix> parts_v_, parts_w_;  // one per thread: d x rows
};

}  // namespace conelu::ipm
