#pragma once

#include "solvers/ipm/freed_coupling.hpp"

namespace conelu::ipm {

/// Where blocks meet in the losses alone, without a norm of s: the n-sided way, a dense factor with one unknown a row
/// of the samples.
///
/// With the rows a_r of all sides that have a weight w_r, q = w^1/2 a'step + c / w^1/2 and A = w^1/2 a,
///
///     (I + A H^-1 A') q = A H^-1 R + c / w^1/2,   step = H^-1 (R - A'q),
///
/// where H is the blocks' own part. Eigenvalues are at least 1, so but for rounding the factor exists whatever the
/// weights do.
class SideCoupling final : public FreedCoupling {
 public:
  SideCoupling(const ScaledProblem& problem, const CellTerms& cells, FreedPairs& freed, int threads);

  bool factor(const BlockFactors& blocks, const NormCones* norms, double regularization, bool careful) override;
  void solve(const BlockFactors& blocks, Matrix& R, Vector& R_tau, Matrix& multiplier_residual, Matrix& spring_residual,
             Matrix& du, Vector& dtau, Matrix& N, Matrix& springs) override;

 private:
  struct Row {
    Index group;
    int side;
    double root;  // of the weight
  };
  /// False if weights are not numbers.
  bool choose_rows();
  /// A_j L_j^-T of the rows that see block j, and which these are.
  Index set_panel(const BlockFactors& blocks, Index block, Eigen::Ref<Matrix> panel, std::vector<Index>& seen) const;
  void add_gathered(const BlockFactors& blocks);
  void add_stacked(const BlockFactors& blocks);
  /// What the sides see of a step, in sides_.
  void see(const BlockFactors& blocks, const Matrix& du, const Vector& dtau);
  /// R -= a'N
  void push(const BlockFactors& blocks, const Matrix& N, Matrix& R, Vector& R_tau);
  void solve_blocks(const BlockFactors& blocks, Matrix& du, Vector& dtau) const;

  const ScaledProblem& problem_;
  const CellTerms& cells_;
  FreedPairs& freed_;
  Index stride_;  // unknowns a block
  std::vector<Row> rows_;
  Matrix system_;
  std::vector<Matrix> panels_;            // one per thread
  std::vector<std::vector<Index>> seen_;  // one per thread
  Matrix gram_;                           // of the rows that see a block
  Vector q_;
  Matrix constants_, sides_, answers_;  // groups x 2
  Matrix sums_, ds_, Y_, nothing_;      // d x P, d x cells
};

}  // namespace conelu::ipm
