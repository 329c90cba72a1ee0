#pragma once

#include <vector>

#include "evaluate/verify/forward.hpp"

namespace conelu::verification {

/// One output that a row must keep on its side, y = +1 (at least 0) or -1 (below 0), to be classified right.
struct Contest {
  const Forward* network;
  double y;
};

/// What the rows of each of several classes have to win: for classes c < l the network f_c - f_l says which of the two
/// it is. Of equal outputs the first one wins, which is the rule for +1.
class Contests {
 public:
  explicit Contests(const std::vector<Network>& networks);

  std::vector<Contest> of_class(Index label) const;

 private:
  struct Pair {
    Index first, second;
    Forward difference;
  };
  std::vector<Pair> pairs_;
};

}  // namespace conelu::verification
