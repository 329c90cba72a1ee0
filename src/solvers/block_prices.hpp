#pragma once

#include <functional>
#include <vector>

#include "conelu/certificate.hpp"

namespace conelu {

/// Multipliers for the constraints of blocks that a dual point says nothing about.
///
/// With everything else given, block j adds the constraint |g_j + sum_k c_k x_k + b|_2 <= beta to the dual: the c_k are
/// its multipliers with signs, not above 0 on active samples and not below 0 on others, there at most what the loss
/// leaves to a freed pair, and b is an attack within sum_k |c_k|. This looks for the shortest such sum by projected
/// gradients with Nesterov's momentum, for all blocks of a sign at once: two products of matrices a step. Blocks whose
/// sum is short enough, or gets no shorter, are left alone from then on.
///
/// What was found for a block is where the next search for it starts.
class BlockPrices {
 public:
  explicit BlockPrices(const Program& program);

  /// Sets lambda and block_attacks of both blocks of these patterns in `dual`, which has the sizes of the program.
  /// Returns for each of them the longer of the two sums, as a multiple of beta: if no price is above 1, the bound is
  /// that of the program without these patterns. `go_on` is asked now and then.
  Vector find(const std::vector<Index>& patterns, DualPoint& dual, const std::function<bool()>& go_on);

  /// The blocks v, or the blocks w, of all patterns.
  struct Side {
    double sign;              ///< of the blocks
    std::vector<Index> rows;  ///< samples with a pair
    Matrix X;                 ///< of these
    Matrix directions;        ///< rows x P: -1 on active samples, 1 on others: the sign of c
    Vector limits;            ///< rows: of c where it is not below 0
    Matrix multipliers;       ///< rows x P: c as found last
    double step;              ///< of a gradient
  };

 private:
  void make_side(double sign, Side& side) const;
  void set_limits(const DualPoint& dual, Side& side) const;

  const Program& program_;
  Side sides_[2];
};

}  // namespace conelu
