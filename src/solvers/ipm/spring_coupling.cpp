#include "solvers/ipm/spring_coupling.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "linalg/dense.hpp"
#include "solvers/ipm/heavy_rows.hpp"

namespace conelu::ipm {

using dense::Op;

namespace {

/// Constants of heavier rows stay with the unknown of the row: the block's residual would lose their digits.
constexpr double kHeavyConstant = 1;

}  // namespace

SpringCoupling::SpringCoupling(const ScaledProblem& problem, const CellTerms& cells, FreedPairs& freed, int threads)
    : problem_(problem),
      cells_(cells),
      freed_(freed),
      size_(problem.dimension() * problem.patterns()),
      sums_(problem),
      cell_sum_(problem, threads),
      heavy_(static_cast<std::size_t>(problem.cells() * problem.dimension())),
      system_(size_, size_),
      y_(2 * size_ + problem.blocks()),
      constants_(problem.groups(), 2),
      answers_(problem.groups(), 2),
      Z_(problem.dimension(), problem.patterns()),
      T_(problem.dimension(), problem.patterns()),
      sums_of_cells_(problem.dimension(), problem.patterns()),
      ds_(problem.dimension(), problem.cells()),
      Y_(problem.dimension(), problem.cells()),
      heavy_answers_(problem.dimension(), problem.cells()),
      roots_(static_cast<std::size_t>(threads), Matrix(problem.dimension(), problem.dimension())),
      parts_v_(static_cast<std::size_t>(threads)),
      parts_w_(static_cast<std::size_t>(threads)) {}

bool SpringCoupling::factor(const BlockFactors& blocks, const NormCones* norms, double regularization, bool careful) {
  norms_ = norms;
  if (!choose_rows() || !sums_.factor(blocks, regularization, system_) || !sums_.factor_totals(regularization)) {
    return false;
  }
  if (!choose_heavy(heavy_limit(careful))) return false;
  add_springs();
  system_.diagonal() *= 1.0 + regularization;
  if (!dense::cholesky(system_)) return false;
  set_panel(blocks);
  return factor_rows(regularization);
}

bool SpringCoupling::choose_rows() {
  rows_.clear();
  if (!cells_.side_theta().allFinite() || !cells_.across_theta().allFinite()) return false;
  for (Index c = 0; c < problem_.cells(); ++c) {
    for (const Index g : cells_.groups_of_cell()[static_cast<std::size_t>(c)]) {
      for (const int side : {up, down}) {
        const double theta = cells_.side_theta()(g, side);
        if (theta > 0) rows_.push_back({c, g, side, std::sqrt(theta)});
      }
      const double theta = cells_.across_theta()(g);
      if (theta > 0) rows_.push_back({c, g, across, std::sqrt(theta)});
    }
  }
  sample_rows_ = static_cast<Index>(rows_.size());
  return true;
}

/// A spring is heavy if it towers above the blocks in some entry; no more than M has unknowns, the most extreme ones.
bool SpringCoupling::choose_heavy(double limit) {
  const Index d = problem_.dimension();
  Matrix ratios = Matrix::Zero(d, problem_.cells());
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < problem_.cells(); ++c) {
    Vector inverse = Vector::Zero(d);
    for (Index i = 0; i < problem_.patterns(); ++i) {
      if (problem_.cell_activations(c, i) > 0) {
        inverse = inverse.cwiseMax(system_.diagonal().segment(i * d, d).cwiseInverse());
      }
    }
    Matrix& root = roots_[static_cast<std::size_t>(omp_get_thread_num())];
    norms_->set_root(c, root);
    for (Index r = 0; r < d; ++r) {
      ratios(r, c) =
          (root.row(r).transpose().array().square() * inverse.array()).maxCoeff<Eigen::PropagateNaN>();
    }
  }
  if (ratios.hasNaN()) return false;  // a block without curvature, or springs beyond the largest number
  if ((ratios.array() > limit).count() > size_) {
    Vector sorted = ratios.reshaped();
    std::nth_element(sorted.data(), sorted.data() + size_, sorted.data() + sorted.size(), std::greater<double>());
    limit = sorted(size_);
  }
  for (Index c = 0; c < problem_.cells(); ++c) {
    for (Index r = 0; r < d; ++r) {
      const bool heavy = ratios(r, c) > limit;
      heavy_[static_cast<std::size_t>(c * d + r)] = heavy ? 1 : 0;
      if (heavy) rows_.push_back({c, r, kSpring, 1.0});
    }
  }
  const Index count = static_cast<Index>(rows_.size()) - sample_rows_;
  heavy_vectors_.resize(d, count);
  for (Index h = 0; h < count; ++h) {
    const Row& row = rows_[static_cast<std::size_t>(sample_rows_ + h)];
    if (h == 0 || rows_[static_cast<std::size_t>(sample_rows_ + h - 1)].cell != row.cell) {
      norms_->set_root(row.cell, roots_[0]);
    }
    heavy_vectors_.col(h) = roots_[0].row(row.which).transpose();
  }
  return true;
}

