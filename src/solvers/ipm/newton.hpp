#pragma once

#include <memory>

#include "conelu/phases.hpp"
#include "solvers/ipm/norms.hpp"
#include "solvers/ipm/sample_terms.hpp"
#include "solvers/ipm/steps.hpp"

namespace conelu::ipm {

/// Newton steps of the optimality conditions: factor once an iteration, solve for several right sides.
class Newton {
 public:
  virtual ~Newton() = default;

  /// `accuracy` is the residual that solves should reach from now on. False if a factor failed.
  virtual bool factor(const Iterate& at, double accuracy) = 0;
  /// The direction towards complementarity products of sigma_mu, with Mehrotra's correction if `affine` is given.
  virtual void solve(const Iterate& at, double sigma_mu, const Iterate* affine, Iterate& direction) = 0;
  /// Gondzio's centrality correction of the direction solved for last: products that a trial step brings outside
  /// [lower, upper] are aimed back. `corrected` is a complete new direction.
  virtual void correct(const Iterate& at, const Iterate& direction, Steps trial, double lower, double upper,
                       Iterate& corrected) = 0;

  /// Where the time of all calls went.
  const Phases& phases() const { return phases_; }

 protected:
  Phases phases_;
};

/// For programs in which the loss sees the outputs alone: one scalar a sample couples the blocks.
std::unique_ptr<Newton> make_output_newton(const ScaledProblem& problem, SampleTerms& samples, int threads);
/// For programs with a threat or freed pairs: d scalars a cell couple the blocks.
std::unique_ptr<Newton> make_worst_case_newton(const ScaledProblem& problem, SampleTerms& samples, Norms& norms,
                                               int threads);
/// The one that the program needs.
std::unique_ptr<Newton> make_newton(const ScaledProblem& problem, SampleTerms& samples, Norms& norms, int threads);

}  // namespace conelu::ipm
