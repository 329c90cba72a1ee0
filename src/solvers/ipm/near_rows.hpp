#pragma once

#include "solvers/ipm/iterate.hpp"

namespace conelu::ipm {

/// Which rows of the cones are worked with.
///
/// Of 10,000 half-spaces in 20 dimensions about a hundred bound a cone, all of them among the nearest to its centre;
/// the others only make iterations longer, and their many small multipliers make them more. So a standard program with
/// many more samples than features works with the nearest rows of each cone. No iterate ever crosses one that is left
/// out: a row in the way shortens the step and is worked with from then on. The program stays the same, since a row
/// that no block touches has a multiplier of 0; and its certificate, which knows nothing of this, looks at all rows.
///
/// Every pattern has the same number of near rows, so that slacks and multipliers stay matrices.
class NearRows {
 public:
  /// Makes the problem selective if that is worth it. The witnesses become the centres that the rows are near to.
  explicit NearRows(ScaledProblem& problem);

  /// Works with these rows, of the same problem, instead.
  void work_with(const IndexMatrix& near);

  /// The share of the direction, at most `longest`, that keeps the blocks inside the rows that are left out; remembers
  /// those that are in the way of a little more than that.
  double longest_step(const Iterate& at, const Iterate& direction, double longest);
  /// True if the last step met rows that are left out.
  bool met_some() const { return most_met_ > 0; }
  /// Works with the rows that were met, too: `at` has their slacks and the multipliers of product mu.
  void extend(double mu, Iterate& at);

 private:
  template <class Use>
  void for_each_meeting(const Iterate& at, const Iterate& direction, double limit, Use&& use);
  /// The rows left out of a pattern's near ones that are nearest to its centre, so many of them.
  std::vector<Index> nearest(Index pattern, Index count) const;

  ScaledProblem& problem_;
  Matrix products_, changes_;            // rows at once x J: scratch
  std::vector<std::vector<char>> near_;  // by pattern, then by row: whether it is worked with
  std::vector<std::vector<Index>> met_;  // by pattern
  Index most_met_ = 0;
};

}  // namespace conelu::ipm
