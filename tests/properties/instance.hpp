#pragma once

#include <limits>

#include "conelu/patterns.hpp"
#include "conelu/program.hpp"
#include "properties/recipe.hpp"

namespace conelu::properties {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What a recipe makes: everything that a program is built from.
struct Instance {
  explicit Instance(const Recipe& recipe);

  Program program() const { return program(patterns, method); }
  Program program(const PatternSet& other_patterns, Method other_method) const {
    return Program(X, y, weights, loss, beta, other_patterns, threat, other_method);
  }

  Matrix X;  ///< with the bias column, if there is one
  Vector y;
  Vector weights;  ///< may be empty
  bool bias;
  LossPointer loss;
  double beta;
  Threat threat;
  Method method;
  PatternSet patterns;
};

}  // namespace conelu::properties
