#include "solvers/ipm/freed_coupling.hpp"

#include <algorithm>
#include <functional>

#include "solvers/ipm/block_coupling.hpp"
#include "solvers/ipm/iterative_coupling.hpp"
#include "solvers/ipm/side_coupling.hpp"

namespace conelu::ipm {
namespace {

/// Dense factors of more unknowns take minutes a solve and gigabytes. Those of the sides of the samples are a single
/// product of matrices, while the blocks' are made row by row.
constexpr Index kDenseBlocks = 4000;
constexpr Index kDenseSides = 12000;

/// By the sides of the samples until that is not accurate enough, from then on by the blocks: eliminating these first
/// takes digits from those that all but vanish.
class SidesThenBlocks final : public FreedCoupling {
 public:
  SidesThenBlocks(const ScaledProblem& problem, const CellTerms& cells, FreedPairs& freed, int threads)
      : sides_(problem, cells, freed, threads), make_blocks_([&problem, &cells, &freed, threads] {
          return std::make_unique<BlockCoupling>(problem, cells, freed, threads);
        }) {}

  bool factor(const BlockFactors& blocks, const NormCones* norms, double regularization, bool careful) override {
    if (careful && !blocks_) blocks_ = make_blocks_();
    return blocks_ ? blocks_->factor(blocks, norms, regularization, careful)
                   : sides_.factor(blocks, norms, regularization, careful);
  }
  void solve(const BlockFactors& blocks, Matrix& R, Vector& R_tau, Matrix& multiplier_residual, Matrix& spring_residual,
             Matrix& du, Vector& dtau, Matrix& N, Matrix& springs) override {
    FreedCoupling& used = blocks_ ? static_cast<FreedCoupling&>(*blocks_) : sides_;
    used.solve(blocks, R, R_tau, multiplier_residual, spring_residual, du, dtau, N, springs);
  }

 private:
  SideCoupling sides_;
  std::function<std::unique_ptr<BlockCoupling>()> make_blocks_;
  std::unique_ptr<BlockCoupling> blocks_;
};

}  // namespace

CouplingKind freed_coupling_kind(bool joint, Index side_rows, Index unknowns) {
  if (!joint && side_rows <= std::min(unknowns, kDenseSides)) return CouplingKind::sides;
  return unknowns <= kDenseBlocks ? CouplingKind::blocks : CouplingKind::iterative;
}

std::unique_ptr<FreedCoupling> make_freed_coupling(const ScaledProblem& problem, const CellTerms& cells,
                                                   FreedPairs& freed, int threads) {
  const Index unknowns = problem.blocks() * (problem.dimension() + 1);
  switch (freed_coupling_kind(problem.joint, SideCoupling::rows(problem), unknowns)) {
    case CouplingKind::sides:
      if (unknowns <= kDenseBlocks) return std::make_unique<SidesThenBlocks>(problem, cells, freed, threads);
      return std::make_unique<SideCoupling>(problem, cells, freed, threads);
    case CouplingKind::blocks:
      return std::make_unique<BlockCoupling>(problem, cells, freed, threads);
    case CouplingKind::iterative:
      break;
  }
  return std::make_unique<IterativeCoupling>(problem, cells, freed, threads);
}

}  // namespace conelu::ipm
