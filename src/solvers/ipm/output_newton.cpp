#include <algorithm>
#include <limits>

#include "linalg/dense.hpp"
#include "linalg/stopwatch.hpp"
#include "solvers/ipm/coupling.hpp"
#include "solvers/ipm/newton.hpp"

namespace conelu::ipm {

using dense::Op;

namespace {

constexpr int kMaxOutputRefinements = 5;
// The largest weight of a block times the length of its step, times this, is in its residual through rounding alone.
constexpr double kRounding = 0.25 * std::numeric_limits<double>::epsilon();

class OutputNewton final : public Newton {
 public:
  OutputNewton(const ScaledProblem& problem, SampleTerms& samples, int threads)
      : problem_(problem),
        samples_(samples),
        cones_(problem.dimension(), problem.blocks()),
        blocks_(problem, threads),
        coupling_(make_coupling(problem, threads)),
        target_(problem.cone_rows(), problem.blocks()),
        rows_(std::min(problem.cone_rows(), kRowsAtOnce), problem.blocks()),
        point_(problem.dimension(), problem.blocks()),
        right_(problem.dimension(), problem.blocks()),
        residual_(problem.dimension(), problem.blocks()),
        step_(problem.dimension(), problem.blocks()),
        pattern_scratch_(problem.dimension(), problem.patterns()),
        outputs_scratch_(problem.groups(), problem.patterns()),
        kappa_(problem.groups()),
        kappa_residual_(problem.groups()),
        nu_step_(problem.groups()),
        leeway_(problem.groups()),
        heaviest_(problem.blocks()),
        output_error_(problem.groups()) {}

  bool factor(const Iterate& at, double accuracy) override;
  void solve(const Iterate& at, double sigma_mu, const Iterate* affine, Iterate& direction) override;
  void correct(const Iterate& at, const Iterate& direction, Steps trial, double lower, double upper,
               Iterate& corrected) override;

 private:
  void factor_blocks(const Iterate& at);
  /// What the point itself leaves undone, whatever the target.
  void set_point_residuals(const Iterate& at);
  void set_target(const Iterate& at, double sigma_mu, const Iterate* affine);
  void set_right_side();
  void add_cone_targets();
  void solve_for_target(const Iterate& at, Iterate& direction);
  /// A step for the residuals that are left.
  void solve_for_residual();
  /// Fills the residuals of the block equations and of dnu = theta df + kappa; returns the largest of the former, in
  /// units of the penalty's dual ball. Leaves E X^ du in direction.s.
  double compute_residual(Iterate& direction);
  /// A residual that small says nothing about the step, and refining it again would make it larger as often as not.
  double rounding(const Iterate& direction) const {
    return kRounding * heaviest_.cwiseProduct(direction.U.colwise().norm().transpose()).maxCoeff();
  }

  const ScaledProblem& problem_;
  SampleTerms& samples_;
  double accuracy_ = 0;
  ConeScaling cones_;
  BlockFactors blocks_;
  std::unique_ptr<Coupling> coupling_;
  Matrix target_;                             // cone rows x J: (sigma mu - correction) / s
  Matrix rows_;                               // scratch: some cone rows x J
  Matrix point_;                              // d x J: zeta_j - sigma_j X'D_j nu
  Matrix right_, residual_, step_;            // d x J
  Matrix pattern_scratch_, outputs_scratch_;  // d x P, groups x P
  Vector kappa_, kappa_residual_, nu_step_;   // groups
  Vector leeway_;                             // groups: what a residual of 1 of a multiplier costs
  Vector heaviest_;                           // J: largest weight of each block
  Vector output_error_;                       // groups: the samples' copy of the outputs minus those of U
};

bool OutputNewton::factor(const Iterate& at, double accuracy) {
  accuracy_ = accuracy;
  factor_blocks(at);
  set_point_residuals(at);
  const Stopwatch watch(phases_.coupling_factor);
  // The solves refine against the matrix as it is, so a little more on the diagonal costs a refinement, not accuracy.
  for (double regularization = 1e-16; regularization < 1e-7; regularization *= 100) {
    if (coupling_->factor(blocks_, samples_.theta(), regularization)) return true;
  }
  return false;
}

void OutputNewton::factor_blocks(const Iterate& at) {
  const Stopwatch watch(phases_.block_factors);
  cones_.update(penalty_cones(at));
  samples_.linearize(at);
  samples_.set_leeway(at, samples_.theta(), leeway_);
  blocks_.weights() = at.lambda.cwiseQuotient(at.s);
  heaviest_ = blocks_.weights().colwise().maxCoeff();
  blocks_.factor(cones_, nullptr);
}

void OutputNewton::set_target(const Iterate& at, double sigma_mu, const Iterate* affine) {
  set_penalty_target(sigma_mu, affine, cones_);
  samples_.set_target(at, sigma_mu, affine);
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    if (affine != nullptr) {
      target_.col(j).array() =
          (sigma_mu - affine->s.col(j).array() * affine->lambda.col(j).array()) / at.s.col(j).array();
    } else {
      target_.col(j).array() = sigma_mu / at.s.col(j).array();
    }
  }
}

void OutputNewton::solve(const Iterate& at, double sigma_mu, const Iterate* affine, Iterate& direction) {
  set_target(at, sigma_mu, affine);
  solve_for_target(at, direction);
}

void OutputNewton::correct(const Iterate& at, const Iterate& direction, Steps trial, double lower, double upper,
                           Iterate& corrected) {
  cones_.correct_target(penalty_cones(direction), trial.primal, trial.dual, lower, upper);
  samples_.correct_target(at, direction, trial, lower, upper);
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    for (Index k = 0; k < problem_.cone_rows(); ++k) {
      const double product =
          (at.s(k, j) + trial.primal * direction.s(k, j)) * (at.lambda(k, j) + trial.dual * direction.lambda(k, j));
      target_(k, j) += missing_product(product, lower, upper) / at.s(k, j);
    }
  }
  solve_for_target(at, corrected);
}

