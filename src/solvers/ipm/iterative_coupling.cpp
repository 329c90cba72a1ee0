#include "solvers/ipm/iterative_coupling.hpp"

#include <omp.h>

#include <cmath>

#include "linalg/dense.hpp"
#include "solvers/ipm/side_rows.hpp"

namespace conelu::ipm {
namespace {

constexpr int kMaxConjugateSteps = 200;
// A solve is one of several that refine each other.
constexpr double kTolerance = 1e-4;
constexpr double kCarefulTolerance = 1e-8;

}  // namespace

IterativeCoupling::IterativeCoupling(const ScaledProblem& problem, const CellTerms& cells, FreedPairs& freed,
                                     int threads)
    : problem_(problem),
      cells_(cells),
      freed_(freed),
      stride_(problem.dimension() + (problem.robust ? 1 : 0)),
      factors_(stride_, stride_ * problem.blocks()),
      constants_(problem.groups(), 2),
      N_(problem.groups(), 2),
      extra_(problem.groups(), 2),
      sums_(problem.dimension(), problem.patterns()),
      ds_(problem.dimension(), problem.cells()),
      Y_(problem.dimension(), problem.cells()),
      springs_(Matrix::Zero(problem.dimension(), problem.cells())),
      rows_(static_cast<std::size_t>(threads)),
      residual_(unknowns()),
      direction_(unknowns()),
      applied_(unknowns()),
      preconditioned_(unknowns()),
      solution_(unknowns()) {
  for (Matrix& rows : rows_) rows.resize(stride_, 3 * problem.groups() + problem.cells());
}

IterativeCoupling::Unknowns IterativeCoupling::unknowns() const {
  return {Matrix::Zero(problem_.dimension(), problem_.blocks()), Vector::Zero(problem_.blocks())};
}

bool IterativeCoupling::factor(const BlockFactors& blocks, const NormCones* norms, double regularization,
                               bool careful) {
  norms_ = norms;
  tolerance_ = careful ? kCarefulTolerance : kTolerance;
  bool positive = true;
#pragma omp parallel for schedule(dynamic) reduction(&& : positive)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    positive =
        factor_block(blocks, j, regularization, rows_[static_cast<std::size_t>(omp_get_thread_num())]) && positive;
  }
  return positive;
}

/// The rows of BlockCoupling, as far as they lie in this block.
bool IterativeCoupling::factor_block(const BlockFactors& blocks, Index j, double regularization, Matrix& rows) {
  const Index d = problem_.dimension();
  const double sign = ScaledProblem::sign_of(j);
  const Matrix& theta = cells_.side_theta();
  auto M = factors_.middleCols(j * stride_, stride_);
  M.setZero();
  const Matrix L = blocks.lower(j).triangularView<Eigen::Lower>();
  dense::rank_update(1.0, dense::Op::none, L, 0.0, M.topLeftCorner(d, d));
  if (problem_.robust) M(d, d) = blocks.masses()(j);

  Index count = 0;
  Vector center(stride_), anchor(stride_), side_up(stride_), side_down(stride_);
  const auto add = [&](double weight, const Vector& row) {
    if (weight > 0) rows.col(count++) = std::sqrt(weight) * row;
  };
  for (Index c = 0; c < problem_.cells(); ++c) {
    const bool active = problem_.cell_activations(c, problem_.pattern_of(j)) > 0;
    const auto& groups = cells_.groups_of_cell()[static_cast<std::size_t>(c)];
    const auto set_side = [&](Index g, int which, Vector& side) {
      const SideEntry entry = side_entry(problem_, freed_, g, j, which);
      side.head(d) = entry.row * problem_.X.row(g).transpose() + entry.center * blocks.centers().col(j);
      if (problem_.robust) side(d) = entry.center;
      return !entry.empty();
    };
    const auto set_sides = [&](Index g) {
      const bool any_up = set_side(g, up, side_up);
      return set_side(g, down, side_down) || any_up;
    };
    center.setZero();
    anchor.setZero();
    bool touched = active;
    if (norms_ != nullptr) {
      if (active) anchor.head(d) = sign * norms_->anchors().col(c);
      center = norms_->kappa()(c) * anchor;
      for (const Index g : groups) {
        if (!set_sides(g)) continue;
        touched = true;
        center -= theta(g, up) * side_up + theta(g, down) * side_down;
      }
      center /= cells_.masses()(c);
      if (!touched) continue;
    }
    for (const Index g : groups) {
      set_sides(g);
      add(theta(g, up), side_up + center);
      add(theta(g, down), side_down + center);
      add(cells_.across_theta()(g), side_up - side_down);
    }
    if (norms_ == nullptr) continue;
    add(norms_->kappa()(c), anchor - center);
    if (active) norms_->add_hessian(c, M.topLeftCorner(d, d));
  }
  dense::rank_update(1.0, dense::Op::none, rows.leftCols(count), 1.0, M);
  M.diagonal() *= 1 + std::max(regularization, 1e-14);
  return dense::cholesky(M);
}

