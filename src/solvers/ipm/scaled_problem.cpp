#include "solvers/ipm/scaled_problem.hpp"

#include <algorithm>
#include <numeric>

namespace conelu::ipm {
namespace {

/// Sample indices ordered so that equal rows are neighbours and zero rows come last.
std::vector<Index> sort_rows(const Matrix& X, const Vector& row_norms) {
  std::vector<Index> order(static_cast<std::size_t>(X.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index k, Index l) {
    const bool zero_k = row_norms(k) == 0;
    const bool zero_l = row_norms(l) == 0;
    if (zero_k || zero_l) return zero_l && !zero_k;
    for (Index a = 0; a < X.cols(); ++a) {
      if (X(k, a) != X(l, a)) return X(k, a) < X(l, a);
    }
    return false;
  });
  return order;
}

}  // namespace

ScaledProblem::ScaledProblem(const Program& program)
    : loss(program.loss()),
      witnesses(program.witnesses()),
      y(program.y()),
      group_of(static_cast<std::size_t>(program.samples())),
      beta_(program.beta()) {
  const Vector& norms = program.row_norms();
  const double mean_norm = norms.mean();
  data_scale_ = mean_norm > 0 ? mean_norm : 1.0;
  weights = program.loss_weights() * (data_scale_ / beta_);

  Index cone_row_count = 0;
  for (const Index k : sort_rows(program.X(), norms)) {
    const bool opens_group = representatives_.empty() ||
                             !(program.X().row(k).array() == program.X().row(representatives_.back()).array()).all();
    if (opens_group) {
      representatives_.push_back(k);
      if (norms(k) > 0) ++cone_row_count;
    }
    group_of[static_cast<std::size_t>(k)] = static_cast<Index>(representatives_.size()) - 1;
  }
  const std::vector<Index> cone_samples(representatives_.begin(), representatives_.begin() + cone_row_count);
  X = program.X()(representatives_, Eigen::all) / data_scale_;
  unit_rows = norms(cone_samples).cwiseInverse().asDiagonal() * program.X()(cone_samples, Eigen::all);
  activations = program.activations()(representatives_, Eigen::all);
  signs = 2.0 * activations.topRows(cone_row_count).array() - 1.0;
}

void ScaledProblem::unscale(const Matrix& U, const Vector& nu, const Matrix& lambda, Matrix& blocks_out,
                            DualPoint& dual_out) const {
  blocks_out = U / data_scale_;
  dual_out.nu = nu * (beta_ / data_scale_);
  for (Index row = 0; row < cone_rows(); ++row) {
    dual_out.lambda.row(representatives_[static_cast<std::size_t>(row)]) = beta_ * lambda.row(row);
  }
}

}  // namespace conelu::ipm
