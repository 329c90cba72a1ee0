#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conelu/export.hpp"
#include "conelu/pattern_set.hpp"
#include "conelu/threat.hpp"

namespace CONELU_API conelu {

/// What a pattern source may need to know. Sources ignore what does not concern them.
struct PatternRequest {
  Index count = 100;  ///< distinct patterns wanted
  std::uint64_t seed = 0;
  bool all_active =
      false;  ///< put the all-active pattern first (it counts; only if X has such a pattern, as with a bias)
  Index enumeration_limit = 200000;  ///< `all` refuses to enumerate more than this
  Threat threat = {};                ///< what `perturbed` perturbs by and `gaps` keeps clear of
  Vector labels = {};                ///< targets: `gaps` prefers directions that tell them apart; may be empty
  Index directions = 0;              ///< `perturbed`: P_a of Alg 2, random directions; 0: as many as it takes
  Index perturbations = 0;           ///< `perturbed`: S of Alg 2, patterns tried per direction; 0: 10
};

/// Patterns and what their source has to say about them.
struct SampledPatterns {
  PatternSet patterns;
  Index draws = 0;         ///< directions drawn
  bool exhausted = false;  ///< stopped because no new pattern turned up (not: because `directions` were used up)
};

/// A named source of patterns. Adding one: a file in src/patterns and a line in the registry there.
struct PatternSource {
  std::string name;
  std::string description;
  SampledPatterns (*make)(const MatrixView& X, const PatternRequest& request);
};

const std::vector<PatternSource>& pattern_sources();

/// Patterns of X from the source of that name, or, if `source` ends in .npy, from that file (P x n, entries 0 and 1):
///
/// - `gaussian` is Alg 1 of the paper: [X a >= 0] with a ~ N(0, I).
/// - `perturbed` is Alg 2: [X a >= 0] and then S - 1 times [(X + Delta) a >= 0] with every sample moved by a random
/// extreme
///   point of its ball: eps o sgn(r), r normal, for p = inf as in the paper; eps o r / |r| for p = 2; plus or minus the
///   radius of one feature for p = 1. What perturbing adds is dead (a live pattern is one of X itself); without a
///   threat it adds nothing at all.
/// - `gaps` gives patterns that are live by construction, with a witness: a random sparse direction a, and a threshold
///   in the middle of a gap between the projected samples that is wider than 2 |eps o a|_q; the patterns of both sides.
///   Thresholds are multiples of a constant column, best one of radius 0. Failing that, of a direction on which all
///   samples are active out of reach; failing that, they are 0. Even splits of the samples are preferred. Without a
///   threat any gap will do.
/// - `all` is exact enumeration.
///
/// All give distinct patterns and may give fewer than asked for. The same seed gives the same patterns, for any number
/// of threads, and those of a small request are the first of a large one. Throws std::invalid_argument for an unknown
/// source (listing the known ones), a file of the wrong shape or content (naming row and column), an enumeration beyond
/// the limit (naming the estimated count), and a field of the request that is out of range or does not fit X.
SampledPatterns make_patterns(const std::string& source, const MatrixView& X, const PatternRequest& request = {});

/// Those of the patterns whose cones {u : e_k x_k'u >= |eps o u|_q} have an interior, each with a witness of that.
/// Throws std::invalid_argument if patterns or radii do not fit X.
PatternSet live_patterns(const MatrixView& X, const PatternSet& patterns, const Threat& threat = {});

/// On how many samples two patterns differ, over all pairs of those that were compared.
struct PatternDifferences {
  Index compared = 0;  ///< patterns; with fewer than two the rest is 0
  Index least = 0;
  double mean = 0;
  Index most = 0;
};

/// Of more patterns than `at_most`, every second, third, ... is compared.
PatternDifferences pattern_differences(const PatternSet& patterns, Index at_most = 2000);

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
