#include "solvers/block_prices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "linalg/dense.hpp"
#include "solvers/nearest_attack.hpp"

namespace conelu {
namespace {

using dense::Op;

constexpr int kMostSteps = 5000;
constexpr int kStepsBetweenLooks = 25;
static_assert(kMostSteps % kStepsBetweenLooks == 0);
constexpr double kShortEnough = 0.999;  // of beta: never what limits the bound
constexpr double kMuchShorter = 0.9;
constexpr int kPatientLooks = 6;  // for a sum that is not much shorter

/// An upper bound on the largest singular value, next to it: the eighth power of X'X has a Frobenius norm in which only
/// the largest matter. An eigenvalue problem takes longer, and is not shared among threads.
double largest_singular_value(const Matrix& X) {
  const bool wide = X.rows() < X.cols();
  const Index size = wide ? X.rows() : X.cols();
  Matrix power(size, size), square(size, size);
  dense::multiply(1.0, wide ? Op::none : Op::transpose, X, wide ? Op::transpose : Op::none, X, 0.0, power);
  const double trace = power.trace();
  if (!(trace > 0)) return 0;
  power /= trace;
  for (int doubling = 0; doubling < 3; ++doubling) {
    dense::multiply(1.0, Op::none, power, Op::none, power, 0.0, square);
    std::swap(power, square);
  }
  return std::sqrt(trace * std::pow(power.norm(), 0.125));
}

/// What is not finite counts as 0, as in the certificate.
void drop_infinite(auto& numbers) {
  numbers = numbers.unaryExpr([](double x) { return std::isfinite(x) ? x : 0.0; });
}

/// The blocks of a side whose sums are being shortened, a column each.
class Shortening {
 public:
  /// `gradients` are those of the blocks without multipliers.
  Shortening(const Program& program, BlockPrices::Side& side, const std::vector<Index>& patterns,
             const MatrixView& gradients)
      : program_(program),
        side_(side),
        patterns_(patterns),
        gradients_(gradients),
        directions_(side.directions(Eigen::all, patterns)),
        at_(side.multipliers(Eigen::all, patterns)),
        sums_(gradients.rows(), gradients.cols()),
        slopes_(at_.rows(), at_.cols()),
        momentum_(patterns.size(), 1.0),
        shortest_(patterns.size(), std::numeric_limits<double>::infinity()),
        looks_(patterns.size(), 0) {
    for (Index j = 0; j < count(); ++j) clip(j, at_.col(j));
    ahead_ = at_;
  }

  Index count() const { return static_cast<Index>(patterns_.size()); }
  void step();
  /// Puts the blocks that are done where they belong, and forgets them; `last`: all of them.
  void look(bool last);

 private:
  template <class Column>
  void clip(Index j, Column&& c) const {
    const double infinity = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < c.size(); ++k) {
      const bool active = directions_(k, j) < 0;
      c(k) = std::clamp(c(k), active ? -infinity : 0.0, active ? 0.0 : side_.limits(k));
    }
  }
  /// What is left of the sums with multipliers C after the attack.
  void set_sums(const Matrix& C);
  void drop(const std::vector<bool>& done);

  const Program& program_;
  BlockPrices::Side& side_;
  std::vector<Index> patterns_;
  Matrix gradients_;   // d
  Matrix directions_;  // rows, and so are all others but the sums
  Matrix at_, ahead_;  // where it is, and where momentum would carry it
  Matrix sums_, slopes_;
  std::vector<double> momentum_;
  std::vector<double> shortest_;
  std::vector<int> looks_;  // since the sum was much longer
};

void Shortening::set_sums(const Matrix& C) {
  sums_ = gradients_;
  dense::multiply(1.0, Op::transpose, side_.X, Op::none, C, 1.0, sums_);
  if (!program_.robust()) return;
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < count(); ++j) {
    Vector attack = sums_.col(j);
    move_into_reach(program_.threat(), C.col(j).dot(directions_.col(j)), attack);
    sums_.col(j) -= attack;
  }
}

/// Half the square of the sum's length has the slope x_k'sum in c_k, and the attack on it grows with |c_k|.
void Shortening::step() {
  set_sums(ahead_);
  dense::multiply(1.0, Op::none, side_.X, Op::none, sums_, 0.0, slopes_);
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < count(); ++j) {
    const double attack = program_.robust() ? program_.threat().worst_change(sums_.col(j)) : 0.0;
    auto next = slopes_.col(j);
    next = ahead_.col(j) - side_.step * (next - attack * directions_.col(j));
    clip(j, next);
    // Momentum that points uphill is taken away.
    double& momentum = momentum_[static_cast<std::size_t>(j)];
    if ((ahead_.col(j) - next).dot(next - at_.col(j)) > 0) momentum = 1;
    const double more = 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum));
    ahead_.col(j) = next + (momentum - 1) / more * (next - at_.col(j));
    at_.col(j) = next;
    momentum = more;
  }
}

