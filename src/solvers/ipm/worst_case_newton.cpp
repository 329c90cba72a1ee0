#include <algorithm>
#include <limits>

#include "linalg/dense.hpp"
#include "linalg/stopwatch.hpp"
#include "solvers/ipm/cell_coupling.hpp"
#include "solvers/ipm/freed_coupling.hpp"
#include "solvers/ipm/newton.hpp"

namespace conelu::ipm {

using dense::Op;

namespace {

constexpr int kMaxRefinements = 5;
constexpr double kTolerable = 30;  // times the residual aimed at: more than that calls for the orthogonal way

/// Every local variable is eliminated where it lives: r in SampleTerms, rho in CellTerms, xi in FreedPairs, t in
/// ConeScaling and, unless freed pairs couple the tau of different blocks, tau in BlockFactors. What is left is
///
///     H_j du_j + sigma_j sum_c d_jc Y_c + sum_k p_jk N_k (c_j - e_jk x_k) = R_j,  mass_j dtau'_j + sum_k p_jk N_k =
///     R'_j
///
/// with dtau_j = c_j'du_j + dtau'_j and Y, N what the cells answer to ds_c and to the sums of p (dtau - e x'du). The
/// multipliers N and the springs S ds are refined along with du: see CellTerms.
class WorstCaseNewton final : public Newton {
 public:
  WorstCaseNewton(const ScaledProblem& problem, SampleTerms& samples, Norms& norms, int threads)
      : problem_(problem),
        samples_(samples),
        norms_(norms),
        cones_(problem.dimension(), problem.blocks()),
        blocks_(problem, threads),
        cells_(problem),
        target_(Matrix::Zero(problem.groups(), problem.blocks())),
        rows_(problem.groups(), problem.blocks()),
        kept_(Matrix::Ones(problem.groups(), problem.blocks())),
        right_(problem.dimension(), problem.blocks()),
        residual_(problem.dimension(), problem.blocks()),
        step_(problem.dimension(), problem.blocks()),
        differences_(problem.dimension(), problem.patterns()),
        ds_(problem.dimension(), problem.cells()),
        gradients_(problem.dimension(), problem.cells()),
        springs_(problem.dimension(), problem.cells()),
        spring_residual_(problem.dimension(), problem.cells()),
        spring_step_(problem.dimension(), problem.cells()),
        multipliers_(problem.groups(), 2),
        multiplier_residual_(problem.groups(), 2),
        multiplier_step_(problem.groups(), 2),
        sides_(problem.groups(), 2),
        leeway_(problem.groups()),
        drho_(problem.cells()),
        tau_(Vector::Zero(problem.blocks())),
        tau_right_(Vector::Zero(problem.blocks())),
        tau_residual_(Vector::Zero(problem.blocks())),
        tau_step_(Vector::Zero(problem.blocks())) {
    if (!problem.reduced) {
      cell_coupling_ = std::make_unique<CellCoupling>(problem, cells_, threads);
      return;
    }
    freed_ = std::make_unique<FreedPairs>(problem);
    block_coupling_ = make_freed_coupling(problem, cells_, *freed_, threads);
    extra_.resize(problem.groups(), 2);
    for (Index j = 0; j < problem.blocks(); ++j) {
      for (Index g = 0; g < problem.groups(); ++g) kept_(g, j) = problem.pair(g, j) == Pair::kept ? 1.0 : 0.0;
    }
  }

  bool factor(const Iterate& at, double accuracy) override {
    accuracy_ = accuracy;
    factor_blocks(at);
    return factor_coupling();
  }

  void solve(const Iterate& at, double sigma_mu, const Iterate* affine, Iterate& direction) override {
    set_penalty_target(sigma_mu, affine, cones_);
    samples_.set_target(at, sigma_mu, affine);
    if (problem_.robust) {
      norms_.blocks->set_target(at.tau, sigma_mu, affine == nullptr ? nullptr : &affine->tau);
    }
    if (problem_.joint) norms_.cells->set_target(at.rho, sigma_mu, affine == nullptr ? nullptr : &affine->rho);
    if (freed_) freed_->set_target(at, sigma_mu, affine);
#pragma omp parallel for schedule(static)
    for (Index j = 0; j < problem_.blocks(); ++j) {
      target_.col(j).setConstant(sigma_mu);
      if (affine != nullptr) target_.col(j).array() -= affine->s.col(j).array() * affine->lambda.col(j).array();
      target_.col(j).array() *= kept_.col(j).array() / at.s.col(j).array();
    }
    solve_for_target(at, direction);
  }

