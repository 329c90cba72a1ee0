#pragma once

#include "solvers/ipm/cell_sum.hpp"
#include "solvers/ipm/cell_terms.hpp"
#include "solvers/ipm/heavy_rows.hpp"
#include "solvers/ipm/pattern_sums.hpp"

namespace conelu::ipm {

/// Solves the Newton system of the worst-case form without freed pairs,
///
///     H_j du_j + sigma_j sum_c d_jc Y_c = R_j,      Y_c = gradient of cell c at ds_c = sum_j sigma_j d_jc du_j,
///
/// in the differences z_i = v_i - w_i, d rows a pattern: M = blockdiag(N_i) + sum_c d_c d_c' (x) Q_c. The heaviest rows
/// of the cells stay out of M, see HeavyRows.
class CellCoupling {
 public:
  CellCoupling(const ScaledProblem& problem, const CellTerms& cells, int threads);

  /// The diagonal is raised by the share `regularization`. False if the factor failed. `orthogonal` as in HeavyRows.
  bool factor(const BlockFactors& blocks, double regularization, bool orthogonal);
  /// Given residuals R (d x J) of the blocks, and of the samples' multipliers and the norm cones' springs, solves for
  /// the steps of all three. R and the residuals are destroyed.
  void solve(const BlockFactors& blocks, Matrix& R, Matrix& multiplier_residual, Matrix& spring_residual, Matrix& du,
             Matrix& N, Matrix& springs);

 private:
  struct Row {
    Index cell, row;
    double weight;
  };
  void choose_heavy(double limit);
  bool is_heavy(Index cell, Index row) const {
    return heavy_[static_cast<std::size_t>(cells_.first_row(cell) + row)] != 0;
  }

  const ScaledProblem& problem_;
  const CellTerms& cells_;
  Index size_;  // P d
  PatternSums sums_;
  CellSum cell_sum_;
  HeavyRows heavy_rows_;
  std::vector<char> heavy_;      // all rows of all cells
  std::vector<Row> candidates_;  // for heaviness; after choose_heavy, the heavy ones
  Matrix system_;
  Matrix Z_, Y_, ds_;           // d x P, d x cells, d x cells
  Matrix constants_;            // groups x 2
  std::vector<CellRows> rows_;  // one per thread
  std::vector<Matrix> scaled_;  // one per thread: light rows, scaled
  std::vector<Matrix> roots_;   // one per thread: of S
  Matrix heavy_vectors_;        // d x heavy rows
};

}  // namespace conelu::ipm
