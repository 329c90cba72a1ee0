#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "linalg/dense.hpp"
#include "solvers/ipm/coupling.hpp"

namespace conelu::ipm {

using dense::Op;

namespace {

/// P d-sided, in z_i = v_i - w_i: M = blockdiag(N_i) + sum_k theta_k (d_k (x) x_k)(d_k (x) x_k)',
/// N = (H_v^-1 + H_w^-1)^-1 = L_v (I + K'K)^-1 L_v', K = L_w^-1 L_v: positive terms only.
///
/// Towards the end of a solve the theta of samples at a kink outgrow everything else and their rounding errors would
/// drown the rest of M. These heavy samples stay out of M and are solved for like the n-sided system does it, with
/// p = theta^-1/2 dnu as unknowns: (I + B'B) p = B'y + theta^-1/2 kappa, B = L^-1 A' theta^1/2, M = L L'.
class PatternCoupling final : public Coupling {
 public:
  explicit PatternCoupling(const ScaledProblem& problem)
      : problem_(problem),
        size_(problem.dimension() * problem.patterns()),
        ratios_(problem.dimension(), size_),
        sums_(problem.dimension(), size_),
        roots_(problem.dimension(), size_),
        system_(size_, size_),
        panel_(std::min<Index>(kPanelRows, problem.groups()), size_),
        most_heavy_(std::min<Index>(problem.groups(), 2 * size_)),
        heavy_rows_(size_, most_heavy_),
        heavy_system_(most_heavy_, most_heavy_),
        heavy_p_(most_heavy_),
        light_(problem.groups()),
        light_kappa_(problem.groups()),
        root_(problem.groups()),
        m_(problem.dimension(), problem.patterns()),
        Z_(problem.dimension(), problem.patterns()),
        G_(problem.dimension(), problem.patterns()),
        F_(problem.groups(), problem.patterns()) {
    order_.resize(static_cast<std::size_t>(problem.groups()));
    heavy_.reserve(static_cast<std::size_t>(most_heavy_));
  }

  bool factor(const BlockFactors& blocks, const Vector& theta, double regularization) override {
    if (!add_parallel_sums(blocks, regularization)) return false;
    choose_heavy(theta);
    add_light();
    system_.diagonal() *= 1.0 + regularization;
    return dense::cholesky(system_) && factor_heavy(theta);
  }

  void solve(const BlockFactors& blocks, Matrix& R, const Vector& kappa, Matrix& du, Vector& dnu) override {
    const Index d = problem_.dimension();
    const Index heavy = static_cast<Index>(heavy_.size());
    light_kappa_ = kappa;
    for (const Index k : heavy_) light_kappa_(k) = 0;
    transposed_outputs(problem_, light_kappa_, F_, G_);
    // With a = L_v^-1 R_v, c = L_w^-1 R_w and m = a - K'c the right side is Q'C^-1 m - A'kappa: no H^-1 R, which may be
    // huge where N is tiny.
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < problem_.patterns(); ++i) {
      dense::solve_lower(Op::none, blocks.lower(2 * i), R.col(2 * i));
      dense::solve_lower(Op::none, blocks.lower(2 * i + 1), R.col(2 * i + 1));
      m_.col(i) = R.col(2 * i);
      dense::multiply_vector(-1.0, Op::transpose, ratios_.middleCols(i * d, d), R.col(2 * i + 1), 1.0, m_.col(i));
      Z_.col(i) = m_.col(i);
      dense::solve_lower(Op::none, sums_.middleCols(i * d, d), Z_.col(i));
      dense::multiply_vector(1.0, Op::transpose, roots_.middleCols(i * d, d), Z_.col(i), -1.0, G_.col(i));
    }
    // z = M^-1 (G - A' theta^1/2 p), with y = L^-1 G on the way
    Eigen::Map<Matrix> z(G_.data(), size_, 1);
    dense::solve_lower(Op::none, system_, z);
    const auto B = heavy_rows_.leftCols(heavy);
    auto p = heavy_p_.head(heavy);
    for (Index i = 0; i < heavy; ++i)
      p(i) = kappa(heavy_[static_cast<std::size_t>(i)]) / root_(heavy_[static_cast<std::size_t>(i)]);
    dense::multiply_vector(1.0, Op::transpose, B, z.col(0), 1.0, p);
    dense::solve_cholesky(heavy_system_.topLeftCorner(heavy, heavy), p);
    if (heavy > 0) dense::multiply_vector(-1.0, Op::none, B, p, 1.0, z.col(0));
    dense::solve_lower(Op::transpose, system_, z);