void Shortening::look(bool last) {
  set_sums(at_);
  std::vector<bool> done(patterns_.size(), last);
  for (std::size_t j = 0; j < patterns_.size(); ++j) {
    const double length = sums_.col(static_cast<Index>(j)).norm();
    ++looks_[j];
    if (length < kMuchShorter * shortest_[j]) {
      shortest_[j] = length;
      looks_[j] = 0;
    }
    if (length <= kShortEnough * program_.beta() || looks_[j] > kPatientLooks) done[j] = true;
    if (done[j]) side_.multipliers.col(patterns_[j]) = at_.col(static_cast<Index>(j));
  }
  drop(done);
}

void Shortening::drop(const std::vector<bool>& done) {
  std::size_t left = 0;
  for (std::size_t j = 0; j < done.size(); ++j) {
    if (done[j]) continue;
    if (left < j) {
      patterns_[left] = patterns_[j];
      momentum_[left] = momentum_[j];
      shortest_[left] = shortest_[j];
      looks_[left] = looks_[j];
      for (Matrix* columns : {&gradients_, &directions_, &at_, &ahead_}) {
        columns->col(static_cast<Index>(left)) = columns->col(static_cast<Index>(j));
      }
    }
    ++left;
  }
  patterns_.resize(left);
  for (Matrix* columns : {&gradients_, &directions_, &at_, &ahead_, &sums_, &slopes_}) {
    columns->conservativeResize(Eigen::NoChange, static_cast<Index>(left));
  }
}

}  // namespace

BlockPrices::BlockPrices(const Program& program) : program_(program) {
  make_side(1.0, sides_[0]);
  make_side(-1.0, sides_[1]);
}

/// Whether a sample has a pair depends on the sign of the block alone.
void BlockPrices::make_side(double sign, Side& side) const {
  side.sign = sign;
  for (Index k = 0; k < program_.samples(); ++k) {
    if (program_.pair(k, sign > 0 ? 0 : 1) != Pair::none) side.rows.push_back(k);
  }
  const auto rows = static_cast<Index>(side.rows.size());
  side.X = program_.X()(side.rows, Eigen::all);
  side.directions = 1.0 - 2.0 * program_.activations()(side.rows, Eigen::all).array();
  side.limits.setConstant(rows, std::numeric_limits<double>::infinity());
  side.multipliers.setZero(rows, program_.patterns());
  // A row acts as x_k and an attack on it, together no more than this.
  double attack = 0;
  if (program_.robust()) {
    const Threat& threat = program_.threat();
    attack = threat.norm == Norm::infinity ? threat.radii.norm() : threat.radii.maxCoeff();
  }
  const double size =
      rows > 0 ? largest_singular_value(side.X) + std::sqrt(static_cast<double>(rows)) * attack : 0.0;
  side.step = size > 0 ? 1 / (size * size) : 1.0;
}

void BlockPrices::set_limits(const DualPoint& dual, Side& side) const {
  if (program_.method() == Method::cones) return;  // nothing is freed
  for (std::size_t r = 0; r < side.rows.size(); ++r) {
    const Index k = side.rows[r];
    const bool margin = program_.loss().is_margin_loss();
    const double mu = margin || dual.mu.size() == 0 ? std::abs(dual.nu(k)) : dual.mu(k);
    side.limits(static_cast<Index>(r)) = std::max(0.0, 0.5 * (mu + side.sign * dual.nu(k)));
  }
}

Vector BlockPrices::find(const std::vector<Index>& patterns, DualPoint& dual, const std::function<bool()>& go_on) {
  drop_infinite(dual.nu);
  drop_infinite(dual.mu);
  drop_infinite(dual.cell_attacks);
  const Matrix gated = dual.nu.asDiagonal() * program_.activations()(Eigen::all, patterns);
  Matrix gradients(program_.dimension(), gated.cols());
  dense::multiply(1.0, Op::transpose, program_.X(), Op::none, gated, 0.0, gradients);
  if (dual.cell_attacks.size() > 0) {
    dense::multiply(1.0, Op::none, dual.cell_attacks, Op::none, program_.cell_activations()(Eigen::all, patterns), 1.0,
                    gradients);
  }
  Vector prices = Vector::Zero(gradients.cols());
  for (Side& side : sides_) {
    set_limits(dual, side);
    Shortening shortening(program_, side, patterns, side.sign * gradients);
    bool wanted = true;
    for (int step = 0; shortening.count() > 0; ++step) {
      if (step % kStepsBetweenLooks == 0) {
        wanted = wanted && go_on();
        shortening.look(!wanted || step == kMostSteps);
      }
      if (shortening.count() > 0) shortening.step();
    }
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const Index block = 2 * patterns[i] + (side.sign > 0 ? 0 : 1);
      const auto c = side.multipliers.col(patterns[i]);
      Vector sum = side.sign * gradients.col(static_cast<Index>(i)) + side.X.transpose() * c;
      dual.lambda.col(block).setZero();
      for (std::size_t r = 0; r < side.rows.size(); ++r) {
        dual.lambda(side.rows[r], block) = std::abs(c(static_cast<Index>(r)));
      }
      if (program_.robust()) {
        Vector attack = -sum;
        move_into_reach(program_.threat(), c.lpNorm<1>(), attack);
        dual.block_attacks.col(block) = attack;
        sum += attack;
      }
      prices(static_cast<Index>(i)) = std::max(prices(static_cast<Index>(i)), sum.norm() / program_.beta());
    }
  }
  return prices;
}

}  // namespace conelu
