#pragma once

#include <functional>
#include <limits>
#include <queue>
#include <vector>

#include "conelu/verify.hpp"
#include "evaluate/verify/goal.hpp"
#include "evaluate/verify/relaxation.hpp"

namespace conelu::verification {

/// Asked before every node; false ends the search with what it has.
using GoOn = std::function<bool()>;

/// Branch and bound for one row: the smallest value over its region, or as much about it as the verdict needs.
///
/// The node of the lowest bound comes first. Its relaxation is solved, its point gives an upper bound, and its minorant
/// narrows the node to the points that still matter; then it is cut in two.
class Search {
 public:
  Search(const Forward& network, const VectorView& x, double y, const VerifySettings& settings, GoOn go_on);

  Verification run();

 private:
  struct LowerBoundFirst {
    bool operator()(const Node& a, const Node& b) const { return a.bound > b.bound; }
  };

  bool is_done() const;
  void explore(Node node);
  void branch(const Relaxation& relaxation, const std::vector<Index>& candidates, const Node& node);
  void keep(Node node);
  void close(const Node& node);

  /// Evaluates the network at a point of the region, then where its slope leads, while that goes down.
  void descend(Vector v, const Side& side);
  /// Goes to the minimum with the concave neurons on the sides that they have at v, while that goes down.
  void descend_convex(Vector v, const Side& side);
  /// True if it is the worst point so far.
  bool consider(const VectorView& v, const Side& side);
  Node whole_region(const Side& side) const;

  /// Values from here on are of no interest.
  double cutoff() const;
  double lower() const;
  Verification result() const;

  const Forward& network_;
  const VerifySettings& settings_;
  GoOn go_on_;
  Region region_;
  LocalNetwork local_;
  Goal goal_;
  double tolerance_;

  std::priority_queue<Node, std::vector<Node>, LowerBoundFirst> open_;
  double closed_ = std::numeric_limits<double>::infinity();  // smallest bound of the nodes that are done with
  double upper_ = std::numeric_limits<double>::infinity();
  double worst_value_ = std::numeric_limits<double>::infinity();
  Vector worst_;
  bool broken_ = false;
  long branches_ = 0;
};

}  // namespace conelu::verification
