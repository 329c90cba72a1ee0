#pragma once

#include <vector>

#include "conelu/verify.hpp"
#include "evaluate/verify/forward.hpp"
#include "evaluate/verify/node.hpp"

namespace conelu::verification {

/// What it takes to break a row: a value of one of the sides below the threshold, or at it if that is strict.
struct Goal {
  Goal(const VerifySettings& settings, double y);

  /// The value of a side at a point whose output was computed, and its error.
  Evaluation value(const Side& side, const Evaluation& output) const;
  bool is_broken(double at_most) const { return strict ? at_most <= threshold : at_most < threshold; }
  bool is_robust(double at_least) const { return strict ? at_least > threshold : at_least >= threshold; }
  /// Whoever evaluates the point finds the row broken: one error to the truth and one to what he gets.
  bool is_surely_broken(const Evaluation& value) const { return is_broken(value.output + 2 * value.error); }

  std::vector<Side> sides;
  double threshold;
  bool strict;
};

}  // namespace conelu::verification