  void correct(const Iterate& at, const Iterate& direction, Steps trial, double lower, double upper,
               Iterate& corrected) override {
    cones_.correct_target(penalty_cones(direction), trial.primal, trial.dual, lower, upper);
    samples_.correct_target(at, direction, trial, lower, upper);
    if (problem_.robust) norms_.blocks->correct_target(at.tau, direction.tau, trial, lower, upper);
    if (problem_.joint) norms_.cells->correct_target(at.rho, direction.rho, trial, lower, upper);
    if (freed_) freed_->correct_target(at, direction, trial, lower, upper);
#pragma omp parallel for schedule(static)
    for (Index j = 0; j < problem_.blocks(); ++j) {
      for (Index k = 0; k < problem_.groups(); ++k) {
        if (kept_(k, j) == 0) continue;
        const double product =
            (at.s(k, j) + trial.primal * direction.s(k, j)) * (at.lambda(k, j) + trial.dual * direction.lambda(k, j));
        target_(k, j) += missing_product(product, lower, upper) / at.s(k, j);
      }
    }
    solve_for_target(at, corrected);
  }

 private:
  void factor_blocks(const Iterate& at) {
    const Stopwatch watch(phases_.block_factors);
    cones_.update(penalty_cones(at));
    if (problem_.robust) norms_.blocks->update(at.tau);
    if (problem_.joint) norms_.cells->update(at.rho);
    samples_.linearize(at);
    side_theta_ = samples_.side_theta();
    across_theta_ = samples_.across_theta();
    blocks_.weights() = at.lambda.cwiseQuotient(at.s).cwiseProduct(kept_);
    if (freed_) {
      freed_->linearize(at, blocks_.weights());
      freed_->put_in_series(side_theta_, across_theta_);
    }
    blocks_.factor(cones_, norms_.blocks.get());
    cells_.linearize(side_theta_, across_theta_, norms_.cells.get());
    samples_.set_leeway(at, side_theta_.rowwise().sum() + across_theta_, leeway_);
  }
  bool factor_coupling();
  /// With as little on the diagonal as will do.
  bool factor_regularized();
  void set_right_side(const Iterate& at);
  void solve_for_target(const Iterate& at, Iterate& direction);
  /// A step for the residuals that are left.
  void solve_for_residual();
  /// Residuals of blocks, multipliers and springs; returns the largest of the first two, in units of the penalty's
  /// dual ball. Leaves (E X - c') du in direction.s and the samples' steps in sides_.
  double compute_residual(Iterate& direction);
  void compute_cell_residuals();
  void complete(const Iterate& at, Iterate& direction);
  /// Where the losses answer steeply, the step that they see follows from their answer.
  void follow_multipliers();
  /// ds_c of block steps.
  void spread(const Matrix& du);
  /// What gradients of the cells add to those of the patterns, in differences_.
  void gather(const Matrix& gradients);