void SpringCoupling::add_springs() {
  const Index d = problem_.dimension();
  cell_sum_.compute([&](Index cell, int thread, Eigen::Ref<Matrix> S) {
    const auto heavy = heavy_.begin() + static_cast<std::ptrdiff_t>(cell * d);
    S.setZero();
    if (std::none_of(heavy, heavy + d, [](char is) { return is != 0; })) {
      norms_->add_hessian(cell, S);
      return;
    }
    Matrix& root = roots_[static_cast<std::size_t>(thread)];
    norms_->set_root(cell, root);
    for (Index r = 0; r < d; ++r) {
      if (heavy[r] != 0) root.row(r).setZero();
    }
    dense::rank_update(1.0, Op::transpose, root, 0.0, S);
  });
  cell_sum_.for_each([&](Index k, Index a, Index l, Index b, double value) { system_(k * d + a, l * d + b) += value; });
}

void SpringCoupling::set_panel(const BlockFactors& blocks) {
  const Index d = problem_.dimension();
  const auto count = static_cast<Index>(rows_.size());
  if (panel_.cols() < count) panel_.resize(y_.size(), count);
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < problem_.patterns(); ++i) {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    if (parts_v_[thread].cols() < count) {
      parts_v_[thread].resize(d, count);
      parts_w_[thread].resize(d, count);
    }
    auto G = panel_.block(i * d, 0, d, count);
    auto V = parts_v_[thread].leftCols(count);
    auto W = parts_w_[thread].leftCols(count);
    const auto set_gate = [&](const Row& row, Index block, double share, Eigen::Ref<Vector> part) {
      const double gate = row.root * share * freed_.gates()(row.which, block);
      part = gate * (blocks.centers().col(block) - problem_.signs(row.which, i) * cells_.sample(row.which));
      return gate / std::sqrt(blocks.masses()(block));
    };
    for (Index r = 0; r < count; ++r) {
      const Row& row = rows_[static_cast<std::size_t>(r)];
      const double active = problem_.cell_activations(row.cell, i);
      auto tau = panel_.col(r).segment(2 * size_ + 2 * i, 2);
      if (row.side == kSpring) {
        G.col(r) = active * heavy_vectors_.col(r - sample_rows_);
        V.col(r).setZero();
        W.col(r).setZero();
        tau.setZero();
        continue;
      }
      const double of_sample = row.side == up ? 1.0 : row.side == down ? -1.0 : 2.0;
      G.col(r) = (active * row.root * of_sample) * cells_.sample(row.which);
      if (sees_norm(row)) G.col(r) += (active * row.root) * norms_->anchors().col(row.cell);
      tau(0) = set_gate(row, 2 * i, row.side == down ? 0.0 : 1.0, V.col(r));
      tau(1) = set_gate(row, 2 * i + 1, row.side == down ? 1.0 : row.side == across ? -1.0 : 0.0, W.col(r));
    }
    sums_.join_rows(blocks, i, V, W, G);
    panel_.block(size_ + i * d, 0, d, count) = V;
  }
  dense::solve_lower(Op::none, system_, panel_.topLeftCorner(size_, count));
}

bool SpringCoupling::factor_rows(double regularization) {
  const auto count = static_cast<Index>(rows_.size());
  rows_system_.setIdentity(count, count);
  dense::rank_update(1.0, Op::transpose, panel_.topLeftCorner(size_, count), 1.0, rows_system_);
  // Springs see nothing but differences.
  dense::rank_update(1.0, Op::transpose, panel_.bottomLeftCorner(y_.size() - size_, sample_rows_), 1.0,
                     rows_system_.topLeftCorner(sample_rows_, sample_rows_));
  for (Index k = 0; k < sample_rows_; ++k) {
    const Row& row = rows_[static_cast<std::size_t>(k)];
    if (!sees_norm(row)) continue;
    for (Index l = k; l < sample_rows_ && rows_[static_cast<std::size_t>(l)].cell == row.cell; ++l) {
      const Row& other = rows_[static_cast<std::size_t>(l)];
      if (sees_norm(other)) rows_system_(l, k) += row.root * other.root / norms_->kappa()(row.cell);
    }
  }
  rows_system_.diagonal() *= 1.0 + regularization;
  return dense::cholesky(rows_system_);
}

