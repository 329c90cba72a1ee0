#pragma once

#include "conelu/export.hpp"
#include "conelu/interior_point.hpp"

namespace CONELU_API conelu {

/// Solves the program of a few patterns, and then proves that the blocks of the others vanish, or takes in those that
/// may not.
///
/// Samples that few patterns tell apart fall into few cells, and the interior-point method is fast there. A block that
/// is left out is zero in an optimum if multipliers of its own constraints meet the dual constraint that it adds; they
/// are looked for by an accelerated gradient method, with the rest of the dual point as it is. The certificate is of the
/// whole program. Where most patterns seem to be needed, all are taken.
///
/// Settings are those of the interior-point method, for each of these programs; its iterations are added up. On the way
/// the lower bound is that of the whole program, too: it stays at nothing until the first prices are known.
class WorkingSet final : public Solver {
 public:
  /// Throws std::invalid_argument naming the setting that is out of range.
  explicit WorkingSet(InteriorPointSettings settings = {});
  std::string name() const override { return "working-set"; }
  Solution solve(const Program& program, const ProgressCallback& progress = {}) const override;

  /// True for the kind of program that this solves faster than the interior-point method does: `reduced`, with an
  /// attacker. Few of its blocks are in use, and those that are not make its systems large.
  static bool suits(const Program& program);

 private:
  InteriorPointSettings settings_;
};

}  // namespace conelu
