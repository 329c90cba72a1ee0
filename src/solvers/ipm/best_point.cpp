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
  if (problem.worst_case()) {
    candidate_dual_.mu = Vector::Zero(program.samples());
    candidate_dual_.cell_attacks = Matrix::Zero(program.dimension(), problem.joint ? program.cells() : 0);
    candidate_dual_.block_attacks = Matrix::Zero(program.dimension(), problem.robust ? program.blocks() : 0);
  }
  best_dual_ = candidate_dual_;
  certificate_.objective = std::numeric_limits<double>::infinity();
  certificate_.lower_bound = -std::numeric_limits<double>::infinity();
}

void BestPoint::judge_zero_network() {
  candidate_blocks_.setZero();
  for (Index k = 0; k < program_.samples(); ++k) {
    candidate_dual_.nu(k) = program_.loss_weights()(k) * slope_at_zero(program_.loss(), program_.y()(k));
  }
  if (problem_.worst_case()) candidate_dual_.mu = candidate_dual_.nu.cwiseAbs();
  keep_what_improves();
}

void BestPoint::judge(const SampleTerms& samples, const Norms& norms, const Iterate& at) {
  samples.sample_nu(at, nu_);
  problem_.unscale(at.U, nu_, at.lambda, candidate_blocks_, candidate_dual_);
  if (problem_.worst_case()) {
    samples.sample_mu(at, candidate_dual_.mu);
    for (Index j = 0; problem_.robust && j < problem_.blocks(); ++j) {
      norms.blocks->set_attack(at.tau, j, candidate_dual_.block_attacks.col(j));
    }
    for (Index c = 0; problem_.joint && c < problem_.cells(); ++c) {
      norms.cells->set_attack(at.rho, c, candidate_dual_.cell_attacks.col(c));
    }
    problem_.unscale_worst_case(at.lambda, candidate_dual_);
  }
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
    std::swap(best_dual_, candidate_dual_);
  }
}

void BestPoint::move_to(Solution& solution) {
  solution.certificate = certificate_;
  solution.blocks = std::move(best_blocks_);
  solution.dual = std::move(best_dual_);
}

}  // namespace conelu::ipm
