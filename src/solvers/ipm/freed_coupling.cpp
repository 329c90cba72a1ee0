#include "solvers/ipm/freed_coupling.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "solvers/ipm/block_coupling.hpp"
#include "solvers/ipm/iterative_coupling.hpp"
#include "solvers/ipm/side_coupling.hpp"
#include "solvers/ipm/spring_coupling.hpp"

namespace conelu::ipm {
namespace {

/// Dense factors of more unknowns take minutes a solve and gigabytes. Those of the sides of the samples are a single
/// product of matrices, while the blocks' are made row by row.
constexpr Index kDenseBlocks = 4000;
constexpr Index kDenseSides = 12000;
constexpr Index kDenseSprings = 6000;  // both of the differences and of the rows of the samples

/// The fast way until that is not accurate enough, from then on the careful one. The fast ones eliminate blocks first,
/// which takes digits from those that all but vanish.
class FastThenCareful final : public FreedCoupling {
 public:
  using Maker = std::function<std::unique_ptr<FreedCoupling>()>;
  FastThenCareful(std::unique_ptr<FreedCoupling> fast, Maker make_careful)
      : used_(std::move(fast)), make_careful_(std::move(make_careful)) {}

  bool factor(const BlockFactors& blocks, const NormCones* norms, double regularization, bool careful) override {
    if (careful && make_careful_) {
      used_ = nullptr;  // before the other one takes as much memory
      used_ = std::exchange(make_careful_, nullptr)();
    }
    return used_->factor(blocks, norms, regularization, careful);
  }
  void solve(const BlockFactors& blocks, Matrix& R, Vector& R_tau, Matrix& multiplier_residual, Matrix& spring_residual,
             Matrix& du, Vector& dtau, Matrix& N, Matrix& springs) override {
    used_->solve(blocks, R, R_tau, multiplier_residual, spring_residual, du, dtau, N, springs);
  }

 private:
  std::unique_ptr<FreedCoupling> used_;
  Maker make_careful_;  // empty once it is in use
};

}  // namespace

CouplingSize CouplingSize::of(bool joint, bool margin_loss, Index samples, Index dimension, Index patterns,
                              Index blocks) {
  return {joint, samples, (margin_loss ? 1 : 3) * samples, blocks * (dimension + 1),
          blocks == 2 * patterns ? patterns * dimension : 0};
}

double coupling_flops(CouplingKind kind, const CouplingSize& size) {
  const auto samples = static_cast<double>(size.samples);
  const auto rows = static_cast<double>(size.side_rows);
  const auto unknowns = static_cast<double>(size.unknowns);
  const auto differences = static_cast<double>(size.differences);
  switch (kind) {
    case CouplingKind::sides:
      return rows * rows * (unknowns + rows / 3);
    case CouplingKind::springs:
      return differences * differences * (samples / 2 + differences / 3 + rows) + rows * rows * (unknowns + rows / 3);
    case CouplingKind::blocks:
      return unknowns * unknowns * (samples + unknowns / 3);
    case CouplingKind::iterative:
      break;
  }
  return 0;
}

CouplingKind freed_coupling_kind(const CouplingSize& size) {
  if (!size.joint && size.side_rows <= std::min(size.unknowns, kDenseSides)) return CouplingKind::sides;
  const bool blocks = size.unknowns <= kDenseBlocks;
  const bool springs =
      size.joint && size.differences > 0 && std::max(size.differences, size.side_rows) <= kDenseSprings;
  if (springs && blocks) {
    const bool cheaper = coupling_flops(CouplingKind::springs, size) < coupling_flops(CouplingKind::blocks, size);
    return cheaper ? CouplingKind::springs : CouplingKind::blocks;
  }
  if (springs) return CouplingKind::springs;
  return blocks ? CouplingKind::blocks : CouplingKind::iterative;
}

std::unique_ptr<FreedCoupling> make_freed_coupling(const ScaledProblem& problem, const CellTerms& cells,
                                                   FreedPairs& freed, int threads) {
  const auto size = CouplingSize::of(problem.joint, problem.loss.is_margin_loss(), problem.groups(),
                                     problem.dimension(), problem.patterns(), problem.blocks());
  const auto make_blocks = [&problem, &cells, &freed, threads] {
    return std::make_unique<BlockCoupling>(problem, cells, freed, threads);
  };
  const auto make_iterative = [&problem, &cells, &freed, threads] {
    return std::make_unique<IterativeCoupling>(problem, cells, freed, threads);
  };
  const bool few = size.unknowns <= kDenseBlocks;
  switch (freed_coupling_kind(size)) {
    case CouplingKind::sides: {
      auto sides = std::make_unique<SideCoupling>(problem, cells, freed, threads);
      if (!few) return sides;
      return std::make_unique<FastThenCareful>(std::move(sides), make_blocks);
    }
    case CouplingKind::springs: {
      auto springs = std::make_unique<SpringCoupling>(problem, cells, freed, threads);
      if (!few) return springs;
      return std::make_unique<FastThenCareful>(std::move(springs), make_blocks);
    }
    case CouplingKind::blocks:
      return make_blocks();
    case CouplingKind::iterative:
      break;
  }
  return make_iterative();
}

}  // namespace conelu::ipm
