#pragma once

#include "solvers/ipm/freed_coupling.hpp"

namespace conelu::ipm {

/// Conjugate gradients, preconditioned by the part of the system that each block has to itself: a factor of d + 1 rows
/// a block. A step costs two products of X with all blocks and two of the cells' gradients with the activations; memory
/// is that of a few matrices of the size of the samples times the blocks.
class IterativeCoupling final : public FreedCoupling {
 public:
  IterativeCoupling(const ScaledProblem& problem, const CellTerms& cells, FreedPairs& freed, int threads);

  bool factor(const BlockFactors& blocks, const NormCones* norms, double regularization, bool careful) override;
  void solve(const BlockFactors& blocks, Matrix& R, Vector& R_tau, Matrix& multiplier_residual, Matrix& spring_residual,
             Matrix& du, Vector& dtau, Matrix& N, Matrix& springs) override;

 private:
  /// A vector of all unknowns.
  struct Unknowns {
    Matrix u;    // d x J
    Vector tau;  // J, 0 without a threat
    double dot(const Unknowns& other) const { return u.cwiseProduct(other.u).sum() + tau.dot(other.tau); }
  };
  Unknowns unknowns() const;

  /// What cells and freed pairs answer to a step: N and the springs, without constants.
  void respond(const BlockFactors& blocks, const Unknowns& step, Matrix& N, Matrix& springs);
  /// The system times a step.
  void apply(const BlockFactors& blocks, const Unknowns& step, Unknowns& result);
  void precondition(const Unknowns& residual, Unknowns& result) const;
  bool factor_block(const BlockFactors& blocks, Index block, double regularization, Matrix& rows);

  const ScaledProblem& problem_;
  const CellTerms& cells_;
  FreedPairs& freed_;
  const NormCones* norms_ = nullptr;
  double tolerance_ = 0;
  Index stride_;
  Matrix factors_;                  // stride x (J stride)
  Matrix constants_, N_, extra_;    // groups x 2
  Matrix sums_, ds_, Y_, springs_;  // d x P, d x cells
  std::vector<Matrix> rows_;        // one per thread: rows of a block, as columns
  Unknowns residual_, direction_, applied_, preconditioned_, solution_;
};

}  // namespace conelu::ipm