void IterativeCoupling::respond(const BlockFactors& blocks, const Unknowns& step, Matrix& N, Matrix& springs) {
  problem_.sum_blocks(step.u, sums_);
  dense::multiply(1.0, dense::Op::none, sums_, dense::Op::transpose, problem_.cell_activations, 0.0, ds_);
  freed_.pull(blocks, step.u, step.tau, extra_);
  const Matrix& theta = cells_.side_theta();
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < problem_.cells(); ++c) {
    const auto& groups = cells_.groups_of_cell()[static_cast<std::size_t>(c)];
    for (const Index g : groups) {
      const double df = cells_.sample(g).dot(ds_.col(c));
      extra_(g, up) += df;
      extra_(g, down) -= df;
    }
    double drho = 0;
    if (norms_ != nullptr) {
      drho = norms_->kappa()(c) * norms_->anchors().col(c).dot(ds_.col(c));
      for (const Index g : groups) drho -= theta(g, up) * extra_(g, up) + theta(g, down) * extra_(g, down);
      drho /= cells_.masses()(c);
      springs.col(c).setZero();
      norms_->apply_hessian(c, ds_.col(c), springs.col(c));
    }
    for (const Index g : groups) {
      const double b_up = extra_(g, up) + drho;
      const double b_down = extra_(g, down) + drho;
      const double x = cells_.across_theta()(g) * (b_up - b_down);
      N(g, up) = theta(g, up) * b_up + x;
      N(g, down) = theta(g, down) * b_down - x;
    }
  }
}

void IterativeCoupling::apply(const BlockFactors& blocks, const Unknowns& step, Unknowns& result) {
  respond(blocks, step, N_, springs_);
  cells_.gradients(N_, springs_, Y_);
  dense::multiply(1.0, dense::Op::none, Y_, dense::Op::none, problem_.cell_activations, 0.0, sums_);
  result.u.setZero();
  result.tau.setZero();
  freed_.push(blocks, N_, result.u, result.tau);
  if (problem_.robust) result.tau = blocks.masses().cwiseProduct(step.tau) - result.tau;
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    const Eigen::Ref<const Matrix> L = blocks.lower(j);
    const Vector pulled = L.transpose().triangularView<Eigen::Upper>() * step.u.col(j);
    const Vector product = L.triangularView<Eigen::Lower>() * pulled;
    result.u.col(j) = product - result.u.col(j) + ScaledProblem::sign_of(j) * sums_.col(problem_.pattern_of(j));
  }
}

void IterativeCoupling::precondition(const Unknowns& residual, Unknowns& result) const {
  const Index d = problem_.dimension();
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    Vector x(stride_);
    x.head(d) = residual.u.col(j);
    if (problem_.robust) x(d) = residual.tau(j);
    dense::solve_cholesky(factors_.middleCols(j * stride_, stride_), x);
    result.u.col(j) = x.head(d);
    if (problem_.robust) result.tau(j) = x(d);
  }
}

void IterativeCoupling::solve(const BlockFactors& blocks, Matrix& R, Vector& R_tau, Matrix& multiplier_residual,
                              Matrix& spring_residual, Matrix& du, Vector& dtau, Matrix& N, Matrix& springs) {
  // Constant parts of the answers leave the right side.
  cells_.set_constants(multiplier_residual, constants_);
  cells_.gradients(constants_, spring_residual, Y_);
  dense::multiply(1.0, dense::Op::none, Y_, dense::Op::none, problem_.cell_activations, 0.0, sums_);
  for (Index j = 0; j < problem_.blocks(); ++j)
    R.col(j) -= ScaledProblem::sign_of(j) * sums_.col(problem_.pattern_of(j));
  freed_.push(blocks, constants_, R, R_tau);

  solution_.u.setZero();
  solution_.tau.setZero();
  residual_.u = R;
  residual_.tau = problem_.robust ? R_tau : Vector(Vector::Zero(R_tau.size()));
  precondition(residual_, preconditioned_);
  direction_ = preconditioned_;
  double size = residual_.dot(preconditioned_);
  const double aim = tolerance_ * tolerance_ * size;
  for (int step = 0; step < kMaxConjugateSteps && size > aim; ++step) {
    apply(blocks, direction_, applied_);
    const double length = size / direction_.dot(applied_);
    if (!(length > 0) || !std::isfinite(length)) break;
    solution_.u += length * direction_.u;
    solution_.tau += length * direction_.tau;
    residual_.u -= length * applied_.u;
    residual_.tau -= length * applied_.tau;
    precondition(residual_, preconditioned_);
    const double next = residual_.dot(preconditioned_);
    direction_.u = preconditioned_.u + next / size * direction_.u;
    direction_.tau = preconditioned_.tau + next / size * direction_.tau;
    size = next;
  }
  du = solution_.u;
  dtau = solution_.tau;
  respond(blocks, solution_, N, springs);
  N += constants_;
  if (norms_ != nullptr) springs += spring_residual;
}

}  // namespace conelu::ipm
