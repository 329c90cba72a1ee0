#pragma once

#include <vector>

#include "solvers/ipm/iterate.hpp"

namespace conelu::ipm {

/// Which rows of the cones are worked with.
///
/// Most of 10,000 half-spaces in 20 dimensions have no part in bounding their cone, and those that have are nearly
/// always among the nearest to its centre; the others only make iterations longer, and their many small multipliers
/// make them more. So a standard program with many more samples than features works with the nearest rows of each cone.
/// No iterate crosses one that is left out: a row in the way shortens the step and is worked with from then on. The
/// program stays the same, since a row that no block touches has a multiplier of 0; and its certificate, which knows
/// nothing of this, looks at all rows.
///
/// Every pattern has the same number of near rows, so that slacks and multipliers stay matrices.
class NearRows {
 public:
  explicit NearRows(ScaledProblem& problem);

  /// Makes the problem selective if that is worth it. The witnesses become the centres that the rows are near to.
  void choose();
  /// Works with these rows of the same problem, or with all if there are none.
  void work_with(const IndexMatrix& near);

  /// The share of the direction, at most `longest`, that keeps the blocks inside the rows that are left out; remembers
  /// those that are in the way of a little more than that.
  double longest_step(const Iterate& at, const Iterate& direction, double longest);
  /// True if the last step met rows that are left out.
  bool met_some() const { return met_some_; }
  /// Works with the rows that were met, too, or with all if that would be most of them: `at` gets their slacks and the
  /// multipliers of product mu.
  void extend(double mu, Iterate& at);

 private:
  struct Meeting {
    double step;
    Index row;
  };

  template <class Use>
  void for_each_meeting(const Iterate& at, const Iterate& direction, double limit, Use&& use);
  /// The rows left out of a pattern's near ones that are nearest to its centre, so many of them.
  std::vector<Index> nearest(Index pattern, Index count) const;
  /// Each once, the nearest first, no more of them than a cone starts with.
  std::vector<Index> met_rows(Index pattern);
  /// Of the rows of a block, in their order; no smaller than rounding.
  Vector slacks(const Matrix& U, Index block) const;

  ScaledProblem& problem_;
  Matrix products_, changes_;               // rows at once x J: scratch
  std::vector<std::vector<char>> is_near_;  // by pattern, then by row
  std::vector<std::vector<Meeting>> met_;   // by pattern
  bool met_some_ = false;
};

}  // namespace conelu::ipm
