#pragma once

#include <string>
#include <vector>

#include "conelu/patterns.hpp"
#include "conelu/program.hpp"

/// Small problems that tests of several folders share.
namespace conelu::problems {

/// n points of a standard normal in d dimensions, the last column ones if `bias`; targets -1/+1 by a non-linear rule
/// for margin losses, real numbers otherwise. Depends on the seed alone.
struct Points {
  Matrix X;
  Vector y;
};
Points random_points(Index n, Index d, bool bias, bool labels, std::uint64_t seed);

/// A program on random points with `count` sampled patterns.
Program random_program(const std::string& loss, Index n, Index d, Index count, double beta, std::uint64_t seed);

/// How many random problems a test tries: `usual`, or `slow` under `make test-all` (CONELU_SLOW_TESTS=1).
std::uint64_t repetitions(std::uint64_t usual, std::uint64_t slow);

/// One reference case: a program and what independent conic solvers say of its optimum.
struct Case {
  std::string name;
  std::string loss;
  double beta;
  double eps;
  double objective;           ///< of a feasible point: not below the optimum
  double proven_lower_bound;  ///< not above the optimum
  std::string data_file;
  std::string pattern_file;
};

/// The reference cases with eps = 0, or none where the shared folder is absent.
std::vector<Case> standard_cases();
Program load_program(const Case& reference);

/// A dense copy of point U that satisfies the cones of the program, random, of about the given size.
Matrix random_feasible_blocks(const Program& program, double size, std::uint64_t seed);

}  // namespace conelu::problems
