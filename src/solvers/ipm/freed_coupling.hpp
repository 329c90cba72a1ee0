#pragma once

#include <memory>

#include "solvers/ipm/block_factors.hpp"
#include "solvers/ipm/cell_terms.hpp"
#include "solvers/ipm/freed_pairs.hpp"

namespace conelu::ipm {

/// Solves the Newton system of the worst-case form with freed pairs, which see every block on its own: d + 1 unknowns a
/// block, du_j and dtau'_j (d without a threat). See WorstCaseNewton for the equations.
class FreedCoupling {
 public:
  virtual ~FreedCoupling() = default;

  /// The diagonal is raised by the share `regularization`. False if the factor failed. `careful`: the solves of the
  /// last factor were not good enough.
  virtual bool factor(const BlockFactors& blocks, const NormCones* norms, double regularization, bool careful) = 0;
  /// Given residuals of blocks, tau, the samples' multipliers and the norm cones' springs, solves for the steps of all.
  /// The residuals are destroyed.
  virtual void solve(const BlockFactors& blocks, Matrix& R, Vector& R_tau, Matrix& multiplier_residual,
                     Matrix& spring_residual, Matrix& du, Vector& dtau, Matrix& N, Matrix& springs) = 0;
};

enum class CouplingKind {
  sides,      ///< a dense factor with an unknown a row of the samples
  springs,    ///< dense factors of the differences between the blocks of a pattern and of the rows of the samples
  blocks,     ///< a dense factor with all unknowns of the blocks
  iterative,  ///< conjugate gradients
};

/// What the price of a coupling depends on.
struct CouplingSize {
  bool joint;  ///< as in ScaledProblem
  Index samples;
  Index side_rows;    ///< that the losses can have: three a sample, of margin losses one
  Index unknowns;     ///< of all blocks
  Index differences;  ///< d a pattern, where two blocks share one; else 0

  static CouplingSize of(bool joint, bool margin_loss, Index samples, Index dimension, Index patterns, Index blocks);
};

/// The cheapest of the dense factors that the program allows, if it is not too large.
CouplingKind freed_coupling_kind(const CouplingSize& size);

/// Flops of a factorisation, leading terms. Conjugate gradients have none.
double coupling_flops(CouplingKind kind, const CouplingSize& size);

std::unique_ptr<FreedCoupling> make_freed_coupling(const ScaledProblem& problem, const CellTerms& cells,
                                                   FreedPairs& freed, int threads);

}  // namespace conelu::ipm
