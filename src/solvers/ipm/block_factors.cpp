#include "solvers/ipm/block_factors.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <compare>

#include "linalg/dense.hpp"

namespace conelu::ipm {
namespace {

constexpr double kFlat = 1e-5;     // ratio of pivots below which a Gram matrix has lost too many digits
constexpr double kDamping = 1e-8;  // added rows, relative: with less, the coupling system gets out of hand
// Rows whose squares add up to less than this share of a feature's part of the longest may be squared: what that loses
// is far below the damping.
constexpr double kLight = 1e-5;

void add_outer_product(double weight, const Vector& x, Eigen::Ref<Matrix> H) {
  for (Index b = 0; b < x.size(); ++b) H.col(b).tail(x.size() - b) += (weight * x(b)) * x.tail(x.size() - b);
}

}  // namespace

BlockFactors::BlockFactors(const ScaledProblem& problem, int threads)
    : problem_(problem),
      dimension_(problem.dimension()),
      factors_(Matrix::Zero(problem.dimension(), problem.dimension() * problem.blocks())),
      weights_(problem.cone_rows(), problem.blocks()),
      centers_(Matrix::Zero(problem.dimension(), problem.blocks())),
      masses_(Vector::Zero(problem.blocks())),
      weighted_(problem.cone_rows(), problem.blocks()),
      workspaces_(static_cast<std::size_t>(threads)) {
  for (Workspace& workspace : workspaces_) {
    workspace.scaled.resize(std::min(problem.cone_rows(), kRowsAtOnce), dimension_);
    workspace.lengths.resize(problem.cone_rows());
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
    weighted_.col(j) = weights_.col(j).cwiseSqrt();
    auto L = factors_.middleCols(j * dimension_, dimension_);
    if (problem_.cone_rows() == 0) L.setZero();
    for (Index first = 0; first < problem_.cone_rows(); first += kRowsAtOnce) {
      auto scaled = workspace.scaled.topRows(std::min(kRowsAtOnce, problem_.cone_rows() - first));
      scale_rows(j, norms != nullptr, first, scaled);
      dense::rank_update(1.0, dense::Op::transpose, scaled, first == 0 ? 0.0 : 1.0, L);
    }
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

void BlockFactors::scale_rows(Index block, bool centred, Index first, Eigen::Ref<Matrix> scaled) const {
  const auto root = weighted_.col(block).segment(first, scaled.rows()).array();
  for (Index a = 0; a < dimension_; ++a) {
    const auto x = problem_.cone_column(block, a).segment(first, scaled.rows()).array();
    if (centred) {
      const auto signs = problem_.signs.col(problem_.pattern_of(block)).segment(first, scaled.rows()).array();
      scaled.col(a).array() = root * (x * signs - centers_(a, block));
    } else {
      scaled.col(a).array() = x * root;
    }
  }
}

/// Few rows are heavy where a cone is nearly flat. All others, whose squares are harmless, enter as one triangle.
void BlockFactors::factor_rows(Index block, const ConeScaling& cones, const NormCones* norms, Eigen::Ref<Matrix> L) {
  Workspace& workspace = workspaces_[static_cast<std::size_t>(omp_get_thread_num())];
  const Index cone_rows = problem_.cone_rows();
  const auto in_chunks = [&](auto&& use) {
    for (Index first = 0; first < cone_rows; first += kRowsAtOnce) {
      auto scaled = workspace.scaled.topRows(std::min(kRowsAtOnce, cone_rows - first));
      scale_rows(block, norms != nullptr, first, scaled);
      use(first, scaled);
    }
  };
  Vector& lengths = workspace.lengths;
  in_chunks(
      [&](Index first, const auto& scaled) { lengths.segment(first, scaled.rows()) = scaled.rowwise().squaredNorm(); });
  const double limit = kLight / static_cast<double>(cone_rows * dimension_) * lengths.maxCoeff();
  workspace.order.clear();
  for (Index k = 0; k < cone_rows; ++k) {
    if (!(lengths(k) <= limit)) workspace.order.push_back(k);
  }
  // Large rows first: otherwise reflections would mix their rounding errors into the small ones. By weight: by length,
  // which the centre has a part in, the factors on cifar_adv need more refinement.
  const auto root = weighted_.col(block);
  std::sort(workspace.order.begin(), workspace.order.end(), [&](Index k, Index l) {
    const auto order = std::strong_order(root(k), root(l));
    return order != 0 ? order > 0 : k < l;
  });
  const Index heavy = static_cast<Index>(workspace.order.size());
  L.setZero();
  in_chunks([&](Index first, auto& scaled) {
    for (Index i = 0; i < heavy; ++i) {
      const Index k = workspace.order[static_cast<std::size_t>(i)] - first;
      if (k < 0 || k >= scaled.rows()) continue;
      workspace.rows.row(i) = scaled.row(k);
      scaled.row(k).setZero();
    }
    dense::rank_update(1.0, dense::Op::transpose, scaled, 1.0, L);
  });
  auto rows = workspace.rows.topRows(workspace.rows.rows() - (cone_rows - heavy));
  cones.set_root(block, rows.middleRows(heavy, dimension_));
  if (norms != nullptr) {
    norms->set_root(block, rows.middleRows(heavy + dimension_, dimension_));
    rows.row(heavy + 2 * dimension_) =
        std::sqrt(norms->kappa()(block)) * (norms->anchors().col(block) - centers_.col(block)).transpose();
  }
  const double damping = kDamping * rows.topRows(rows.rows() - dimension_).cwiseAbs().maxCoeff();
  L.diagonal().array() += damping * damping;
  auto rest = rows.bottomRows(dimension_);
  rest = damping * Matrix::Identity(dimension_, dimension_);
  // Rounding errors of the squares are far below the damping's, so that only numbers that are none make this fail.
  if (heavy < cone_rows && dense::cholesky(L)) {
    for (Index a = 0; a < dimension_; ++a) rest.row(a).tail(dimension_ - a) = L.col(a).tail(dimension_ - a).transpose();
  }
  dense::triangularize(rows, workspace.work);
  for (Index a = 0; a < dimension_; ++a) {
    L.col(a).tail(dimension_ - a) = rows.row(a).tail(dimension_ - a).transpose();
  }
}

void BlockFactors::solve(Matrix& B) const {
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) dense::solve_cholesky(lower(j), B.col(j));
}

void BlockFactors::apply_near_rows(const Matrix& direction, Matrix& rows, Matrix& Y) const {
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    const auto x = problem_.near_rows_of(problem_.pattern_of(j));
    dense::multiply_vector(1.0, dense::Op::none, x, direction.col(j), 0.0, rows.col(j));
    weighted_.col(j) = rows.col(j).cwiseProduct(weights_.col(j));
    dense::multiply_vector(1.0, dense::Op::transpose, x, weighted_.col(j), 0.0, Y.col(j));
  }
}

void BlockFactors::apply_all_rows(bool centred, const Matrix& direction, Matrix& rows, Matrix& Y) const {
  Y.setZero();
  for (Index first = 0; first < problem_.cone_rows(); first += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, problem_.cone_rows() - first);
    const auto x = problem_.unit_rows.middleRows(first, count);
    dense::multiply(1.0, dense::Op::none, x, dense::Op::none, direction, 0.0, rows.middleRows(first, count));
#pragma omp parallel for schedule(static)
    for (Index j = 0; j < problem_.blocks(); ++j) {
      const auto signs = problem_.signs.col(problem_.pattern_of(j)).segment(first, count).array();
      auto values = rows.col(j).segment(first, count).array();
      values *= signs;
      if (centred) values -= centers_.col(j).dot(direction.col(j));
      weighted_.col(j).head(count).array() = values * weights_.col(j).segment(first, count).array() * signs;
    }
    dense::multiply(1.0, dense::Op::transpose, x, dense::Op::none, weighted_.topRows(count), 1.0, Y);
  }
}

void BlockFactors::apply(const ConeScaling& cones, const NormCones* norms, const Matrix& direction, Matrix& rows,
                         Matrix& Y) const {
  if (problem_.selective()) {
    apply_near_rows(direction, rows, Y);
  } else {
    apply_all_rows(norms != nullptr, direction, rows, Y);
  }
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