  const ScaledProblem& problem_;
  SampleTerms& samples_;
  Norms& norms_;
  double accuracy_ = 0;
  bool orthogonal_ = false;
  bool factored_ = false;  // not if the orthogonal way failed in the middle of an iteration
  ConeScaling cones_;
  BlockFactors blocks_;
  CellTerms cells_;
  std::unique_ptr<FreedPairs> freed_;  // null for `cones`
  std::unique_ptr<CellCoupling> cell_coupling_;
  std::unique_ptr<FreedCoupling> block_coupling_;
  Matrix side_theta_, side_target_;  // groups x 2: of losses and freed pairs together
  Vector across_theta_;
  Matrix target_;  // groups x J: (sigma mu - correction) / s
  Matrix rows_;    // groups x J: scratch
  Matrix kept_;    // groups x J: 1 for kept pairs, else 0
  Matrix right_, residual_, step_;
  Matrix differences_;                                          // d x P: scratch
  Matrix ds_, gradients_;                                       // d x cells
  Matrix springs_, spring_residual_, spring_step_;              // d x cells: S ds
  Matrix multipliers_, multiplier_residual_, multiplier_step_;  // groups x 2: N
  Matrix sides_, extra_;                                        // groups x 2
  Vector leeway_;                                               // groups: what a residual of 1 of a multiplier costs
  Vector drho_;                                                 // cells
  Vector tau_, tau_right_, tau_residual_, tau_step_;            // J: dtau' and its equation
};

bool WorstCaseNewton::factor_coupling() {
  factored_ = factor_regularized();
  // Fewer rows may have drowned the rest for the orthogonal way, which keeps more of them apart.
  if (factored_ || orthogonal_) return factored_;
  orthogonal_ = true;
  return factored_ = factor_regularized();
}

bool WorstCaseNewton::factor_regularized() {
  const Stopwatch watch(phases_.coupling_factor);
  // The solves refine against the matrix as it is, so a little more on the diagonal costs a refinement, not accuracy.
  for (double regularization = 1e-16; regularization < 1e-7; regularization *= 100) {
    if (freed_ ? block_coupling_->factor(blocks_, norms_.cells.get(), regularization, orthogonal_)
               : cell_coupling_->factor(blocks_, regularization, orthogonal_)) {
      return true;
    }
  }
  return false;
}

void WorstCaseNewton::spread(const Matrix& du) {
  problem_.sum_blocks(du, differences_);
  dense::multiply(1.0, Op::none, differences_, Op::transpose, problem_.cell_activations, 0.0, ds_);
}

void WorstCaseNewton::gather(const Matrix& gradients) {
  dense::multiply(1.0, Op::none, gradients, Op::none, problem_.cell_activations, 0.0, differences_);
}

void WorstCaseNewton::set_right_side(const Iterate& at) {
  const Stopwatch watch(phases_.residuals);
  side_target_ = samples_.side_target();
  rows_ = target_;
  if (freed_) {
    freed_->put_targets_in_series(side_theta_, across_theta_, side_target_);
    freed_->set_row_targets(rows_);
  }
  differences_.setZero();
  if (problem_.joint) gather(norms_.cells->linear());

  tau_right_.setZero();
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    auto R = right_.col(j);
    R = at.zeta.col(j);
    cones_.add_right_side(j, R);
    if (problem_.robust) {
      const double push = norms_.blocks->kappa()(j) * norms_.blocks->shifts()(j);
      const double sum = rows_.col(j).sum();
      tau_right_(j) = push - sum;
      R += problem_.sign_of(j) * differences_.col(problem_.pattern_of(j)) + norms_.blocks->linear().col(j) +
           push * (blocks_.centers().col(j) - norms_.blocks->anchors().col(j)) - sum * blocks_.centers().col(j);
    }
    rows_.col(j).array() *= problem_.signs.col(problem_.pattern_of(j)).array();
  }
  dense::multiply(1.0, Op::transpose, problem_.X, Op::none, rows_, 1.0, right_);
}

void WorstCaseNewton::solve_for_residual() {
  const Stopwatch watch(phases_.solves);
  if (freed_) {
    block_coupling_->solve(blocks_, residual_, tau_residual_, multiplier_residual_, spring_residual_, step_, tau_step_,
                           multiplier_step_, spring_step_);
  } else {
    cell_coupling_->solve(blocks_, residual_, multiplier_residual_, spring_residual_, step_, multiplier_step_,
                          spring_step_);
  }
}

void WorstCaseNewton::solve_for_target(const Iterate& at, Iterate& direction) {
  set_right_side(at);
  direction.U.setZero();
  tau_.setZero();
  multipliers_.setZero();
  springs_.setZero();
  if (!freed_ && problem_.robust) tau_ = tau_right_.cwiseQuotient(blocks_.masses());
  double size = std::numeric_limits<double>::infinity();
  // Nowhere yet: the residuals are the right sides.
  residual_ = right_;
  tau_residual_ = tau_right_;
  ds_.setZero();
  if (freed_) extra_.setZero();
  compute_cell_residuals();
  for (int pass = 0; factored_ && pass <= kMaxRefinements; ++pass) {
    solve_for_residual();
    if (freed_) tau_ += tau_step_;
    direction.U += step_;
    multipliers_ += multiplier_step_;
    if (problem_.joint) springs_ += spring_step_;
    const double previous = size;
    size = compute_residual(direction);
    if (size <= accuracy_) break;
    if (size > 0.5 * previous || pass == kMaxRefinements) {
      if (orthogonal_ || size <= kTolerable * accuracy_) break;
      // From here on the fast way is not good enough.
      orthogonal_ = true;
      if (!factor_coupling()) break;
      pass = -1;
      size = std::numeric_limits<double>::infinity();
    }
  }
  complete(at, direction);
}

double WorstCaseNewton::compute_residual(Iterate& direction) {
  const Stopwatch watch(phases_.residuals);
  blocks_.apply(cones_, norms_.blocks.get(), direction.U, direction.s, residual_);
  spread(direction.U);
  if (freed_) freed_->pull(blocks_, direction.U, tau_, extra_);
  cells_.gradients(multipliers_, springs_, gradients_);
  gather(gradients_);
  for (Index j = 0; j < problem_.blocks(); ++j) {
    residual_.col(j) =
        right_.col(j) - residual_.col(j) - problem_.sign_of(j) * differences_.col(problem_.pattern_of(j));
  }
  if (freed_) {
    tau_residual_ = tau_right_ - blocks_.masses().cwiseProduct(tau_);
    freed_->push(blocks_, multipliers_, residual_, tau_residual_);
  }
  compute_cell_residuals();
  if (residual_.size() == 0) return 0;
  return std::max(residual_.colwise().norm().maxCoeff(),
                  (leeway_.asDiagonal() * multiplier_residual_).cwiseAbs().maxCoeff());
}

void WorstCaseNewton::compute_cell_residuals() {
  cells_.sides(ds_, freed_ ? &extra_ : nullptr, multipliers_, drho_, sides_);
  cells_.respond(sides_, multiplier_residual_);
  multiplier_residual_ += side_target_ - multipliers_;
  cells_.springs(ds_, spring_residual_);
  if (problem_.joint) spring_residual_ -= springs_;
}

void WorstCaseNewton::follow_multipliers() {
  const Matrix& theta = samples_.side_theta();
  const Matrix& target = samples_.side_target();
  for (Index g = 0; g < problem_.groups(); ++g) {
    const double x = samples_.across_theta()(g);
    const double a_up = theta(g, up);
    const double a_down = theta(g, down);
    const double r_up = multipliers_(g, up) - target(g, up);
    const double r_down = multipliers_(g, down) - target(g, down);
    if (x > std::max({1.0, a_up, a_down})) {
      // r_up = a_up b_up + x (b_up - b_down), r_down likewise: the difference from the steep part, the mean from the
      // sum of both unless that is flat
      const double difference = 0.5 * ((r_up - a_up * sides_(g, up)) - (r_down - a_down * sides_(g, down))) / x;
      const double mean = a_up + a_down > 1 ? (r_up + r_down - 0.5 * (a_up - a_down) * difference) / (a_up + a_down)
                                            : 0.5 * (sides_(g, up) + sides_(g, down));
      sides_(g, up) = mean + 0.5 * difference;
      sides_(g, down) = mean - 0.5 * difference;
    } else {
      const double difference = sides_(g, up) - sides_(g, down);
      if (a_up > 1) sides_(g, up) = (r_up - x * difference) / a_up;
      if (a_down > 1) sides_(g, down) = (r_down + x * difference) / a_down;
    }
  }
}

void WorstCaseNewton::complete(const Iterate& at, Iterate& direction) {
  if (freed_) freed_->sides_of_losses(multipliers_, sides_);
  follow_multipliers();
  samples_.complete(at, sides_, direction);
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    // s = e x'u - tau
    direction.s.col(j).array() -= tau_(j);
    direction.lambda.col(j).array() =
        kept_.col(j).array() * (target_.col(j).array() - at.lambda.col(j).array() -
                                blocks_.weights().col(j).array() * direction.s.col(j).array());
    complete_penalty(cones_, j, direction);
  }
  if (freed_) {
    freed_->complete(at, multipliers_, direction);
    for (Index j = 0; j < problem_.blocks(); ++j) {
      for (Index g = 0; g < problem_.groups(); ++g) {
        if (problem_.pair(g, j) == Pair::none) direction.s(g, j) = 0;
      }
    }
  }
  if (!problem_.robust) return;
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    const double dtau = blocks_.centers().col(j).dot(direction.U.col(j)) + tau_(j);
    auto spring = residual_.col(j);  // scratch by now
    spring.setZero();
    norms_.blocks->apply_hessian(j, direction.U.col(j), spring);
    // The multiplier of tau_j is the sum of those of its rows. Of pairs that are not there both terms are nothing.
    double chi = (at.lambda.col(j) + direction.lambda.col(j)).sum();
    if (problem_.open.size() > 0) chi += problem_.open.col(j).dot(multipliers_.col(side_helped(j)));
    norms_.blocks->complete(at.tau, j, direction.U.col(j), dtau, chi, spring, direction.tau);
  }
  if (!problem_.joint) return;
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < problem_.cells(); ++c) {
    norms_.cells->complete(at.rho, c, ds_.col(c), drho_(c), cells_.chi(c, multipliers_), springs_.col(c),
                           direction.rho);
  }
}

}  // namespace

std::unique_ptr<Newton> make_worst_case_newton(const ScaledProblem& problem, SampleTerms& samples, Norms& norms,
                                               int threads) {
  return std::make_unique<WorstCaseNewton>(problem, samples, norms, threads);
}

std::unique_ptr<Newton> make_newton(const ScaledProblem& problem, SampleTerms& samples, Norms& norms, int threads) {
  return problem.worst_case() ? make_worst_case_newton(problem, samples, norms, threads)
                              : make_output_newton(problem, samples, threads);
}

}  // namespace conelu::ipm
