#include "solvers/ipm/scaled_problem.hpp"

#include <algorithm>
#include <numeric>

namespace conelu::ipm {
namespace {

/// Orders samples so that those of a group are neighbours and, without a threat, zero rows come last.
class GroupOrder {
 public:
  explicit GroupOrder(const Program& program)
      : program_(program),
        zero_rows_last_(!program.robust() && program.method() == Method::cones),
        by_activation_(!zero_rows_last_),
        by_label_(program.method() != Method::cones && program.loss().is_margin_loss()) {}

  /// Negative, 0 or positive, as sample k comes before, with or after sample l.
  int compare(Index k, Index l) const {
    const Matrix& X = program_.X();
    if (zero_rows_last_) {
      const int zeros = (program_.row_norms()(k) == 0) - (program_.row_norms()(l) == 0);
      if (zeros != 0) return zeros;
    }
    for (Index a = 0; a < X.cols(); ++a) {
      if (X(k, a) != X(l, a)) return X(k, a) < X(l, a) ? -1 : 1;
    }
    const Matrix& D = program_.activations();
    for (Index i = 0; by_activation_ && i < D.cols(); ++i) {
      if (D(k, i) != D(l, i)) return D(k, i) < D(l, i) ? -1 : 1;
    }
    if (by_label_ && program_.y()(k) != program_.y()(l)) return program_.y()(k) < program_.y()(l) ? -1 : 1;
    return 0;
  }

  std::vector<Index> sorted() const {
    std::vector<Index> order(static_cast<std::size_t>(program_.samples()));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index k, Index l) { return compare(k, l) < 0; });
    return order;
  }

 private:
  const Program& program_;
  bool zero_rows_last_, by_activation_, by_label_;
};

}  // namespace

ScaledProblem::ScaledProblem(const Program& program)
    : loss(program.loss()),
      robust(program.robust()),
      reduced(program.method() != Method::cones),
      joint(program.robust() && !program.separate()),
      norm(program.threat().norm),
      witnesses(program.witnesses()),
      y(program.y()),
      group_of(static_cast<std::size_t>(program.samples())),
      program_(program),
      beta_(program.beta()) {
  const Vector& norms = program.row_norms();
  const double mean_norm = norms.mean();
  data_scale_ = mean_norm > 0 ? mean_norm : 1.0;
  weights = program.loss_weights() * (data_scale_ / beta_);
  if (robust) radii = program.threat().radii / data_scale_;

  Index cone_row_count = 0;
  const GroupOrder groups(program);
  for (const Index k : groups.sorted()) {
    if (representatives_.empty() || groups.compare(k, representatives_.back()) != 0) {
      representatives_.push_back(k);
      if (norms(k) > 0 || worst_case()) ++cone_row_count;
      cell_of.push_back(program.cell_of()[static_cast<std::size_t>(k)]);
    }
    group_of[static_cast<std::size_t>(k)] = static_cast<Index>(representatives_.size()) - 1;
  }
  const std::vector<Index> cone_samples(representatives_.begin(), representatives_.begin() + cone_row_count);
  row_scales_ = worst_case() ? Vector(Vector::Constant(cone_row_count, 1 / data_scale_))
                             : Vector(norms(cone_samples).cwiseInverse());
  X = program.X()(representatives_, Eigen::all) / data_scale_;
  unit_rows = row_scales_.asDiagonal() * program.X()(cone_samples, Eigen::all);
  activations = program.activations()(representatives_, Eigen::all);
  if (program.separate()) {
    open = activations;
    activations.setZero();
  }
  signs = 2.0 * activations.topRows(cone_row_count).array() - 1.0;
  cell_activations = program.cell_activations();
  for (Index j = 0; reduced && j < blocks(); ++j) {
    for (Index g = 0; g < cone_row_count; ++g)
      surplus_ += pair(g, j) == Pair::none ? -1 : pair(g, j) == Pair::freed;
  }
}

void ScaledProblem::sum_blocks(const Matrix& U, Matrix& sums) const {
  sums.setZero();
  for (Index j = 0; j < blocks(); ++j) sums.col(pattern_of(j)) += sign_of(j) * U.col(j);
}

void ScaledProblem::unscale(const Matrix& U, const Vector& nu, const Matrix& lambda, Matrix& blocks_out,
                            DualPoint& dual_out) const {
  blocks_out = U / data_scale_;
  dual_out.nu = nu * (beta_ / data_scale_);
  if (!selective()) {
    for (Index row = 0; row < cone_rows(); ++row) {
      dual_out.lambda.row(representatives_[static_cast<std::size_t>(row)]) =
          (beta_ * row_scales_(row)) * lambda.row(row);
    }
    return;
  }
  dual_out.lambda.setZero();
  for (Index j = 0; j < blocks(); ++j) {
    for (Index k = 0; k < cone_rows(); ++k) {
      const Index row = near(k, pattern_of(j));
      dual_out.lambda(representatives_[static_cast<std::size_t>(row)], j) = (beta_ * row_scales_(row)) * lambda(k, j);
    }
  }
}

void ScaledProblem::unscale_worst_case(const Matrix& lambda, DualPoint& dual_out) const {
  dual_out.mu *= beta_ / data_scale_;
  dual_out.cell_attacks *= beta_;
  dual_out.block_attacks *= beta_;
  if (!reduced) return;
  for (Index j = 0; j < blocks(); ++j) {
    const double side = sign_of(j);
    Vector sums = Vector::Zero(groups());
    for (Index k = 0; k < samples(); ++k) {
      sums(group_of[static_cast<std::size_t>(k)]) += dual_out.mu(k) + side * dual_out.nu(k);
    }
    for (Index k = 0; k < samples(); ++k) {
      const Index g = group_of[static_cast<std::size_t>(k)];
      if (pair(g, j) != Pair::freed) continue;
      const double share = sums(g) > 0 ? (dual_out.mu(k) + side * dual_out.nu(k)) / sums(g) : 0.0;
      dual_out.lambda(k, j) = share * (beta_ / data_scale_) * lambda(g, j);
    }
  }
}

}  // namespace conelu::ipm