void SpringCoupling::push(const BlockFactors& blocks, const Matrix& N, const Matrix& springs, Matrix& R,
                          Vector& R_tau) {
  cells_.gradients(N, springs, Y_);
  dense::multiply(1.0, Op::none, Y_, Op::none, problem_.cell_activations, 0.0, sums_of_cells_);
  for (Index j = 0; j < problem_.blocks(); ++j) {
    R.col(j) -= ScaledProblem::sign_of(j) * sums_of_cells_.col(problem_.pattern_of(j));
  }
  freed_.push(blocks, N, R, R_tau);
}

void SpringCoupling::solve(const BlockFactors& blocks, Matrix& R, Vector& R_tau, Matrix& multiplier_residual,
                           Matrix& spring_residual, Matrix& du, Vector& dtau, Matrix& N, Matrix& springs) {
  const Index d = problem_.dimension();
  const auto count = static_cast<Index>(rows_.size());
  // Light constants leave the right side; heavy ones are part of q.
  constants_ = multiplier_residual;
  q_.setZero(count);
  for (Index r = 0; r < sample_rows_; ++r) {
    const Row& row = rows_[static_cast<std::size_t>(r)];
    if (!sees_norm(row) || row.root < kHeavyConstant) continue;
    q_(r) = constants_(row.which, row.side) / row.root;
    constants_(row.which, row.side) = 0;
  }
  // So do heavy springs, or their residuals, huge beside those of the blocks, would take the digits of these.
  for (Index r = sample_rows_; r < count; ++r) {
    const auto vector = heavy_vectors_.col(r - sample_rows_);
    auto residual = spring_residual.col(rows_[static_cast<std::size_t>(r)].cell);
    q_(r) = vector.dot(residual) / vector.squaredNorm();
    residual -= q_(r) * vector;
  }
  push(blocks, constants_, spring_residual, R, R_tau);
  for (Index r = 0; r < sample_rows_; ++r) {
    const Row& row = rows_[static_cast<std::size_t>(r)];
    if (sees_norm(row)) q_(r) -= row.root * cells_.chi(row.cell, constants_) / norms_->kappa()(row.cell);
  }
  sums_.set_totals(blocks, R, T_);
  du = R;
  sums_.join(blocks, du, 0.0, Z_);
  y_ << Z_.reshaped(), T_.reshaped(), R_tau.cwiseQuotient(blocks.masses().cwiseSqrt());
  dense::solve_lower(Op::none, system_, y_.head(size_));
  dense::multiply_vector(1.0, Op::transpose, panel_.leftCols(count), y_, 1.0, q_);
  dense::solve_cholesky(rows_system_, q_);

  answers_.setZero();
  heavy_answers_.setZero();
  for (Index r = 0; r < count; ++r) {
    const Row& row = rows_[static_cast<std::size_t>(r)];
    const double answer = row.root * q_(r);
    if (row.side == kSpring) {
      heavy_answers_.col(row.cell) += answer * heavy_vectors_.col(r - sample_rows_);
    } else if (row.side == across) {
      answers_(row.which, up) += answer;
      answers_(row.which, down) -= answer;
    } else {
      answers_(row.which, row.side) += answer;
    }
  }
  push(blocks, answers_, heavy_answers_, R, R_tau);
  sums_.join(blocks, R, 0.0, Z_);
  dense::solve_cholesky(system_, Eigen::Map<Vector>(Z_.data(), size_));
  sums_.separate(blocks, R, Z_, du);
  sums_.reconcile(blocks, Z_, du);
  dtau = R_tau.cwiseQuotient(blocks.masses());
  N = constants_ + answers_;

  // Light springs answer through ds.
  dense::multiply(1.0, Op::none, Z_, Op::transpose, problem_.cell_activations, 0.0, ds_);
  springs = spring_residual + heavy_answers_;
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < problem_.cells(); ++c) {
    const auto heavy = heavy_.begin() + static_cast<std::ptrdiff_t>(c * d);
    if (std::none_of(heavy, heavy + d, [](char is) { return is != 0; })) {
      norms_->apply_hessian(c, ds_.col(c), springs.col(c));
      continue;
    }
    Matrix& root = roots_[static_cast<std::size_t>(omp_get_thread_num())];
    norms_->set_root(c, root);
    for (Index r = 0; r < d; ++r) {
      if (heavy[r] == 0) springs.col(c) += root.row(r).dot(ds_.col(c)) * root.row(r).transpose();
    }
  }
}

}  // namespace conelu::ipm
