#pragma once

#include "conelu/solver.hpp"
#include "program/certifier.hpp"
#include "solvers/ipm/norms.hpp"
#include "solvers/ipm/sample_terms.hpp"

namespace conelu::ipm {

/// The best network and the best bound of a solve so far, judged by the certificate alone.
class BestPoint {
 public:
  BestPoint(const Program& program, const ScaledProblem& problem);

  /// Certifies the zero network with the loss's own slope at 0 as the dual guess: the answer if beta is large.
  void judge_zero_network();
  void judge(const SampleTerms& samples, const Norms& norms, const Iterate& at);

  const Certificate& certificate() const { return certificate_; }
  void move_to(Solution& solution);

 private:
  void keep_what_improves();

  const Program& program_;
  const ScaledProblem& problem_;
  Certifier certifier_;
  Vector nu_;  // n, scaled
  Matrix candidate_blocks_, best_blocks_;
  DualPoint candidate_dual_, best_dual_;
  Certificate certificate_;
};

}  // namespace conelu::ipm
