#include "solvers/ipm/side_coupling.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "linalg/dense.hpp"
#include "solvers/ipm/side_rows.hpp"

namespace conelu::ipm {
namespace {

using dense::Op;

/// Blocks of fewer unknowns are multiplied many at a time, zeros and all.
constexpr Index kWorthGathering = 24;
constexpr Index kPanelColumns = 384;
/// Squared length of a row, next to the 1 on its diagonal, below which a block does not see it; refinement does.
constexpr double kUnseen = 1e-20;
/// Constants of heavier rows stay with the unknown of the row: the block's residual would lose their digits.
constexpr double kHeavy = 1;

}  // namespace

SideCoupling::SideCoupling(const ScaledProblem& problem, const CellTerms& cells, FreedPairs& freed, int threads)
    : problem_(problem),
      cells_(cells),
      freed_(freed),
      stride_(problem.dimension() + (problem.robust ? 1 : 0)),
      seen_(static_cast<std::size_t>(threads)),
      constants_(problem.groups(), 2),
      sides_(problem.groups(), 2),
      answers_(problem.groups(), 2),
      sums_(problem.dimension(), problem.patterns()),
      ds_(problem.dimension(), problem.cells()),
      Y_(problem.dimension(), problem.cells()),
      nothing_(Matrix::Zero(problem.dimension(), problem.cells())) {
  panels_.resize(static_cast<std::size_t>(threads));
}

bool SideCoupling::choose_rows() {
  rows_.clear();
  if (!cells_.side_theta().allFinite() || !cells_.across_theta().allFinite()) return false;
  for (Index g = 0; g < problem_.groups(); ++g) {
    for (const int side : {up, down}) {
      const double theta = cells_.side_theta()(g, side);
      if (theta > 0) rows_.push_back({g, side, std::sqrt(theta)});
    }
    const double theta = cells_.across_theta()(g);
    if (theta > 0) rows_.push_back({g, across, std::sqrt(theta)});
  }
  return true;
}

Index SideCoupling::set_panel(const BlockFactors& blocks, Index block, Eigen::Ref<Matrix> panel,
                              std::vector<Index>& seen) const {
  const Index d = problem_.dimension();
  seen.clear();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    SideEntry entry = side_entry(problem_, freed_, row.group, block, row.side == across ? int{up} : row.side);
    if (row.side == across) {
      const SideEntry other = side_entry(problem_, freed_, row.group, block, down);
      entry.row -= other.row;
      entry.center -= other.center;
    }
    if (entry.empty()) continue;
    const auto place = static_cast<Index>(seen.size());
    panel.row(place).head(d) = (row.root * entry.row) * problem_.X.row(row.group) +
                               (row.root * entry.center) * blocks.centers().col(block).transpose();
    if (problem_.robust) panel(place, d) = row.root * entry.center / std::sqrt(blocks.masses()(block));
    seen.push_back(static_cast<Index>(r));
  }
  const auto count = static_cast<Index>(seen.size());
  dense::solve_lower_right(Op::transpose, blocks.lower(block), panel.topLeftCorner(count, d));
  // Gates that are all but closed.
  Index kept = 0;
  for (Index r = 0; r < count; ++r) {
    if (!(panel.row(r).squaredNorm() > kUnseen)) continue;
    if (kept < r) panel.row(kept) = panel.row(r);
    seen[static_cast<std::size_t>(kept++)] = seen[static_cast<std::size_t>(r)];
  }
  seen.resize(static_cast<std::size_t>(kept));
  return kept;
}

/// Many features: the rows that see a block only, one block at a time.
void SideCoupling::add_gathered(const BlockFactors& blocks) {
  const auto count = static_cast<Index>(rows_.size());
  Matrix& panel = panels_[0];
  std::vector<Index>& seen = seen_[0];
  panel.resize(count, stride_);
  gram_.resize(count, count);
  for (Index j = 0; j < problem_.blocks(); ++j) {
    const Index m = set_panel(blocks, j, panel, seen);
    auto gram = gram_.topLeftCorner(m, m);
    dense::rank_update(1.0, Op::none, panel.topRows(m), 0.0, gram);
#pragma omp parallel for schedule(dynamic, 64)
    for (Index l = 0; l < m; ++l) {
      auto column = system_.col(seen[static_cast<std::size_t>(l)]);
      for (Index k = l; k < m; ++k) column(seen[static_cast<std::size_t>(k)]) += gram(k, l);
    }
  }
}

