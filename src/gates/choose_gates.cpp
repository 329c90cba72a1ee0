#include <algorithm>
#include <cmath>

#include "conelu/gates.hpp"
#include "linalg/dense.hpp"
#include "require.hpp"

namespace conelu {
namespace {

constexpr int kMaxPasses = 4;

double sign_of_block(Index j) { return j % 2 == 0 ? 1.0 : -1.0; }

/// One sample with its gates, and the bound that they give.
class GatedSample {
 public:
  GatedSample(const MatrixView& U, const Vector& attacks, const Loss& loss, const Threat& threat, Method method)
      : U_(U),
        attacks_(attacks),
        loss_(loss),
        threat_(threat),
        gates_fixed_(method == Method::gated && loss.is_margin_loss()),
        gates_(U.cols()),
        s_(U.rows()),
        changed_(U.rows()) {}

  void set_sample(const Vector& t, double y) {
    t_ = &t;
    y_ = y;
  }
  const Vector& gates() const { return gates_; }
  const Vector& s() const { return s_; }
  double quality() const { return quality_of(f_, norm_, shares_); }

  bool fixed(Index j) const { return gates_fixed_ && sign_of_block(j) * y_ < 0; }
  bool may_change_sides(Index j) const { return std::abs((*t_)(j)) < attacks_(j); }

  void set_gates(const Vector& gates) {
    gates_ = gates;
    f_ = 0;
    shares_.setZero();
    for (Index j = 0; j < gates_.size(); ++j) {
      if (fixed(j)) gates_(j) = 0;
      f_ += sign_of_block(j) * gates_(j) * (*t_)(j);
      shares_(j % 2) += share(j, gates_(j));
    }
    s_.setZero();
    for (Index j = 0; j < gates_.size(); ++j) {
      if (gates_(j) > 0) s_ += sign_of_block(j) * U_.col(j);
    }
    norm_ = threat_.worst_change(s_);
  }

  void improve() {
    bool improved = true;
    for (int pass = 0; pass < kMaxPasses && improved; ++pass) {
      improved = false;
      for (Index j = 0; j < gates_.size(); ++j) {
        if (may_change_sides(j) && !fixed(j) && flip_if_better(j)) improved = true;
      }
    }
  }

 private:
  /// What the attacker may gain on the side of block j.
  double share(Index j, double gate) const { return std::max(0.0, attacks_(j) - (2 * gate - 1) * (*t_)(j)); }

  double quality_of(double f, double norm, const Eigen::Vector2d& shares) const {
    const double high = f + norm + shares(0);
    const double low = f - norm - shares(1);
    if (!loss_.is_margin_loss()) return -std::max(high - y_, y_ - low);
    return y_ > 0 ? low : -high;
  }

  bool flip_if_better(Index j) {
    const double gate = 1 - gates_(j);
    const double sign = sign_of_block(j) * (gate > 0 ? 1.0 : -1.0);
    changed_ = s_ + sign * U_.col(j);
    const double norm = threat_.worst_change(changed_);
    const double f = f_ + sign * (*t_)(j);
    Eigen::Vector2d shares = shares_;
    shares(j % 2) += share(j, gate) - share(j, gates_(j));
    if (!(quality_of(f, norm, shares) > quality() + 1e-12 * (norm_ + shares_.sum()))) return false;
    gates_(j) = gate;
    s_.swap(changed_);
    norm_ = norm;
    f_ = f;
    shares_ = shares;
    return true;
  }

  const MatrixView& U_;
  const Vector& attacks_;
  const Loss& loss_;
  const Threat& threat_;
  bool gates_fixed_;
  const Vector* t_ = nullptr;
  double y_ = 0;
  Vector gates_, s_, changed_;
  double f_ = 0, norm_ = 0;
  Eigen::Vector2d shares_;  // of blocks v and w
};

}  // namespace

Matrix choose_gates(const MatrixView& X, const VectorView& y, const Loss& loss, const Threat& threat,
                    const MatrixView& U, Method method, const MatrixView& before) {
  require(X.cols() == U.rows() && U.cols() % 2 == 0, "U: expected a row per column of X and an even number of columns");
  require(y.size() == X.rows(), "y: expected an entry per row of X");
  require(before.size() == 0 || (before.rows() == X.rows() && before.cols() == U.cols()),
          "before: expected a row per sample and a column per block");
  const Index n = X.rows();
  const Index blocks = U.cols();
  Vector attacks(blocks);
  for (Index j = 0; j < blocks; ++j) attacks(j) = threat.active() ? threat.worst_change(U.col(j)) : 0.0;
  Matrix products(blocks, n);
  dense::multiply(1.0, dense::Op::transpose, U, dense::Op::transpose, X, 0.0, products);
  const Vector lengths = U.colwise().norm();
  const Threat nobody{threat.norm, Vector::Zero(X.cols())};
  const Threat& attacker = threat.active() ? threat : nobody;

  Matrix gates(n, blocks);
  if (method == Method::separate) {
    // No gate depends on another one: it is open where that helps. Closed ones that do not matter stay closed.
    for (Index j = 0; j < blocks; ++j) {
      for (Index k = 0; k < n; ++k) {
        const bool matters = !loss.is_margin_loss() || sign_of_block(j) * y(k) > 0;
        gates(k, j) = matters && products(j, k) > attacks(j);
        if (before.size() > 0 && lengths(j) == 0) gates(k, j) = before(k, j);
      }
    }
    return gates;
  }
#pragma omp parallel for schedule(dynamic, 16)
  for (Index k = 0; k < n; ++k) {
    GatedSample sample(U, attacks, loss, attacker, method);
    const Vector t = products.col(k);
    sample.set_sample(t, y(k));
    const auto at = [&](const Vector& preactivations, bool closed) {
      Vector choice(blocks);
      for (Index j = 0; j < blocks; ++j) {
        choice(j) = sample.may_change_sides(j) ? (!closed && preactivations(j) > 0) : t(j) > 0;
        if (before.size() > 0 && lengths(j) == 0) choice(j) = before(k, j);
      }
      return choice;
    };
    Vector best;
    double best_quality = 0;
    const auto try_gates = [&](const Vector& choice) {
      sample.set_gates(choice);
      if (best.size() > 0 && !(sample.quality() > best_quality)) return;
      best = sample.gates();
      best_quality = sample.quality();
    };
    if (before.size() > 0) try_gates(before.row(k).transpose());
    try_gates(at(t, true));
    sample.set_gates(at(t, false));
    const Vector attack = attacker.worst_perturbation(sample.s());
    const double side = loss.is_margin_loss() ? y(k) : sample.s().dot(X.row(k)) < y(k) ? 1.0 : -1.0;
    try_gates(at(t, false));
    try_gates(at(t - side * (U.transpose() * attack), false));
    sample.set_gates(best);
    sample.improve();
    gates.row(k) = sample.gates().transpose();
  }
  return gates;
}

}  // namespace conelu
