#include "solvers/ipm/best_point.hpp"

#include <limits>
#include <utility>

namespace conelu::ipm {

BestPoint::BestPoint(const Program& program, const ScaledProblem& problem)
    : program_(program),
      problem_(problem),
      certifier_(program),
      nu_(program.samples()),
      candidate_blocks_(Matrix::Zero(program.dimension(), program.blocks())),
      best_blocks_(candidate_blocks_) {
  candidate_dual_.nu = Vector::Zero(program.samples());
  candidate_dual_.lambda = Matrix::Zero(program.samples(), program.blocks());
  best_dual_ = candidate_dual_;
  certificate_.objective = std::numeric_limits<double>::infinity();
  certificate_.lower_bound = -std::numeric_limits<double>::infinity();
}

void BestPoint::judge_zero_network() {
  candidate_blocks_.setZero();
  for (Index k = 0; k < program_.samples(); ++k) {
    candidate_dual_.nu(k) = program_.loss_weights()(k) * slope_at_zero(program_.loss(), program_.y()(k));
  }
  keep_what_improves();
}

void BestPoint::judge(const SampleTerms& samples, const Iterate& at) {
  samples.sample_nu(at, nu_);
  problem_.unscale(at.U, nu_, at.lambda, candidate_blocks_, candidate_dual_);
  keep_what_improves();
}

void BestPoint::keep_what_improves() {
  const Certificate judged = certifier_.certify(candidate_blocks_, candidate_dual_);
  certificate_.scope = judged.scope;
  if (judged.objective < certificate_.objective) {
    certificate_.objective = judged.objective;
    certificate_.violation = judged.violation;
    std::swap(best_blocks_, candidate_blocks_);
  }
  if (judged.lower_bound > certificate_.lower_bound) {
    certificate_.lower_bound = judged.lower_bound;
    std::swap(best_dual_.nu, candidate_dual_.nu);
    std::swap(best_dual_.lambda, candidate_dual_.lambda);
  }
}

void BestPoint::move_to(Solution& solution) {
  solution.certificate = certificate_;
  solution.blocks = std::move(best_blocks_);
  solution.dual = std::move(best_dual_);
}

}  // namespace conelu::ipm
