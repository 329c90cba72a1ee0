#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conelu/pattern_set.hpp"

namespace conelu {

/// What a pattern source may need to know. Sources ignore what does not concern them.
struct PatternRequest {
  Index count = 100;  ///< distinct patterns wanted
  std::uint64_t seed = 0;
  bool all_active =
      false;  ///< put the all-active pattern first (it counts; only if X has such a pattern, as with a bias)
  Index enumeration_limit = 200000;  ///< `all` refuses to enumerate more than this
};

/// Patterns and what their source has to say about them.
struct SampledPatterns {
  PatternSet patterns;
  Index draws = 0;         ///< directions drawn
  bool exhausted = false;  ///< stopped because no new pattern turned up
};

/// A named source of patterns. Adding one: a file in src/patterns and a line in the registry there.
struct PatternSource {
  std::string name;
  std::string description;
  SampledPatterns (*make)(const MatrixView& X, const PatternRequest& request);
};

const std::vector<PatternSource>& pattern_sources();

/// Patterns of X from the source of that name, or, if `source` ends in .npy, from that file (P x n, entries 0 and 1).
/// Throws std::invalid_argument for an unknown source (listing the known ones), a file of the wrong shape or content
/// (naming row and column), and an enumeration beyond the limit (naming the estimated count).
SampledPatterns make_patterns(const std::string& source, const MatrixView& X, const PatternRequest& request = {});

/// Rank of X up to rounding, the r of the bound below.
Index pattern_rank(const MatrixView& X);

/// Upper bound 2 * sum_{k<r} C(n-1, k) on the number of patterns of n points of rank r (as double: it can be huge);
/// exact for points in general position. n counts rows that are neither zero nor parallel to an earlier one.
double pattern_count_bound(const MatrixView& X);

/// The paper's Theorem 2: with P_s >= (n + 1) / (psi xi) - 1 independent draws, with probability at least 1 - xi, one
/// more draw lowers the optimum with probability at most psi.
Index sampled_patterns_needed(Index samples, double psi, double xi);
/// The other direction: the psi * xi that P_s draws buy, (n + 1) / (P_s + 1), at most 1.
double sampling_confidence(Index samples, Index drawn);

}  // namespace conelu
