#include "solvers/ipm/cell_coupling.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/dense.hpp"

namespace conelu::ipm {

CellCoupling::CellCoupling(const ScaledProblem& problem, const CellTerms& cells, int threads)
    : problem_(problem),
      cells_(cells),
      size_(problem.dimension() * problem.patterns()),
      sums_(problem),
      cell_sum_(problem, threads),
      heavy_rows_(size_, std::min(size_, cells.all_rows())),
      heavy_(static_cast<std::size_t>(cells.all_rows())),
      system_(size_, size_),
      Z_(problem.dimension(), problem.patterns()),
      Y_(problem.dimension(), problem.cells()),
      ds_(problem.dimension(), problem.cells()),
      constants_(problem.groups(), 2),
      rows_(static_cast<std::size_t>(threads)),
      scaled_(static_cast<std::size_t>(threads)),
      roots_(static_cast<std::size_t>(threads), Matrix(problem.dimension(), problem.dimension())) {}

/// A row is heavy if it towers above the blocks in some entry; the most extreme ones come first.
void CellCoupling::choose_heavy(double limit) {
  const Index d = problem_.dimension();
  std::fill(heavy_.begin(), heavy_.end(), 0);
  candidates_.clear();
  CellRows& rows = rows_[0];
  Vector least(d);
  for (Index c = 0; c < problem_.cells(); ++c) {
    least.setConstant(std::numeric_limits<double>::infinity());
    for (Index i = 0; i < problem_.patterns(); ++i) {
      if (problem_.cell_activations(c, i) > 0) least = least.cwiseMin(system_.diagonal().segment(i * d, d));
    }
    cells_.set_rows(c, rows);
    for (Index r = 0; r < rows.count; ++r) {
      if (!(rows.weights(r) > 0)) continue;
      const double ratio = rows.weights(r) * (rows.vectors.col(r).array().square() / least.array()).maxCoeff();
      if (ratio > limit) candidates_.push_back({c, r, ratio});
    }
  }
  const auto most = std::min(candidates_.size(), static_cast<std::size_t>(heavy_rows_.most()));
  std::partial_sort(
      candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(most), candidates_.end(),
      [](const Row& a, const Row& b) {
        return a.weight != b.weight ? a.weight > b.weight : a.cell != b.cell ? a.cell < b.cell : a.row < b.row;
      });
  candidates_.resize(most);
  // Cell by cell, so that the rows of a cell are made once.
  std::sort(candidates_.begin(), candidates_.end(),
            [](const Row& a, const Row& b) { return a.cell != b.cell ? a.cell < b.cell : a.row < b.row; });
  for (const Row& row : candidates_) {
    heavy_[static_cast<std::size_t>(cells_.first_row(row.cell) + row.row)] = 1;
  }
}

bool CellCoupling::factor(const BlockFactors& blocks, double regularization, bool orthogonal) {
  const Index d = problem_.dimension();
  if (!sums_.factor(blocks, regularization, system_)) return false;
  choose_heavy(heavy_limit(orthogonal));
  cell_sum_.compute([&](Index cell, int thread, Eigen::Ref<Matrix> Q) {
    CellRows& rows = rows_[static_cast<std::size_t>(thread)];
    Matrix& scaled = scaled_[static_cast<std::size_t>(thread)];
    cells_.set_rows(cell, rows);
    if (scaled.cols() < rows.count) scaled.resize(d, rows.count);
    Index light = 0;
    for (Index r = 0; r < rows.count; ++r) {
      if (rows.weights(r) > 0 && !is_heavy(cell, r)) {
        scaled.col(light++) = std::sqrt(rows.weights(r)) * rows.vectors.col(r);
      }
    }
    dense::rank_update(1.0, dense::Op::none, scaled.leftCols(light), 0.0, Q);
  });
  cell_sum_.for_each([&](Index k, Index a, Index l, Index b, double value) { system_(k * d + a, l * d + b) += value; });
  system_.diagonal() *= 1.0 + regularization;
  if (!dense::cholesky(system_)) return false;

  heavy_rows_.set_count(static_cast<Index>(candidates_.size()));
  auto columns = heavy_rows_.rows();
  heavy_vectors_.resize(d, columns.cols());
  for (Index h = 0; h < columns.cols(); ++h) {
    Row& row = candidates_[static_cast<std::size_t>(h)];
    if (h == 0 || candidates_[static_cast<std::size_t>(h - 1)].cell != row.cell) cells_.set_rows(row.cell, rows_[0]);
    row.weight = rows_[0].weights(row.row);
    heavy_vectors_.col(h) = rows_[0].vectors.col(row.row);
    for (Index i = 0; i < problem_.patterns(); ++i) {
      columns.col(h).segment(i * d, d) =
          (std::sqrt(row.weight) * problem_.cell_activations(row.cell, i)) * heavy_vectors_.col(h);
    }
  }
  return heavy_rows_.factor(system_, orthogonal);
}

void CellCoupling::solve(const BlockFactors& blocks, Matrix& R, Matrix& multiplier_residual, Matrix& spring_residual,
                         Matrix& du, Matrix& N, Matrix& springs) {
  // Constant parts of the gradients; those of heavy rows go where their unknowns are.
  cells_.set_constants(multiplier_residual, constants_);
  N = constants_;
  const auto constant = [&](const Row& row) { return cells_.constant_of_row(row.cell, row.row, constants_); };
  cells_.gradients(constants_, spring_residual, Y_);
  for (Index h = 0; h < heavy_rows_.count(); ++h) {
    const Row& row = candidates_[static_cast<std::size_t>(h)];
    heavy_rows_.p()(h) = constant(row) / std::sqrt(row.weight);
  }
  dense::multiply(-1.0, dense::Op::none, Y_, dense::Op::none, problem_.cell_activations, 0.0, Z_);
  heavy_rows_.add_rows(heavy_rows_.p(), Eigen::Map<Vector>(Z_.data(), size_));
  sums_.join(blocks, R, 1.0, Z_);
  heavy_rows_.solve(system_, Eigen::Map<Vector>(Z_.data(), size_));
  sums_.separate(blocks, R, Z_, du);

  // Light rows answer through ds, heavy ones through p.
  dense::multiply(1.0, dense::Op::none, Z_, dense::Op::transpose, problem_.cell_activations, 0.0, ds_);
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < problem_.cells(); ++c) {
    const auto ds = ds_.col(c);
    const double center = cells_.centers().col(c).dot(ds);
    Index row = 0;
    for (const Index g : cells_.groups_of_cell()[static_cast<std::size_t>(c)]) {
      const double df = cells_.sample(g).dot(ds);
      const double x = is_heavy(c, row + across) ? 0.0 : cells_.across_theta()(g) * 2 * df;
      N(g, up) += (is_heavy(c, row + up) ? 0.0 : cells_.side_theta()(g, up) * (center + df)) + x;
      N(g, down) += (is_heavy(c, row + down) ? 0.0 : cells_.side_theta()(g, down) * (center - df)) - x;
      row += 3;
    }
    if (!problem_.robust) continue;
    Matrix& root = roots_[static_cast<std::size_t>(omp_get_thread_num())];
    cells_.set_root(c, root);
    springs.col(c) = spring_residual.col(c);
    for (Index r = 0; r < root.rows(); ++r) {
      if (!is_heavy(c, row + 1 + r)) springs.col(c) += root.row(r).dot(ds) * root.row(r).transpose();
    }
  }
  for (Index h = 0; h < heavy_rows_.count(); ++h) {
    const Row& row = candidates_[static_cast<std::size_t>(h)];
    const auto& groups = cells_.groups_of_cell()[static_cast<std::size_t>(row.cell)];
    const Index samples = 3 * static_cast<Index>(groups.size());
    const double y = std::sqrt(row.weight) * heavy_rows_.p()(h) - constant(row);
    if (row.row > samples) {
      springs.col(row.cell) += y * heavy_vectors_.col(h);
    } else if (row.row < samples) {  // that of the anchor follows from the others
      const Index g = groups[static_cast<std::size_t>(row.row / 3)];
      if (row.row % 3 == across) {
        N(g, up) += y;
        N(g, down) -= y;
      } else {
        N(g, row.row % 3) += y;
      }
    }
  }
}

}  // namespace conelu::ipm
