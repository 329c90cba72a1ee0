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
  blocks,     ///< a dense factor with all unknowns of the blocks
  iterative,  ///< conjugate gradients
};

/// The smaller of the two dense factors that the program allows, if it is not too large.
CouplingKind freed_coupling_kind(bool joint, Index side_rows, Index unknowns);

std::unique_ptr<FreedCoupling> make_freed_coupling(const ScaledProblem& problem, const CellTerms& cells,
                                                   FreedPairs& freed, int threads);

}  // namespace conelu::ipm
