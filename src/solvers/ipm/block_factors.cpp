#include "solvers/ipm/block_factors.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <numeric>

#include "linalg/dense.hpp"

namespace conelu::ipm {
namespace {

constexpr double kFlat = 1e-5;     // ratio of pivots below which a Gram matrix has lost too many digits
constexpr double kDamping = 1e-8;  // added rows, relative: with less, the coupling system gets out of hand

void add_outer_product(double weight, const Vector& x, Eigen::Ref<Matrix> H) {
  for (Index b = 0; b < x.size(); ++b) H.col(b).tail(x.size() - b) += (weight * x(b)) * x.tail(x.size() - b);
}

}  // namespace

BlockFactors::BlockFactors(const ScaledProblem& problem, int threads)
    : problem_(problem),
      dimension_(problem.dimension()),
      factors_(problem.dimension(), problem.dimension() * problem.blocks()),
      weights_(problem.cone_rows(), problem.blocks()),
      centers_(Matrix::Zero(problem.dimension(), problem.blocks())),
      masses_(Vector::Zero(problem.blocks())),
      weighted_(problem.cone_rows(), problem.blocks()),
      workspaces_(static_cast<std::size_t>(threads)) {
  for (Workspace& workspace : workspaces_) {
    workspace.rows.resize(problem.cone_rows() + (problem.robust ? 3 * dimension_ + 1 : 2 * dimension_), dimension_);
    workspace.work.resize(65 * dimension_);
    workspace.vector.resize(dimension_);
    workspace.order.resize(static_cast<std::size_t>(problem.cone_rows()));
  }
}

void BlockFactors::center(const NormCones& norms) {
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    weighted_.col(j) = weights_.col(j).cwiseProduct(problem_.signs.col(problem_.pattern_of(j)));
  }
  dense::multiply(1.0, dense::Op::transpose, problem_.unit_rows, dense::Op::none, weighted_, 0.0, centers_);
  for (Index j = 0; j < problem_.blocks(); ++j) {
    masses_(j) = weights_.col(j).sum() + norms.kappa()(j);
    centers_.col(j) = (centers_.col(j) + norms.kappa()(j) * norms.anchors().col(j)) / masses_(j);
  }
}

void BlockFactors::factor(const ConeScaling& cones, const NormCones* norms) {
  if (norms != nullptr) center(*norms);
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    Workspace& workspace = workspaces_[static_cast<std::size_t>(omp_get_thread_num())];
    auto scaled = workspace.rows.topRows(problem_.cone_rows());
    auto root = weighted_.col(j);
    root = weights_.col(j).cwiseSqrt();
    for (Index a = 0; a < dimension_; ++a) {
      if (norms == nullptr) {
        scaled.col(a) = problem_.unit_rows.col(a).cwiseProduct(root);
      } else {
        scaled.col(a).array() =
            root.array() *
            (problem_.unit_rows.col(a).array() * problem_.signs.col(problem_.pattern_of(j)).array() - centers_(a, j));
      }
    }
    auto L = factors_.middleCols(j * dimension_, dimension_);
    dense::rank_update(1.0, dense::Op::transpose, scaled, 0.0, L);
    cones.add_hessian(j, L);
    if (norms != nullptr) {
      norms->add_hessian(j, L);
      workspace.vector = norms->anchors().col(j) - centers_.col(j);
      add_outer_product(norms->kappa()(j), workspace.vector, L);
    }
    const bool positive = dense::cholesky(L);
    if (!positive || L.diagonal().minCoeff() < kFlat * L.diagonal().maxCoeff()) factor_rows(j, cones, norms, L);
  }
}

void BlockFactors::factor_rows(Index block, const ConeScaling& cones, const NormCones* norms, Eigen::Ref<Matrix> L) {
  Workspace& workspace = workspaces_[static_cast<std::size_t>(omp_get_thread_num())];
  const Index cone_rows = problem_.cone_rows();
  const auto root = weighted_.col(block);
  const auto signs = problem_.signs.col(problem_.pattern_of(block));
  // Large rows first: otherwise reflections would mix their rounding errors into the small ones.
  std::iota(workspace.order.begin(), workspace.order.end(), Index{0});
  std::sort(workspace.order.begin(), workspace.order.end(), [&](Index k, Index l) {
    const auto order = std::strong_order(root(k), root(l));
    return order != 0 ? order > 0 : k < l;
  });
  for (Index a = 0; a < dimension_; ++a) {
    for (Index k = 0; k < cone_rows; ++k) {
      const Index row = workspace.order[static_cast<std::size_t>(k)];
      workspace.rows(k, a) = (signs(row) * problem_.unit_rows(row, a) - centers_(a, block)) * root(row);
    }
  }
  cones.set_root(block, workspace.rows.middleRows(cone_rows, dimension_));
  if (norms != nullptr) {
    norms->set_root(block, workspace.rows.middleRows(cone_rows + dimension_, dimension_));
    workspace.rows.row(cone_rows + 2 * dimension_) =
        std::sqrt(norms->kappa()(block)) * (norms->anchors().col(block) - centers_.col(block)).transpose();
  }
  const double largest = workspace.rows.topRows(workspace.rows.rows() - dimension_).cwiseAbs().maxCoeff();
  workspace.rows.bottomRows(dimension_) = kDamping * largest * Matrix::Identity(dimension_, dimension_);
  dense::triangularize(workspace.rows, workspace.work);
  for (Index a = 0; a < dimension_; ++a) {
    L.col(a).tail(dimension_ - a) = workspace.rows.row(a).tail(dimension_ - a).transpose();
  }
}

void BlockFactors::solve(Matrix& B) const {
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) dense::solve_cholesky(lower(j), B.col(j));
}

void BlockFactors::apply(const ConeScaling& cones, const NormCones* norms, const Matrix& direction, Matrix& rows,
                         Matrix& Y) const {
  dense::multiply(1.0, dense::Op::none, problem_.unit_rows, dense::Op::none, direction, 0.0, rows);
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    rows.col(j).array() *= problem_.signs.col(problem_.pattern_of(j)).array();
    if (norms != nullptr) rows.col(j).array() -= centers_.col(j).dot(direction.col(j));
    weighted_.col(j).array() =
        rows.col(j).array() * weights_.col(j).array() * problem_.signs.col(problem_.pattern_of(j)).array();
  }
  dense::multiply(1.0, dense::Op::transpose, problem_.unit_rows, dense::Op::none, weighted_, 0.0, Y);
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    cones.apply_hessian(j, direction.col(j), Y.col(j));
    if (norms == nullptr) continue;
    norms->apply_hessian(j, direction.col(j), Y.col(j));
    // The weighted rows add up to -kappa (m - c)'du, so that their share of c and the anchor's make kappa (..) m alone.
    const double pull = norms->kappa()(j) * (norms->anchors().col(j) - centers_.col(j)).dot(direction.col(j));
    Y.col(j) += pull * norms->anchors().col(j);
  }
}

}  // namespace conelu::ipm