/// Few features: all rows of many blocks side by side.
void SideCoupling::add_stacked(const BlockFactors& blocks) {
  const auto count = static_cast<Index>(rows_.size());
  const Index each = std::max<Index>(1, kPanelColumns / stride_);
  for (Matrix& panel : panels_) panel.resize(count, stride_);
  gram_.resize(count, each * stride_);
  for (Index first = 0; first < problem_.blocks(); first += each) {
    const Index blocks_here = std::min(each, problem_.blocks() - first);
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < blocks_here; ++i) {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      const Index m = set_panel(blocks, first + i, panels_[thread], seen_[thread]);
      auto columns = gram_.middleCols(i * stride_, stride_);
      columns.setZero();
      for (Index r = 0; r < m; ++r) columns.row(seen_[thread][static_cast<std::size_t>(r)]) = panels_[thread].row(r);
    }
    dense::rank_update(1.0, Op::none, gram_.leftCols(blocks_here * stride_), 1.0, system_);
  }
}

bool SideCoupling::factor(const BlockFactors& blocks, const NormCones* /*norms: none*/, double regularization,
                          bool /*careful*/) {
  if (!choose_rows()) return false;
  const auto count = static_cast<Index>(rows_.size());
  system_.setIdentity(count, count);
  if (stride_ < kWorthGathering) {
    add_stacked(blocks);
  } else {
    add_gathered(blocks);
  }
  system_.diagonal() *= 1 + regularization;
  return dense::cholesky(system_);
}

void SideCoupling::see(const BlockFactors& blocks, const Matrix& du, const Vector& dtau) {
  problem_.sum_blocks(du, sums_);
  dense::multiply(1.0, Op::none, sums_, Op::transpose, problem_.cell_activations, 0.0, ds_);
  freed_.pull(blocks, du, dtau, sides_);
  for (Index c = 0; c < problem_.cells(); ++c) {
    for (const Index g : cells_.groups_of_cell()[static_cast<std::size_t>(c)]) {
      const double df = cells_.sample(g).dot(ds_.col(c));
      sides_(g, up) += df;
      sides_(g, down) -= df;
    }
  }
}

void SideCoupling::push(const BlockFactors& blocks, const Matrix& N, Matrix& R, Vector& R_tau) {
  cells_.gradients(N, nothing_, Y_);
  dense::multiply(1.0, Op::none, Y_, Op::none, problem_.cell_activations, 0.0, sums_);
  for (Index j = 0; j < problem_.blocks(); ++j)
    R.col(j) -= ScaledProblem::sign_of(j) * sums_.col(problem_.pattern_of(j));
  freed_.push(blocks, N, R, R_tau);
}

void SideCoupling::solve_blocks(const BlockFactors& blocks, Matrix& du, Vector& dtau) const {
  blocks.solve(du);
  if (problem_.robust) {
    dtau = dtau.cwiseQuotient(blocks.masses());
  } else {
    dtau.setZero();
  }
}

void SideCoupling::solve(const BlockFactors& blocks, Matrix& R, Vector& R_tau, Matrix& multiplier_residual,
                         Matrix& /*spring_residual*/, Matrix& du, Vector& dtau, Matrix& N, Matrix& /*springs*/) {
  // Light constants leave the right side; heavy ones are part of q.
  constants_ = multiplier_residual;
  q_.setZero(static_cast<Index>(rows_.size()));
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    if (row.side == across || row.root < kHeavy) continue;
    q_(static_cast<Index>(r)) = constants_(row.group, row.side) / row.root;
    constants_(row.group, row.side) = 0;
  }
  push(blocks, constants_, R, R_tau);
  du = R;
  dtau = R_tau;
  solve_blocks(blocks, du, dtau);
  see(blocks, du, dtau);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    const double seen =
        row.side == across ? sides_(row.group, up) - sides_(row.group, down) : sides_(row.group, row.side);
    q_(static_cast<Index>(r)) += row.root * seen;
  }
  dense::solve_cholesky(system_, q_);

  answers_.setZero();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    const double answer = row.root * q_(static_cast<Index>(r));
    if (row.side == across) {
      answers_(row.group, up) += answer;
      answers_(row.group, down) -= answer;
    } else {
      answers_(row.group, row.side) += answer;
    }
  }
  push(blocks, answers_, R, R_tau);
  du = R;
  dtau = R_tau;
  solve_blocks(blocks, du, dtau);
  N = constants_ + answers_;
}

}  // namespace conelu::ipm