    dense::multiply(1.0, Op::none, problem_.X, Op::none, G_, 0.0, F_);
    dnu.setZero();
    for (Index i = 0; i < problem_.patterns(); ++i) {
      dnu.array() += F_.col(i).array() * problem_.activations.col(i).array();
    }
    dnu = light_.cwiseProduct(dnu) + light_kappa_;
    for (Index i = 0; i < heavy; ++i) {
      dnu(heavy_[static_cast<std::size_t>(i)]) = root_(heavy_[static_cast<std::size_t>(i)]) * p(i);
    }
    // Both blocks from z: dv = L_v^-T (a - t), dw = L_w^-T (c + K t), t = (I + K'K)^-1 (m - L_v'z), so dv - dw = z.
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < problem_.patterns(); ++i) {
      const auto L_v = blocks.lower(2 * i);
      auto t = Z_.col(i);
      for (Index a = 0; a < d; ++a) t(a) = m_(a, i) - L_v.col(a).tail(d - a).dot(G_.col(i).tail(d - a));
      dense::solve_cholesky(sums_.middleCols(i * d, d), t);
      du.col(2 * i) = R.col(2 * i) - t;
      du.col(2 * i + 1) = R.col(2 * i + 1);
      dense::multiply_vector(1.0, Op::none, ratios_.middleCols(i * d, d), t, 1.0, du.col(2 * i + 1));
      dense::solve_lower(Op::transpose, L_v, du.col(2 * i));
      dense::solve_lower(Op::transpose, blocks.lower(2 * i + 1), du.col(2 * i + 1));
    }
  }

 private:
  /// K = L_w^-1 L_v, C C' = I + K'K, Q = C^-1 L_v' and N = Q'Q for every pattern.
  bool add_parallel_sums(const BlockFactors& blocks, double regularization) {
    const Index d = problem_.dimension();
    std::atomic<bool> positive{true};
    system_.setZero();
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < problem_.patterns(); ++i) {
      const auto L_v = blocks.lower(2 * i);
      auto K = ratios_.middleCols(i * d, d);
      auto C = sums_.middleCols(i * d, d);
      auto Q = roots_.middleCols(i * d, d);
      K.setZero();
      Q.setZero();
      for (Index a = 0; a < d; ++a) {
        K.col(a).tail(d - a) = L_v.col(a).tail(d - a);
        Q.row(a).tail(d - a) = L_v.col(a).tail(d - a).transpose();
      }
      dense::solve_lower(Op::none, blocks.lower(2 * i + 1), K);
      C.setIdentity();
      dense::rank_update(1.0, Op::transpose, K, 1.0, C);
      C.diagonal() *= 1.0 + regularization;
      if (!dense::cholesky(C)) positive = false;
      dense::solve_lower(Op::none, C, Q);
      dense::rank_update(1.0, Op::transpose, Q, 0.0, system_.block(i * d, i * d, d, d));
    }
    return positive;
  }

  /// Heavy are those of the largest theta that stand far above both the rest and the blocks.
  void choose_heavy(const Vector& theta) {
    root_ = theta.cwiseSqrt();
    light_ = theta;
    heavy_.clear();
    std::iota(order_.begin(), order_.end(), Index{0});
    const auto heavier = [&](Index k, Index l) { return theta(k) != theta(l) ? theta(k) > theta(l) : k < l; };
    std::sort(order_.begin(), order_.end(), heavier);
    const double rest = most_heavy_ < theta.size() ? theta(order_[static_cast<std::size_t>(most_heavy_)]) : 0.0;
    const double limit = kHeavy * std::max(rest, system_.diagonal().maxCoeff());
    for (Index i = 0; i < most_heavy_ && theta(order_[static_cast<std::size_t>(i)]) > limit; ++i) {
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
        for (Index a = 0; a < d; ++a) {
          panel.col(i * d + a).array() = problem_.X.col(a).segment(first, rows).array() *
                                         problem_.activations.col(i).segment(first, rows).array() *
                                         light_.segment(first, rows).array().sqrt();
        }
      }
      dense::rank_update(1.0, Op::transpose, panel, 1.0, system_);
    }
  }

  bool factor_heavy(const Vector& theta) {
    const Index d = problem_.dimension();
    const Index heavy = static_cast<Index>(heavy_.size());
    auto B = heavy_rows_.leftCols(heavy);
    for (Index c = 0; c < heavy; ++c) {
      const Index k = heavy_[static_cast<std::size_t>(c)];
      for (Index i = 0; i < problem_.patterns(); ++i) {
        B.col(c).segment(i * d, d) = (std::sqrt(theta(k)) * problem_.activations(k, i)) * problem_.X.row(k).transpose();
      }
    }
    dense::solve_lower(Op::none, system_, B);
    auto C = heavy_system_.topLeftCorner(heavy, heavy);
    C.setIdentity();
    dense::rank_update(1.0, Op::transpose, B, 1.0, C);
    return dense::cholesky(C);
  }

  static constexpr Index kPanelRows = 256;
  static constexpr double kHeavy = 100;  // without it 5 instead of 1 of 300 random hinge problems stop short of 1e-8

  const ScaledProblem& problem_;
  Index size_;                    // P d
  Matrix ratios_, sums_, roots_;  // d x (P d): K, C and Q of every pattern
  Matrix system_;
  Matrix panel_;
  Index most_heavy_;
  std::vector<Index> order_, heavy_;
  Matrix heavy_rows_, heavy_system_;
  Vector heavy_p_;
  Vector light_, light_kappa_, root_;
  Matrix m_, Z_, G_, F_;
};

}  // namespace

std::unique_ptr<Coupling> make_pattern_coupling(const ScaledProblem& problem) {
  return std::make_unique<PatternCoupling>(problem);
}

}  // namespace conelu::ipm
