#include "solvers/ipm/block_coupling.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "linalg/dense.hpp"
#include "solvers/ipm/side_rows.hpp"

namespace conelu::ipm {
namespace {

constexpr Index kPanelRows = 384;

double sign_of(Index block) { return ScaledProblem::sign_of(block); }

}  // namespace

BlockCoupling::BlockCoupling(const ScaledProblem& problem, const CellTerms& cells, FreedPairs& freed, int threads)
    : problem_(problem),
      cells_(cells),
      freed_(freed),
      stride_(problem.dimension() + (problem.robust ? 1 : 0)),
      size_(problem.blocks() * stride_),
      cell_sum_(problem, threads),
      heavy_rows_(size_, std::min(size_, cells.all_rows())),
      heavy_(static_cast<std::size_t>(cells.all_rows()), -1),
      ratios_(cells.all_rows()),
      system_(size_, size_),
      panel_(size_, kPanelRows),
      up_(size_),
      down_(size_),
      center_(size_),
      anchor_(size_),
      row_(size_),
      solution_(size_),
      constants_(problem.groups(), 2),
      extra_(problem.groups(), 2),
      differences_(problem.dimension(), problem.patterns()),
      ds_(problem.dimension(), problem.cells()),
      Y_(problem.dimension(), problem.cells()),
      spring_rows_(static_cast<std::size_t>(threads), Matrix(problem.dimension(), problem.dimension())) {}

bool BlockCoupling::factor(const BlockFactors& blocks, const NormCones* norms, double regularization, bool orthogonal) {
  norms_ = norms;
  system_.setZero();
  add_blocks(blocks);
  if (!choose_heavy(blocks, heavy_limit(orthogonal))) return false;
  add_rows(blocks);
  if (norms_ != nullptr) add_springs();
  system_.diagonal() *= 1.0 + regularization;
  return dense::cholesky(system_) && heavy_rows_.factor(system_, orthogonal);
}

void BlockCoupling::add_blocks(const BlockFactors& blocks) {
  const Index d = problem_.dimension();
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < problem_.blocks(); ++j) {
    const Matrix L = blocks.lower(j).triangularView<Eigen::Lower>();
    dense::rank_update(1.0, dense::Op::none, L, 0.0, system_.block(j * stride_, j * stride_, d, d));
    if (problem_.robust) system_(j * stride_ + d, j * stride_ + d) = blocks.masses()(j);
  }
}

void BlockCoupling::set_side(const BlockFactors& blocks, Index group, int side, Eigen::Ref<Vector> row) const {
  const Index d = problem_.dimension();
  for (Index j = 0; j < problem_.blocks(); ++j) {
    auto part = row.segment(j * stride_, stride_);
    const SideEntry entry = side_entry(problem_, freed_, group, j, side);
    part.setZero();
    if (entry.empty()) continue;
    part.head(d) = entry.row * problem_.X.row(group).transpose();
    if (entry.center == 0) continue;
    part.head(d) += entry.center * blocks.centers().col(j);
    if (problem_.robust) part(d) = entry.center;
  }
}

template <class Row>
void BlockCoupling::for_each_row(const BlockFactors& blocks, Index cell, Row&& row) {
  const Index d = problem_.dimension();
  const auto& groups = cells_.groups_of_cell()[static_cast<std::size_t>(cell)];
  const Matrix& theta = cells_.side_theta();
  center_.setZero();
  if (norms_ != nullptr) {
    // drho = center'step, what the sides and the anchor make of it
    anchor_.setZero();
    for (Index j = 0; j < problem_.blocks(); ++j) {
      if (problem_.cell_activations(cell, problem_.pattern_of(j)) > 0) {
        anchor_.segment(j * stride_, d) = sign_of(j) * norms_->anchors().col(cell);
      }
    }
    center_ = norms_->kappa()(cell) * anchor_;
    for (const Index g : groups) {
      for (const int side : {up, down}) {
        if (!(theta(g, side) > 0)) continue;
        set_side(blocks, g, side, row_);
        center_ -= theta(g, side) * row_;
      }
    }
    center_ /= cells_.masses()(cell);
  }
  Index id = 0;
  for (const Index g : groups) {
    const double x = cells_.across_theta()(g);
    if (theta(g, up) > 0 || x > 0) set_side(blocks, g, up, up_);
    if (theta(g, down) > 0 || x > 0) set_side(blocks, g, down, down_);
    if (theta(g, up) > 0) row(id + up, theta(g, up), row_ = up_ + center_);
    if (theta(g, down) > 0) row(id + down, theta(g, down), row_ = down_ + center_);
    if (x > 0) row(id + across, x, row_ = up_ - down_);
    id += 3;
  }
  if (norms_ == nullptr) return;
  row(id++, norms_->kappa()(cell), row_ = anchor_ - center_);
  Matrix& root = spring_rows_[0];
  norms_->set_root(cell, root);
  for (Index r = 0; r < d; ++r) {
    row_.setZero();
    for (Index j = 0; j < problem_.blocks(); ++j) {
      if (problem_.cell_activations(cell, problem_.pattern_of(j)) > 0) {
        row_.segment(j * stride_, d) = sign_of(j) * root.row(r).transpose();
      }
    }
    row(id++, 1.0, row_);
  }
}

