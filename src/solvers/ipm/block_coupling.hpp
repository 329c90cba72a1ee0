#pragma once

#include "solvers/ipm/cell_sum.hpp"
#include "solvers/ipm/freed_coupling.hpp"
#include "solvers/ipm/heavy_rows.hpp"

namespace conelu::ipm {

/// A dense factor of the whole system.
///
/// The rows of the cells are those of CellTerms with all that freed pairs add, now over all unknowns. The heaviest stay
/// out of the system, see HeavyRows.
class BlockCoupling final : public FreedCoupling {
 public:
  BlockCoupling(const ScaledProblem& problem, const CellTerms& cells, FreedPairs& freed, int threads);

  bool factor(const BlockFactors& blocks, const NormCones* norms, double regularization, bool orthogonal) override;
  void solve(const BlockFactors& blocks, Matrix& R, Vector& R_tau, Matrix& multiplier_residual, Matrix& spring_residual,
             Matrix& du, Vector& dtau, Matrix& N, Matrix& springs) override;

 private:
  /// Calls row(id, weight, vector) for every row of the cell with a positive weight, ids as in CellTerms.
  template <class Row>
  void for_each_row(const BlockFactors& blocks, Index cell, Row&& row);
  void set_side(const BlockFactors& blocks, Index group, int side, Eigen::Ref<Vector> row) const;
  void add_blocks(const BlockFactors& blocks);
  /// False if rows are not numbers.
  bool choose_heavy(const BlockFactors& blocks, double limit);
  void add_rows(const BlockFactors& blocks);
  void add_springs();
  /// Where heavy row `id` of all rows is among the heavy ones; -1 if it is light.
  Index heavy_place(Index cell, Index id) const {
    return heavy_[static_cast<std::size_t>(cells_.first_row(cell) + id)];
  }

  const ScaledProblem& problem_;
  const CellTerms& cells_;
  FreedPairs& freed_;
  const NormCones* norms_ = nullptr;
  Index stride_;  // unknowns a block
  Index size_;
  CellSum cell_sum_;
  HeavyRows heavy_rows_;
  std::vector<Index> heavy_;                     // all rows of all cells
  std::vector<std::pair<Index, Index>> chosen_;  // cell and row of every heavy row
  std::vector<double> roots_;                    // of the weights of the heavy rows
  Vector ratios_;                                // all rows
  Matrix system_;
  Matrix panel_;                              // size x kPanelRows: rows that wait to be added, as columns
  Vector up_, down_, center_, anchor_, row_;  // size
  Vector solution_;
  Matrix constants_, extra_;         // groups x 2
  Matrix differences_, ds_, Y_;      // d x P, d x cells, d x cells
  std::vector<Matrix> spring_rows_;  // one per thread: d x d
};

}  // namespace conelu::ipm
