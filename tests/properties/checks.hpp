#pragma once

#include <string>

#include "conelu/interior_point.hpp"
#include "linalg/random.hpp"
#include "properties/instance.hpp"
#include "properties/plain.hpp"

/// What must hold of every solution, however hard the problem. Each throws std::runtime_error that says what does not.
namespace conelu::properties {

void require(bool condition, const std::string& message);

/// Follows a solve: numbers are finite, the bound is never above the objective, neither gets worse, and the method ends
/// after the iterations that it was allowed. There is news of every iteration, of some more than once if there are
/// `several` programs to solve.
class Follower {
 public:
  explicit Follower(int max_iterations, bool several = false) : max_iterations_(max_iterations), several_(several) {}
  ProgressCallback callback();
  /// The last news must be what was returned.
  void check_end(const Solution& solution) const;

 private:
  int max_iterations_;
  bool several_;
  int calls_ = 0;
  Progress last_;
};

/// Nothing but finite numbers.
void check_finite(const Solution& solution);

/// The status follows from the gap, the stop from the status; the blocks are feasible, the objective is theirs, and
/// whoever certifies them again gets the same numbers.
void check_certificate(const Program& program, const PlainLoss& loss, const Solution& solution, double tolerance);

/// No point of the program is below the bound.
void check_bound(const Program& program, const PlainLoss& loss, const Solution& solution, std::uint64_t seed);

/// Nor does any dual point make a bound that is above the objective: spoiled ones, with noise, of other sizes, with
/// numbers that are not finite.
void check_any_dual(const Program& program, const Solution& solution, std::uint64_t seed);

/// A step for every sample, a row each, that the attacker may take; 0 if there is none.
Matrix random_attack(const Program& program, Random& random);

/// The recovered network: finite everywhere, as good as it was said to be on the clean data, and no worse than it was
/// said to be under random attacks and the worst one of the program. Where the cones hold, that one attains the bound.
void check_network(const Program& program, const PlainLoss& loss, const Solution& solution, bool bias,
                   std::uint64_t seed);

}  // namespace conelu::properties
