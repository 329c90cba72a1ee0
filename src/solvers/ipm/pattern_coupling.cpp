#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <compare>
#include <numeric>

#include "linalg/dense.hpp"
#include "solvers/ipm/coupling.hpp"
#include "solvers/ipm/heavy_rows.hpp"
#include "solvers/ipm/pattern_sums.hpp"

namespace conelu::ipm {

using dense::Op;

namespace {

/// P d-sided, in z_i = v_i - w_i: M = blockdiag(N_i) + sum_k theta_k (d_k (x) x_k)(d_k (x) x_k)', N_i as in
/// PatternSums: positive terms only. Samples whose theta towers above the rest stay out of M: see HeavyRows, with p =
/// theta^-1/2 dnu.
class PatternCoupling final : public Coupling {
 public:
  explicit PatternCoupling(const ScaledProblem& problem)
      : problem_(problem),
        size_(problem.dimension() * problem.patterns()),
        sums_(problem),
        system_(size_, size_),
        panel_(std::min<Index>(kPanelRows, problem.groups()), size_),
        heavy_rows_(size_, std::min<Index>(problem.groups(), 2 * size_)),
        light_(problem.groups()),
        light_kappa_(problem.groups()),
        root_(problem.groups()),
        G_(problem.dimension(), problem.patterns()),
        F_(problem.groups(), problem.patterns()) {
    order_.resize(static_cast<std::size_t>(problem.groups()));
    heavy_.reserve(static_cast<std::size_t>(heavy_rows_.most()));
  }

  bool factor(const BlockFactors& blocks, const Vector& theta, double regularization) override {
    if (!sums_.factor(blocks, regularization, system_)) return false;
    choose_heavy(theta);
    add_light();
    system_.diagonal() *= 1.0 + regularization;
    if (!dense::cholesky(system_)) return false;
    set_heavy();
    return heavy_rows_.factor(system_, false);
  }

  void solve(const BlockFactors& blocks, Matrix& R, const Vector& kappa, Matrix& du, Vector& dnu) override {
    const Index heavy = static_cast<Index>(heavy_.size());
    light_kappa_ = kappa;
    for (const Index k : heavy_) light_kappa_(k) = 0;
    transposed_outputs(problem_, light_kappa_, F_, G_);
    sums_.join(blocks, R, -1.0, G_);
    for (Index i = 0; i < heavy; ++i) {
      const Index k = heavy_[static_cast<std::size_t>(i)];
      heavy_rows_.p()(i) = kappa(k) / root_(k);
    }
    heavy_rows_.solve(system_, Eigen::Map<Vector>(G_.data(), size_));

    gated_products(problem_, G_, F_, dnu);
    dnu = light_.cwiseProduct(dnu) + light_kappa_;
    for (Index i = 0; i < heavy; ++i) {
      const Index k = heavy_[static_cast<std::size_t>(i)];
      dnu(k) = root_(k) * heavy_rows_.p()(i);
    }
    sums_.separate(blocks, R, G_, du);
  }

 private:
  /// Heavy are those of the largest theta that stand far above both the rest and the blocks.
  void choose_heavy(const Vector& theta) {
    root_ = theta.cwiseSqrt();
    light_ = theta;
    heavy_.clear();
    std::iota(order_.begin(), order_.end(), Index{0});
    // An order even of numbers that are none, which the factor will refuse: a sort without one leaves its range.
    const auto heavier = [&](Index k, Index l) {
      const auto order = std::strong_order(theta(k), theta(l));
      return order != 0 ? order > 0 : k < l;
    };
    std::sort(order_.begin(), order_.end(), heavier);
    const Index most = heavy_rows_.most();
    const double rest = most < theta.size() ? theta(order_[static_cast<std::size_t>(most)]) : 0.0;
    const double limit = kHeavy * std::max(rest, system_.diagonal().maxCoeff());
    for (Index i = 0; i < most && theta(order_[static_cast<std::size_t>(i)]) > limit; ++i) {
      heavy_.push_back(order_[static_cast<std::size_t>(i)]);
      light_(heavy_.back()) = 0;
    }
  }

  void add_light() {
    const Index d = problem_.dimension();
    for (Index first = 0; first < problem_.groups(); first += kPanelRows) {
      const Index rows = std::min<Index>(kPanelRows, problem_.groups() - first);
      auto panel = panel_.topRows(rows);
#pragma omp parallel for schedule(static)
      for (Index i = 0; i < problem_.patterns(); ++i) {
        auto gated_root = F_.col(i).segment(first, rows).array();
        gated_root = problem_.activations.col(i).segment(first, rows).array() *
                     light_.segment(first, rows).array().sqrt();
        for (Index a = 0; a < d; ++a) {
          panel.col(i * d + a).array() = problem_.X.col(a).segment(first, rows).array() * gated_root;
        }
      }
      dense::rank_update(1.0, Op::transpose, panel, 1.0, system_);
    }
  }

  void set_heavy() {
    const Index d = problem_.dimension();
    heavy_rows_.set_count(static_cast<Index>(heavy_.size()));
    auto rows = heavy_rows_.rows();
    for (Index c = 0; c < rows.cols(); ++c) {
      const Index k = heavy_[static_cast<std::size_t>(c)];
      for (Index i = 0; i < problem_.patterns(); ++i) {
        rows.col(c).segment(i * d, d) = (root_(k) * problem_.activations(k, i)) * problem_.X.row(k).transpose();
      }
    }
  }

  static constexpr Index kPanelRows = 256;
  static constexpr double kHeavy = 100;  // without it 5 instead of 1 of 300 random hinge problems stop short of 1e-8

  const ScaledProblem& problem_;
  Index size_;  // P d
  PatternSums sums_;
  Matrix system_;
  Matrix panel_;
  HeavyRows heavy_rows_;
  std::vector<Index> order_, heavy_;
  Vector light_, light_kappa_, root_;
  Matrix G_, F_;
};

}  // namespace

std::unique_ptr<Coupling> make_pattern_coupling(const ScaledProblem& problem) {
  return std::make_unique<PatternCoupling>(problem);
}

}  // namespace conelu::ipm