/// A row is heavy if it towers above the blocks in some entry; no more than fit, the most extreme ones.
bool BlockCoupling::choose_heavy(const BlockFactors& blocks, double limit) {
  ratios_.setZero();
  const Vector inverse = system_.diagonal().cwiseInverse();
  for (Index c = 0; c < problem_.cells(); ++c) {
    for_each_row(blocks, c, [&](Index id, double weight, const Vector& row) {
      ratios_(cells_.first_row(c) + id) =
          weight * (row.array().square() * inverse.array()).maxCoeff<Eigen::PropagateNaN>();
    });
  }
  if (ratios_.hasNaN()) return false;  // a block without curvature, or weights beyond the largest number
  if ((ratios_.array() > limit).count() > heavy_rows_.most()) {
    Vector sorted = ratios_;
    std::nth_element(sorted.data(), sorted.data() + heavy_rows_.most(), sorted.data() + sorted.size(),
                     std::greater<double>());
    limit = std::max(limit, sorted(heavy_rows_.most()));
  }
  Index count = 0;
  for (Index r = 0; r < ratios_.size(); ++r) {
    heavy_[static_cast<std::size_t>(r)] = ratios_(r) > limit ? count++ : -1;
  }
  heavy_rows_.set_count(count);
  chosen_.resize(static_cast<std::size_t>(count));
  roots_.resize(static_cast<std::size_t>(count));
  return true;
}

void BlockCoupling::add_rows(const BlockFactors& blocks) {
  Index waiting = 0;
  const auto flush = [&] {
    dense::rank_update(1.0, dense::Op::none, panel_.leftCols(waiting), 1.0, system_);
    waiting = 0;
  };
  auto heavy = heavy_rows_.rows();
  for (Index c = 0; c < problem_.cells(); ++c) {
    const Index springs = cells_.rows_of(c) - (norms_ != nullptr ? problem_.dimension() : 0);
    for_each_row(blocks, c, [&](Index id, double weight, const Vector& row) {
      const Index place = heavy_place(c, id);
      if (place >= 0) {
        heavy.col(place) = std::sqrt(weight) * row;
        chosen_[static_cast<std::size_t>(place)] = {c, id};
        roots_[static_cast<std::size_t>(place)] = std::sqrt(weight);
      } else if (id < springs) {
        panel_.col(waiting++) = std::sqrt(weight) * row;
        if (waiting == kPanelRows) flush();
      }
    });
  }
  flush();
}

/// Light springs: sums over cells of d_c d_c' (x) S_c, seen with the signs of the blocks.
void BlockCoupling::add_springs() {
  cell_sum_.compute([&](Index cell, int thread, Eigen::Ref<Matrix> S) {
    Matrix& root = spring_rows_[static_cast<std::size_t>(thread)];
    norms_->set_root(cell, root);
    const Index first = cells_.rows_of(cell) - root.rows();
    for (Index r = 0; r < root.rows(); ++r) {
      if (heavy_place(cell, first + r) >= 0) root.row(r).setZero();
    }
    dense::rank_update(1.0, dense::Op::transpose, root, 0.0, S);
  });
  cell_sum_.for_each([&](Index k, Index a, Index l, Index b, double value) {
    if (value == 0) return;
    const Index each = problem_.blocks() / problem_.patterns();
    for (Index i = each * k; i < each * (k + 1); ++i) {
      for (Index j = each * l; j < each * (l + 1) && j <= i; ++j) {
        const double entry = sign_of(i) * sign_of(j) * value;
        system_(i * stride_ + a, j * stride_ + b) += entry;
        // Within a pattern only a >= b is listed; between its two blocks both orders are wanted.
        if (k == l && i != j && a != b) system_(i * stride_ + b, j * stride_ + a) += entry;
      }
    }
  });
}

