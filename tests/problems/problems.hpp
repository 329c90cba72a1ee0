#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "conelu/dataset.hpp"
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

/// The name as the test framework takes it.
std::string test_name(std::string name);

/// One kind of program: tests run over all of them, so that a new loss, norm or method is tested without editing one.
struct Setting {
  std::string loss;
  Method method = Method::cones;
  Norm norm = Norm::infinity;
  double radius = 0;  ///< about that of the features; 0: nobody perturbs anything

  std::string name() const;
};
void PrintTo(const Setting& setting, std::ostream* out);
/// Every registered loss with every method, without a threat and in every norm.
std::vector<Setting> every_setting();

/// The same radius for all columns, for all but the bias, or another for every column and 0 for some, in turn.
Threat random_threat(Norm norm, double radius, Index d, std::uint64_t seed);

/// A program of that kind on random points with a bias: about `count` patterns whose robust cones have an interior, and
/// for `reduced` as many again from random directions, most of which have none.
Program random_program(const Setting& setting, Index n, Index d, Index count, double beta, std::uint64_t seed);

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
  Norm norm = Norm::infinity;
};

/// The reference cases with eps = 0 and those with eps > 0, or none where the shared folder is absent.
std::vector<Case> standard_cases();
std::vector<Case> robust_cases();
Program load_program(const Case& reference, Method method = Method::cones);

/// The complete rows of Mammographic Masses, as published: 5 features, classes -1 and +1. None where the shared folder
/// is absent.
Dataset mammographic_masses();

/// A random point of the program, of about the given size: every kept pair holds.
Matrix random_feasible_blocks(const Program& program, double size, std::uint64_t seed);

}  // namespace conelu::problems
