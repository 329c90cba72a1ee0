#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "conelu/solver.hpp"
#include "properties/recipe.hpp"

namespace conelu::properties {

/// How the problems of a run ended: an honest failure breaks no property and would not be seen otherwise.
class Tally {
 public:
  void add(const Recipe& recipe, const Solution& solution, double tolerance);
  void add_refusal() { ++refusals_; }

  double optimal_share() const;
  /// The share, by loss, method, threat and degeneracy what was not optimal, and the five widest gaps.
  void print(std::ostream& out) const;

 private:
  struct Share {
    int problems = 0;
    int optimal = 0;
  };
  struct Failure {
    double gap;
    std::string recipe;
    std::string stop;
  };

  std::map<std::string, Share> shares_;  ///< of each property of a recipe
  Share all_;
  std::vector<Failure> failures_;
  int refusals_ = 0;
  double slowest_ = 0;
  std::string slowest_recipe_;
};

}  // namespace conelu::properties