void BlockCoupling::solve(const BlockFactors& blocks, Matrix& R, Vector& R_tau, Matrix& multiplier_residual,
                          Matrix& spring_residual, Matrix& du, Vector& dtau, Matrix& N, Matrix& springs) {
  const Index d = problem_.dimension();
  // Constant parts of the gradients leave the right side; those of heavy rows go where their unknowns are.
  cells_.set_constants(multiplier_residual, constants_);
  cells_.gradients(constants_, spring_residual, Y_);
  dense::multiply(1.0, dense::Op::none, Y_, dense::Op::none, problem_.cell_activations, 0.0, differences_);
  for (Index j = 0; j < problem_.blocks(); ++j) R.col(j) -= sign_of(j) * differences_.col(problem_.pattern_of(j));
  freed_.push(blocks, constants_, R, R_tau);
  for (Index j = 0; j < problem_.blocks(); ++j) {
    solution_.segment(j * stride_, d) = R.col(j);
    if (problem_.robust) solution_(j * stride_ + d) = R_tau(j);
  }
  for (Index h = 0; h < heavy_rows_.count(); ++h) {
    const auto [cell, id] = chosen_[static_cast<std::size_t>(h)];
    heavy_rows_.p()(h) = cells_.constant_of_row(cell, id, constants_) / roots_[static_cast<std::size_t>(h)];
  }
  heavy_rows_.add_rows(heavy_rows_.p(), solution_);
  heavy_rows_.solve(system_, solution_);
  for (Index j = 0; j < problem_.blocks(); ++j) {
    du.col(j) = solution_.segment(j * stride_, d);
    dtau(j) = problem_.robust ? solution_(j * stride_ + d) : 0.0;
  }

  // Light rows answer through the step, heavy ones through p.
  problem_.sum_blocks(du, differences_);
  dense::multiply(1.0, dense::Op::none, differences_, dense::Op::transpose, problem_.cell_activations, 0.0, ds_);
  freed_.pull(blocks, du, dtau, extra_);
  const auto answer = [&](Index cell, Index id, double light) {
    const Index place = heavy_place(cell, id);
    return place < 0 ? light
                     : roots_[static_cast<std::size_t>(place)] * heavy_rows_.p()(place) -
                           cells_.constant_of_row(cell, id, constants_);
  };
  N = constants_;
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < problem_.cells(); ++c) {
    const auto& groups = cells_.groups_of_cell()[static_cast<std::size_t>(c)];
    const Matrix& theta = cells_.side_theta();
    const auto side = [&](Index g, int s) {
      return (s == up ? 1.0 : -1.0) * problem_.X.row(g).dot(ds_.col(c)) + extra_(g, s);
    };
    double drho = 0;
    if (norms_ != nullptr) {
      drho = norms_->kappa()(c) * norms_->anchors().col(c).dot(ds_.col(c));
      for (const Index g : groups) drho -= theta(g, up) * side(g, up) + theta(g, down) * side(g, down);
      drho /= cells_.masses()(c);
    }
    Index id = 0;
    for (const Index g : groups) {
      const double b_up = side(g, up) + drho;
      const double b_down = side(g, down) + drho;
      const double x = answer(c, id + across, cells_.across_theta()(g) * (b_up - b_down));
      N(g, up) += answer(c, id + up, theta(g, up) * b_up) + x;
      N(g, down) += answer(c, id + down, theta(g, down) * b_down) - x;
      id += 3;
    }
    if (norms_ == nullptr) continue;
    Matrix& root = spring_rows_[static_cast<std::size_t>(omp_get_thread_num())];
    norms_->set_root(c, root);
    springs.col(c) = spring_residual.col(c);
    for (Index r = 0; r < d; ++r) {
      springs.col(c) += answer(c, id + 1 + r, root.row(r).dot(ds_.col(c))) * root.row(r).transpose();
    }
  }
}

}  // namespace conelu::ipm
