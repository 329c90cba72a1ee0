#include "solvers/ipm/cell_terms.hpp"

#include <algorithm>
#include <cmath>

namespace conelu::ipm {

CellTerms::CellTerms(const ScaledProblem& problem)
    : problem_(problem),
      groups_(static_cast<std::size_t>(problem.cells())),
      samples_(problem.X.transpose()),
      centers_(Matrix::Zero(problem.dimension(), problem.cells())),
      masses_(Vector::Zero(problem.cells())) {
  for (Index g = 0; g < problem.groups(); ++g) {
    groups_[static_cast<std::size_t>(problem.cell_of[static_cast<std::size_t>(g)])].push_back(g);
  }
  first_row_.push_back(0);
  for (const auto& groups : groups_) {
    first_row_.push_back(first_row_.back() + 3 * static_cast<Index>(groups.size()) +
                         (problem.joint ? 1 + problem.dimension() : 0));
  }
}

void CellTerms::linearize(const Matrix& side_theta, const Vector& across_theta, const NormCones* norms) {
  norms_ = norms;
  side_theta_ = side_theta;
  across_theta_ = across_theta;
  if (norms == nullptr) return;
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < problem_.cells(); ++c) {
    masses_(c) = norms->kappa()(c);
    centers_.col(c) = norms->kappa()(c) * norms->anchors().col(c);
    for (const Index g : groups_[static_cast<std::size_t>(c)]) {
      masses_(c) += side_theta_(g, up) + side_theta_(g, down);
      centers_.col(c) += (side_theta_(g, down) - side_theta_(g, up)) * samples_.col(g);
    }
    centers_.col(c) /= masses_(c);
  }
}

void CellTerms::set_constants(const Matrix& multiplier_residual, Matrix& constants) const {
  constants = multiplier_residual;
  if (norms_ == nullptr) return;
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < problem_.cells(); ++c) {
    const double drho = -chi(c, multiplier_residual) / masses_(c);
    for (const Index g : groups_[static_cast<std::size_t>(c)]) {
      for (const int side : {up, down}) constants(g, side) += side_theta_(g, side) * drho;
    }
  }
}

double CellTerms::constant_of_row(Index cell, Index row, const Matrix& constants) const {
  const auto& groups = groups_[static_cast<std::size_t>(cell)];
  const Index anchor = 3 * static_cast<Index>(groups.size());
  if (row == anchor) return chi(cell, constants);
  if (row > anchor || row % 3 == across) return 0;
  return constants(groups[static_cast<std::size_t>(row / 3)], row % 3);
}

double CellTerms::chi(Index cell, const Matrix& N) const {
  double sum = 0;
  for (const Index g : groups_[static_cast<std::size_t>(cell)]) sum += N(g, up) + N(g, down);
  return sum;
}

void CellTerms::gradients(const Matrix& N, const Matrix& springs, Matrix& Y) const {
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < problem_.cells(); ++c) {
    auto y = Y.col(c);
    y.setZero();
    if (norms_ != nullptr) y = springs.col(c) + chi(c, N) * norms_->anchors().col(c);
    for (const Index g : groups_[static_cast<std::size_t>(c)]) y += (N(g, up) - N(g, down)) * samples_.col(g);
  }
}

void CellTerms::sides(const Matrix& ds, const Matrix* e, const Matrix& N, Vector& drho, Matrix& b) const {
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < problem_.cells(); ++c) {
    drho(c) = 0;
    if (norms_ != nullptr) {
      drho(c) = norms_->anchors().col(c).dot(ds.col(c)) + norms_->shifts()(c) - chi(c, N) / norms_->kappa()(c);
    }
    for (const Index g : groups_[static_cast<std::size_t>(c)]) {
      const double df = samples_.col(g).dot(ds.col(c));
      b(g, up) = df + drho(c) + (e != nullptr ? (*e)(g, up) : 0.0);
      b(g, down) = -df + drho(c) + (e != nullptr ? (*e)(g, down) : 0.0);
    }
  }
}

void CellTerms::respond(const Matrix& b, Matrix& N) const {
  for (Index g = 0; g < problem_.groups(); ++g) {
    const double across = across_theta_(g) * (b(g, up) - b(g, down));
    N(g, up) = side_theta_(g, up) * b(g, up) + across;
    N(g, down) = side_theta_(g, down) * b(g, down) - across;
  }
}

void CellTerms::springs(const Matrix& ds, Matrix& Y) const {
  if (norms_ == nullptr) return;
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < problem_.cells(); ++c) {
    Y.col(c).setZero();
    norms_->apply_hessian(c, ds.col(c), Y.col(c));
  }
}

void CellTerms::set_rows(Index cell, CellRows& rows) const {
  const Index d = problem_.dimension();
  const auto& groups = groups_[static_cast<std::size_t>(cell)];
  rows.count = rows_of(cell);
  if (rows.vectors.cols() < rows.count) {
    rows.vectors.resize(d, rows.count);
    rows.weights.resize(rows.count);
  }
  const auto center = centers_.col(cell);
  Index r = 0;
  for (const Index g : groups) {
    // Vectors of rows without weight are left as they are: hinge losses have one row in three.
    rows.weights(r + up) = side_theta_(g, up);
    if (rows.weights(r + up) > 0) rows.vectors.col(r + up) = samples_.col(g) + center;
    rows.weights(r + down) = side_theta_(g, down);
    if (rows.weights(r + down) > 0) rows.vectors.col(r + down) = center - samples_.col(g);
    rows.weights(r + across) = across_theta_(g);
    if (rows.weights(r + across) > 0) rows.vectors.col(r + across) = 2.0 * samples_.col(g);
    r += 3;
  }
  if (norms_ == nullptr) return;
  rows.weights(r) = norms_->kappa()(cell);
  rows.vectors.col(r++) = norms_->anchors().col(cell) - center;
  rows.root.resize(d, d);
  norms_->set_root(cell, rows.root);
  rows.weights.segment(r, d).setOnes();
  rows.vectors.middleCols(r, d) = rows.root.transpose();
}

}  // namespace conelu::ipm
