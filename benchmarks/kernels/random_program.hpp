#pragma once

#include "conelu/patterns.hpp"
#include "conelu/program.hpp"
#include "linalg/random.hpp"
#include "solvers/ipm/start.hpp"

namespace conelu {

inline Matrix random_rows(Index n, Index d, std::uint64_t seed) {
  Random random(seed, 1);
  Matrix X(n, d);
  for (Index k = 0; k < n; ++k) {
    for (Index a = 0; a + 1 < d; ++a) X(k, a) = random.normal();
    X(k, d - 1) = 1;
  }
  return X;
}

/// Standard or, with a radius, robust training: every other row is +1, patterns are of random hyperplanes.
/// Under a small radius some of the patterns are dead; the kernels are timed on those that are left.
inline Program random_program(Index n, Index d, Index patterns, double eps) {
  const Matrix X = random_rows(n, d, 3);
  Vector y(n);
  for (Index k = 0; k < n; ++k) y(k) = k % 2 == 0 ? 1 : -1;
  PatternRequest request;
  request.count = patterns;
  return Program(X, y, Vector(), make_loss("hinge"), 1e-4, make_patterns("gaussian", X, request).patterns,
                 Threat::uniform(Norm::infinity, eps, d, false));
}

/// A program with the point from which its solve starts: what a kernel sees in the first iteration.
struct Started {
  Program program;
  ipm::ScaledProblem problem{program};
  ipm::SampleTerms samples{problem};
  ipm::Norms norms{problem};
  ipm::Iterate at{problem};

  explicit Started(Program given) : program(std::move(given)) {
    if (problem.robust) {
      at.tau = norms.blocks->make_point();
      at.rho = norms.cells->make_point();
    }
    ipm::start(problem, samples, norms, 1, at);
  }
};

}  // namespace conelu
