#pragma once

#include <vector>

#include "prices/cone_dive.hpp"
#include "prices/met_prices.hpp"

namespace conelu {

/// Both signs of the price on every orthant.
std::vector<ConeSeed> all_orthants(Index rank, double bound);

/// Best first between dives, depth first within. A round takes the open cones with the largest bounds, searches each
/// with a budget of its own, and merges what is left of them in order: the result does not depend on who does what.
class ConeSearch {
 public:
  /// `goal`: cones with a bound of at most this are closed. It rises with `met` if its largest price is above it.
  ConeSearch(const FoldedPrice& price, double goal, double tolerance, double worth, MetPrices& met, SearchWatch& watch);

  /// Until all cones are closed, so many nodes were looked at, or the watch says no.
  void run(Index node_limit);

  double upper() const { return open_.empty() ? closed_bound_ : std::max(closed_bound_, open_.front().seed.bound); }
  Index nodes() const { return nodes_; }

 private:
  struct Open {
    ConeSeed seed;
    Index number;  // ties are broken by age
    bool operator<(const Open& other) const {
      return seed.bound != other.seed.bound ? seed.bound < other.seed.bound : number > other.number;
    }
  };

  double next_level() const;
  void round(Index budget);
  void keep(const ConeSeed& seed);
  void raise_goal();
  void close_below_goal();
  void start_uphill();

  const FoldedPrice& price_;
  double goal_, tolerance_, worth_;
  MetPrices& met_;
  SearchWatch& watch_;
  std::vector<ConeStack> stacks_;  // one per thread
  std::vector<Open> open_;         // a heap
  double closed_bound_ = 0;
  Index nodes_ = 0, count_ = 0;
};

}  // namespace conelu
