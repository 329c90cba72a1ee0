#pragma once

#include <vector>

#include "prices/cone_stack.hpp"
#include "prices/search_watch.hpp"

namespace conelu {

/// What became of a cone that was searched for prices above a level.
struct ConeDive {
  /// Disjoint but for their boundaries, and all of it. A single one with the seed's own path if the search came to its
  /// end: then its bound is at most the level, or cannot be improved (`exhausted`).
  std::vector<ConeSeed> parts;
  bool exhausted = false;
  Index nodes = 0;
  std::vector<Vector> good;  ///< directions with the largest prices met, in falling order, all above `worth`
};

struct DiveTask {
  double level = 0;  ///< cones with a bound of at most this are not cut
  Index budget = 0;  ///< nodes
  double worth = 0;  ///< prices above this are handed back
};

/// Depth-first search. What it does depends on the seed and the task alone, unless the watch ends it.
ConeDive dive(ConeStack& stack, const ConeSeed& seed, const DiveTask& task, SearchWatch& watch);

}  // namespace conelu
