#include "solvers/ipm/block_factors.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/dense.hpp"

namespace conelu::ipm {
namespace {

constexpr double kFlat = 1e-5;     // ratio of pivots below which a Gram matrix has lost too many digits
constexpr double kDamping = 1e-8;  // added rows, relative: with less, the coupling system gets out of hand

}  // namespace

BlockFactors::BlockFactors(const ScaledProblem& problem, int threads)
    : problem_(problem),
      dimension_(problem.dimension()),
      factors_(problem.dimension(), problem.dimension() * problem.blocks()),
      weights_(problem.cone_rows(), problem.blocks()),
      weighted_(problem.cone_rows(), problem.blocks()),
      workspaces_(static_cast<std::size_t>(threads)) {
  for (Workspace& workspace : workspaces_) {
    workspace.rows.resize(problem.cone_rows() + 2 * dimension_, dimension_);
    workspace.work.resize(65 * dimension_);
    workspace.order.resize(static_cast<std::size_t>(problem.cone_rows()));
  }
}

void BlockFactors::factor(const Iterate& at, const ConeScaling& cones) {
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    auto scaled = workspaces_[static_cast<std::size_t>(omp_get_thread_num())].rows.topRows(problem_.cone_rows());
    weights_.col(j) = at.lambda.col(j).cwiseQuotient(at.s.col(j));
    auto root = weighted_.col(j);
    root = weights_.col(j).cwiseSqrt();
    for (Index a = 0; a < dimension_; ++a) scaled.col(a) = problem_.unit_rows.col(a).cwiseProduct(root);
    auto L = factors_.middleCols(j * dimension_, dimension_);
    dense::rank_update(1.0, dense::Op::transpose, scaled, 0.0, L);
    cones.add_hessian(j, L);
    const bool positive = dense::cholesky(L);
    if (!positive || L.diagonal().minCoeff() < kFlat * L.diagonal().maxCoeff()) factor_rows(j, cones, L);
  }
}

void BlockFactors::factor_rows(Index block, const ConeScaling& cones, Eigen::Ref<Matrix> L) {
  Workspace& workspace = workspaces_[static_cast<std::size_t>(omp_get_thread_num())];
  const auto root = weighted_.col(block);
  // Large rows first: otherwise reflections would mix their rounding errors into the small ones.
  std::iota(workspace.order.begin(), workspace.order.end(), Index{0});
  std::sort(workspace.order.begin(), workspace.order.end(),
            [&](Index k, Index l) { return root(k) != root(l) ? root(k) > root(l) : k < l; });
  for (Index a = 0; a < dimension_; ++a) {
    for (Index k = 0; k < problem_.cone_rows(); ++k) {
      const Index row = workspace.order[static_cast<std::size_t>(k)];
      workspace.rows(k, a) = problem_.unit_rows(row, a) * root(row);
    }
  }
  cones.set_root(block, workspace.rows.middleRows(problem_.cone_rows(), dimension_));
  const double largest = workspace.rows.topRows(problem_.cone_rows() + dimension_).cwiseAbs().maxCoeff();
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

void BlockFactors::apply(const ConeScaling& cones, const Matrix& direction, Matrix& rows, Matrix& Y) const {
  dense::multiply(1.0, dense::Op::none, problem_.unit_rows, dense::Op::none, direction, 0.0, rows);
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    weighted_.col(j) = rows.col(j).cwiseProduct(weights_.col(j));
    rows.col(j).array() *= problem_.signs.col(j / 2).array();
  }
  dense::multiply(1.0, dense::Op::transpose, problem_.unit_rows, dense::Op::none, weighted_, 0.0, Y);
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) cones.apply_hessian(j, direction.col(j), Y.col(j));
}

}  // namespace conelu::ipm