void OutputNewton::set_point_residuals(const Iterate& at) {
  const Stopwatch watch(phases_.residuals);
  transposed_outputs(problem_, at.nu, outputs_scratch_, pattern_scratch_);
  for (Index j = 0; j < problem_.blocks(); ++j) {
    point_.col(j) = at.zeta.col(j) - (j % 2 == 0 ? 1.0 : -1.0) * pattern_scratch_.col(j / 2);
  }
  outputs(problem_, at.U, pattern_scratch_, outputs_scratch_, output_error_);
  output_error_ = at.f - output_error_;
}

void OutputNewton::set_right_side() {
  const Stopwatch watch(phases_.residuals);
  right_ = point_;
  for (Index j = 0; j < problem_.blocks(); ++j) cones_.add_right_side(j, right_.col(j));
  // The multipliers' own part of the dual residual has cancelled against -lambda in the complementarity equations.
  add_cone_targets();
  kappa_ = samples_.kappa() - samples_.theta().cwiseProduct(output_error_);
}

void OutputNewton::add_cone_targets() {
  if (problem_.selective()) {
#pragma omp parallel for schedule(static)
    for (Index j = 0; j < problem_.blocks(); ++j) {
      dense::multiply_vector(1.0, Op::transpose, problem_.near_rows_of(j / 2), target_.col(j), 1.0, right_.col(j));
    }
    return;
  }
  for (Index first = 0; first < problem_.cone_rows(); first += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, problem_.cone_rows() - first);
    auto rows = rows_.topRows(count);
#pragma omp parallel for schedule(static)
    for (Index j = 0; j < problem_.blocks(); ++j) {
      rows.col(j) = target_.col(j).segment(first, count).cwiseProduct(problem_.signs.col(j / 2).segment(first, count));
    }
    dense::multiply(1.0, Op::transpose, problem_.unit_rows.middleRows(first, count), Op::none, rows, 1.0, right_);
  }
}

void OutputNewton::solve_for_target(const Iterate& at, Iterate& direction) {
  set_right_side();
  direction.U.setZero();
  direction.nu.setZero();
  residual_ = right_;
  kappa_residual_ = kappa_;
  double size = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass <= kMaxOutputRefinements; ++pass) {
    solve_for_residual();
    direction.U += step_;
    direction.nu += nu_step_;
    const double previous = size;
    size = compute_residual(direction);
    if (size <= accuracy_ || size > 0.5 * previous || (pass > 0 && size <= rounding(direction))) break;
  }

#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    direction.lambda.col(j).array() = target_.col(j).array() - at.lambda.col(j).array() -
                                      blocks_.weights().col(j).array() * direction.s.col(j).array();
    complete_penalty(cones_, j, direction);
  }
  // Where theta is large, df from dnu keeps the dual side exact; where it is small, df from du keeps the primal side
  // so. The error left in the samples' copy of the outputs is made up for in the next step.
  direction.f.array() = (samples_.theta().array() > 1.0)
                            .select((direction.nu - samples_.kappa()).array() / samples_.theta().array(),
                                    (direction.f - output_error_).array());
  samples_.complete(at, direction);
}

void OutputNewton::solve_for_residual() {
  const Stopwatch watch(phases_.solves);
  coupling_->solve(blocks_, residual_, kappa_residual_, step_, nu_step_);
}

double OutputNewton::compute_residual(Iterate& direction) {
  const Stopwatch watch(phases_.residuals);
  blocks_.apply(cones_, nullptr, direction.U, direction.s, residual_);
  transposed_outputs(problem_, direction.nu, outputs_scratch_, pattern_scratch_);
  double largest = 0;
  for (Index j = 0; j < problem_.blocks(); ++j) {
    residual_.col(j) = right_.col(j) - residual_.col(j) - (j % 2 == 0 ? 1.0 : -1.0) * pattern_scratch_.col(j / 2);
    largest = std::max(largest, residual_.col(j).norm());
  }
  outputs(problem_, direction.U, pattern_scratch_, outputs_scratch_, direction.f);
  kappa_residual_ = kappa_ + samples_.theta().cwiseProduct(direction.f) - direction.nu;
  return std::max(largest, leeway_.cwiseProduct(kappa_residual_).cwiseAbs().maxCoeff());
}

}  // namespace

std::unique_ptr<Newton> make_output_newton(const ScaledProblem& problem, SampleTerms& samples, int threads) {
  return std::make_unique<OutputNewton>(problem, samples, threads);
}

}  // namespace conelu::ipm
