#pragma once

#include <algorithm>
#include <limits>

#include "conelu/patterns.hpp"

namespace conelu {

/// Decides when sampling has run dry.
class Patience {
 public:
  /// Draws without a new pattern after which the rest is not worth waiting for: were the patterns not yet seen to cover
  /// 4 / patience of all directions between them, a run that long would show one of them with probability 98 %.
  static Index draws(Index found) { return std::max<Index>(5000, 10 * found); }

  /// Counts a draw; `found` patterns are there after it.
  void count(bool is_new, Index found) {
    idle_ = is_new ? 0 : idle_ + 1;
    is_over_ = idle_ >= draws(found) || static_cast<double>(found) >= most_;
  }
  /// The same for a source of patterns of X, which cannot give more than X has.
  void count(bool is_new, Index found, const MatrixView& X) {
    if (!is_new && idle_ + 1 == kIdleBeforeCounting) most_ = std::min(most_, pattern_count_bound(X));
    count(is_new, found);
  }
  bool is_over() const { return is_over_; }

 private:
  static constexpr Index kIdleBeforeCounting = 64;  // the bound costs more than a few draws

  Index idle_ = 0;
  double most_ = std::numeric_limits<double>::infinity();
  bool is_over_ = false;
};

}  // namespace conelu
