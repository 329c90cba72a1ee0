#pragma once

#include <string>
#include <vector>

#include "conelu/interior_point.hpp"
#include "solvers/ipm/near_rows.hpp"
#include "solvers/ipm/sample_terms.hpp"

namespace conelu {

/// A few early iterates of one solve, and what tells whether another program can use them.
struct Trail::Points {
  struct Point {
    double gap;
    ipm::Iterate at;
    ipm::IndexMatrix near;  // the rows that its slacks are those of, if not of all
  };

  void begin(const ipm::ScaledProblem& problem);
  /// Keeps the iterate if it is the first at a new level of the gap.
  void keep(double gap, const ipm::ScaledProblem& problem, const ipm::Iterate& at);

  std::vector<Point> points;
  // What slacks follow from: all of it must be the same but for weights and radii, which may be so up to a factor.
  std::string loss;
  Method method = Method::cones;
  Norm norm = Norm::infinity;
  Matrix X, activations, open, signs;
  Vector y;
  std::vector<Index> group_of;
  Vector weights;  // of the samples' losses, in the scaled problem's units
  Vector radii;
};

namespace ipm {

/// Starts at the latest point that is far enough from the end for the difference between the programs. False if there
/// is none: the programs differ too much, or in more than beta and a factor that makes all radii smaller.
bool start_from(const Trail::Points& trail, const ScaledProblem& problem, const SampleTerms& samples,
                NearRows& near_rows, Iterate& at);

}  // namespace ipm
}  // namespace conelu
