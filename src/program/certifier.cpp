#include "program/certifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "linalg/dense.hpp"
#include "program/rounding.hpp"
#include "require.hpp"

namespace conelu {
namespace {

using rounding::kEpsilon;
using rounding::share;

constexpr double kNegligible = 1e-140;  // lengths whose squares would underflow
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double sign_of(Index block) { return block % 2 == 0 ? 1.0 : -1.0; }
double finite_or_zero(double x) { return std::isfinite(x) ? x : 0.0; }

/// Writes to `inside` the guess moved into |a / radii|_p <= limit, with entries that are not finite or out of the
/// attacker's reach at 0.
template <class Guess, class Inside>
void clip_attack(const Threat& threat, const Guess& guess, double limit, Inside&& inside) {
  const Index d = threat.radii.size();
  if (!(limit > kNegligible)) {
    inside.setZero();
    return;
  }
  double size = 0;
  for (Index a = 0; a < d; ++a) {
    const double radius = threat.radii(a);
    const double entry = radius > 0 ? finite_or_zero(guess(a)) : 0.0;
    const double part = radius > 0 ? entry / radius : 0.0;
    switch (threat.norm) {
      case Norm::infinity:
        inside(a) = std::clamp(entry, -radius * limit * (1 - 4 * kEpsilon), radius * limit * (1 - 4 * kEpsilon));
        continue;
      case Norm::two:
        size += part * part;
        break;
      case Norm::one:
        size += std::abs(part);
        break;
    }
    inside(a) = entry;
  }
  if (threat.norm == Norm::infinity) return;
  if (threat.norm == Norm::two) size = std::sqrt(size);
  size *= 1 + share(d);
  if (size > limit) inside *= limit / size * (1 - 4 * kEpsilon);
}

void check_sizes(const Program& program, const DualPoint& dual) {
  const auto require = [](const char* field, Index rows, Index columns, Index wanted_rows, Index wanted_columns,
                          bool optional) {
    if (rows == wanted_rows && columns == wanted_columns) return;
    if (optional && rows * columns == 0) return;
    throw std::invalid_argument(
        fmt::format("dual: {} is {} x {}, expected {} x {}", field, rows, columns, wanted_rows, wanted_columns));
  };
  const Index n = program.samples();
  const Index d = program.dimension();
  require("nu", dual.nu.size(), 1, n, 1, false);
  require("lambda", dual.lambda.rows(), dual.lambda.cols(), n, program.blocks(), false);
  require("mu", dual.mu.size(), 1, n, 1, true);
  require("cell_attacks", dual.cell_attacks.rows(), dual.cell_attacks.cols(), d, program.cells(), true);
  require("block_attacks", dual.block_attacks.rows(), dual.block_attacks.cols(), d, program.blocks(), true);
}

}  // namespace

Certifier::Certifier(const Program& program)
    : program_(program),
      pairs_(static_cast<std::size_t>(program.samples() * program.blocks())),
      cell_sizes_(static_cast<std::size_t>(program.cells())),
      witness_slack_(program.samples(), program.patterns()),
      preactivations_(program.samples(), program.blocks()),
      block_attacks_(Vector::Zero(program.blocks())),
      range_(program.samples(), 2),
      output_errors_(program.samples()),
      block_numbers_(program.blocks()),
      nu_(program.samples()),
      mu_(program.samples()),
      half_up_(program.samples()),
      half_down_(program.samples()),
      combination_(program.samples(), program.blocks()),
      gradient_(program.dimension(), program.blocks()),
      multiplier_sums_(program.blocks()) {
  const Index n = program.samples();
  for (Index j = 0; j < program.blocks(); ++j) {
    for (Index k = 0; k < n; ++k) pairs_[static_cast<std::size_t>(j * n + k)] = program.pair(k, j);
  }
  dense::multiply(1.0, dense::Op::none, program.X(), dense::Op::none, program.witnesses(), 0.0, witness_slack_);
  witness_slack_.array() *= 2.0 * program.activations().array() - 1.0;
  if (!program.robust()) return;

  const Index d = program.dimension();
  for (Index i = 0; i < program.patterns(); ++i) {
    witness_slack_.col(i).array() -= rounding::worst_change_above(program.threat(), program.witnesses().col(i));
  }
  for (const Index c : program.cell_of()) ++cell_sizes_[static_cast<std::size_t>(c)];
  differences_.resize(d, program.patterns());
  cell_weights_.resize(d, program.cells());
  cell_changes_.resize(program.cells());
  cell_mu_.resize(program.cells());
  cell_attacks_.resize(d, program.cells());
  cell_attack_lengths_.resize(program.cells());
  block_attack_.resize(d);
  pattern_attacks_.resize(d, program.patterns());
  pattern_attack_lengths_.resize(program.patterns());
}

/// A slack e x'u - |eps o u|_q is concave and positive at the witness, so along the witness it grows at least as fast
/// as its value there: the smallest step that lifts all of them above rounding error exists.
double Certifier::repair_block(Index block, Eigen::Ref<Vector> u) {
  const Index pattern = program_.pattern_of(block);
  const Index n = program_.samples();
  const bool robust = program_.robust();
  const auto activation = program_.activations().col(pattern);
  const auto slack_of_witness = witness_slack_.col(pattern);
  const Vector& row_norms = program_.row_norms();
  const Pair* pair = pairs_.data() + block * n;
  auto preactivation = preactivations_.col(block);
  double violation = 0;
  for (int attempt = 0; attempt < 4; ++attempt) {
    const double length = u.stableNorm();
    if (!(length > kNegligible) || !std::isfinite(length)) break;
    const double attack = robust ? rounding::worst_change_above(program_.threat(), u) : 0.0;
    block_attacks_(block) = attack;
    if (!std::isfinite(attack)) break;
    const double allowance = share(u.size()) * length;
    double step = 0;
    for (Index k = 0; k < n; ++k) {
      if (pair[k] != Pair::kept || (row_norms(k) == 0 && !robust)) continue;
      const double slack = (activation(k) > 0 ? preactivation(k) : -preactivation(k)) - attack;
      if (attempt == 0 && slack < 0) {
        // A row of length 0 asks for |eps o u| = 0: all of that is violation.
        violation = std::max(violation, row_norms(k) > 0 ? -slack / (row_norms(k) * length) : 1.0);
      }
      if (slack >= allowance * row_norms(k)) continue;
      // Twice what is asked for: products in another order may come out a little smaller and must not move it again.
      const double missing = 2 * allowance * row_norms(k) - slack;
      step = std::max(step, slack_of_witness(k) > 0 ? missing / slack_of_witness(k) : kInfinity);
    }
    if (step == 0) return violation;
    // A block that would have to move by more than its own length is worth less than nothing.
    if (!(step < length)) break;
    u += 1.01 * step * program_.witnesses().col(pattern);
    dense::multiply_vector(1.0, dense::Op::none, program_.X(), u, 0.0, preactivation);
  }
  u.setZero();
  preactivation.setZero();
  block_attacks_(block) = 0;
  return violation;
}

double Certifier::repair(Eigen::Ref<Matrix> U) {
  dense::multiply(1.0, dense::Op::none, program_.X(), dense::Op::none, U, 0.0, preactivations_);
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < U.cols(); ++j) block_numbers_(j) = repair_block(j, U.col(j));
  return U.cols() == 0 ? 0.0 : block_numbers_.maxCoeff();
}

/// Widens the range of every sample by |eps o s_k|_q, which samples of a cell share.
void Certifier::add_attacks_on_cells(const MatrixView& U) {
  cell_changes_.setZero();
  differences_.setZero();
  for (Index j = 0; j < program_.blocks(); ++j) {
    const Index i = program_.pattern_of(j);
    differences_.col(i) += sign_of(j) * U.col(j);
    cell_changes_ += (8 * kEpsilon * block_attacks_(j)) * program_.cell_activations().col(i);
  }
  dense::multiply(1.0, dense::Op::none, differences_, dense::Op::transpose, program_.cell_activations(), 0.0,
                  cell_weights_);
  for (Index c = 0; c < program_.cells(); ++c) {
    cell_changes_(c) += rounding::worst_change_above(program_.threat(), cell_weights_.col(c));
  }
  for (Index k = 0; k < program_.samples(); ++k) {
    const double change = cell_changes_(program_.cell_of()[static_cast<std::size_t>(k)]);
    range_(k, 0) -= change;
    range_(k, 1) += change;
  }
}

/// What each open gate bounds from below, on the side of its block that this helps.
void Certifier::set_separate_range(const MatrixView& U) {
  for (Index j = 0; j < U.cols(); ++j) {
    const double attack = block_attacks_(j);
    const double length = U.col(j).stableNorm();
    const auto open = program_.activations().col(j).array();
    range_.col(j % 2).array() += sign_of(j) * open * (preactivations_.col(j).array() - attack);
    output_errors_.array() += (8 * kEpsilon) * open * (length * program_.row_norms().array() + attack);
  }
}

void Certifier::add_freed_pairs(const MatrixView& U) {
  const Index n = program_.samples();
  for (Index j = 0; j < U.cols(); ++j) {
    const Pair* pair = pairs_.data() + j * n;
    const double length = U.col(j).stableNorm();
    const double attack = block_attacks_(j);
    for (Index k = 0; k < n; ++k) {
      if (pair[k] != Pair::freed) continue;
      const double reach = attack - program_.row_sign(k, j) * preactivations_(k, j);
      const double gain = reach + 8 * kEpsilon * (program_.row_norms()(k) * length + attack);
      if (gain > 0) range_(k, j % 2 == 0 ? 1 : 0) += sign_of(j) * gain;
    }
  }
}

/// Each output is taken at the worse end of what attacker and rounding leave open: blocks may be far larger than their
/// sum.
double Certifier::objective_of_repaired(const MatrixView& U) {
  range_.setZero();
  output_errors_.setZero();
  long double penalty = 0;
  for (Index j = 0; j < U.cols(); ++j) penalty += U.col(j).stableNorm();
  if (program_.separate()) {
    set_separate_range(U);
  } else {
    for (Index j = 0; j < U.cols(); ++j) {
      const auto activation = program_.activations().col(program_.pattern_of(j)).array();
      range_.col(0).array() += sign_of(j) * activation * preactivations_.col(j).array();
      output_errors_.array() += (8 * kEpsilon * U.col(j).stableNorm()) * activation * program_.row_norms().array();
    }
    range_.col(1) = range_.col(0);
    if (program_.robust()) add_attacks_on_cells(U);
  }
  if (program_.method() != Method::cones) add_freed_pairs(U);
  const bool margin = program_.loss().is_margin_loss();
  long double loss = 0;
  for (Index k = 0; k < program_.samples(); ++k) {
    const double y = program_.y()(k);
    // `separate` bounds the side that hurts alone.
    if (program_.separate() && margin) range_.row(k).setConstant(range_(k, y > 0 ? 0 : 1));
    const double error = output_errors_(k) + 8 * kEpsilon * std::abs(range_(k, 1) - range_(k, 0));
    loss += program_.loss_weights()(k) *
            std::max(program_.loss().value(range_(k, 0) - error, y), program_.loss().value(range_(k, 1) + error, y));
  }
  return static_cast<double>(loss + program_.beta() * penalty) * (1 + 8 * kEpsilon);
}

/// nu and mu inside the domain of the conjugate and the halves (mu +- nu) / 2 that freed pairs may use. Returns the
/// largest t for which t nu and t mu stay inside.
///
/// The dual point that is judged has t nu_k and t mu_k as they round and everything else exact; the last digits that
/// this may take from the halves are left out of them.
double Certifier::clip_weights(const DualPoint& dual) {
  const bool margin = program_.loss().is_margin_loss();
  const bool two_sided = !margin && (program_.robust() || program_.method() != Method::cones) && dual.mu.size() > 0;
  double t_max = 1e6;  // no constraint may bind at all; any finite multiple will do then
  for (Index k = 0; k < program_.samples(); ++k) {
    const double weight = program_.loss_weights()(k);
    const Loss::Interval domain = program_.loss().dual_domain(program_.y()(k));
    const double nu = std::clamp(finite_or_zero(dual.nu(k) / weight), domain.lower, domain.upper);
    const double largest = nu > 0 || !margin ? domain.upper : -domain.lower;
    const double mu = two_sided ? std::clamp(finite_or_zero(dual.mu(k) / weight), std::abs(nu), largest) : std::abs(nu);
    nu_(k) = nu;
    mu_(k) = mu;
    half_up_(k) = weight * std::max(0.0, 0.5 * (mu + nu) - 4 * kEpsilon * mu) * (1 - 4 * kEpsilon);
    half_down_(k) = weight * std::max(0.0, 0.5 * (mu - nu) - 4 * kEpsilon * mu) * (1 - 4 * kEpsilon);
    if (mu > 0) t_max = std::min(t_max, largest / mu * (1 - 4 * kEpsilon));
  }
  return std::max(t_max, 1.0);
}

/// Row coefficients of every dual constraint, sums of multipliers, and in block_numbers_ what rounding may do to them.
void Certifier::combine_rows(const DualPoint& dual) {
  const Index n = program_.samples();
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < program_.blocks(); ++j) {
    const double sigma = sign_of(j);
    const auto activation = program_.activations().col(program_.pattern_of(j));
    const Pair* pair = pairs_.data() + j * n;
    const Vector& half = j % 2 == 0 ? half_up_ : half_down_;
    const Vector& other_half = j % 2 == 0 ? half_down_ : half_up_;
    const bool separate = program_.separate();
    double size = 0;
    double size_of_parts = 0;
    double sum = 0;
    for (Index k = 0; k < n; ++k) {
      double lambda = dual.lambda(k, j);
      if (!(lambda > 0) || !std::isfinite(lambda) || pair[k] == Pair::none) lambda = 0;
      if (pair[k] == Pair::freed) lambda = std::min(lambda, half(k));
      const bool active = activation(k) > 0;
      const double weight = program_.loss_weights()(k);
      // `separate`: an open gate is seen by the multiplier of the side that it helps, and so is its attack.
      const double seen = separate ? 0.5 * (sigma * nu_(k) - mu_(k)) : sigma * nu_(k);
      const double own = active ? weight * seen : 0.0;
      const double parts = separate && active ? weight * mu_(k) : std::abs(own);
      const double coefficient = own - program_.row_sign(k, j) * lambda;
      combination_(k, j) = coefficient;
      size += std::abs(coefficient) * program_.row_norms()(k);
      size_of_parts += (parts + lambda) * program_.row_norms()(k);
      sum += lambda + (separate && active ? other_half(k) : 0.0);
    }
    multiplier_sums_(j) = sum;
    block_numbers_(j) = share(n) * size + 8 * kEpsilon * size_of_parts;
  }
  dense::multiply(1.0, dense::Op::transpose, program_.X(), dense::Op::none, combination_, 0.0, gradient_);
}

/// The attacks on s, clipped to what mu pays for, and their sums over the cells that a pattern is active on.
void Certifier::attack_cells(const DualPoint& dual) {
  cell_mu_.setZero();
  for (Index k = 0; k < program_.samples(); ++k) {
    cell_mu_(program_.cell_of()[static_cast<std::size_t>(k)]) += program_.loss_weights()(k) * mu_(k);
  }
  for (Index c = 0; c < program_.cells(); ++c) {
    const double limit = cell_mu_(c) * (1 - share(cell_sizes_[static_cast<std::size_t>(c)]));
    if (dual.cell_attacks.size() == 0) {
      cell_attacks_.col(c).setZero();
    } else {
      clip_attack(program_.threat(), dual.cell_attacks.col(c), limit, cell_attacks_.col(c));
    }
    cell_attack_lengths_(c) = cell_attacks_.col(c).stableNorm();
  }
  dense::multiply(1.0, dense::Op::none, cell_attacks_, dense::Op::none, program_.cell_activations(), 0.0,
                  pattern_attacks_);
  dense::multiply_vector(1.0, dense::Op::transpose, program_.cell_activations(), cell_attack_lengths_, 0.0,
                         pattern_attack_lengths_);
}

/// The left side of a block's dual constraint, rounded up.
double Certifier::constraint_norm(const DualPoint& dual, Index block) {
  auto gradient = gradient_.col(block);
  double error = block_numbers_(block);
  if (program_.robust()) {
    gradient += sign_of(block) * pattern_attacks_.col(program_.pattern_of(block));
    error += share(program_.cells()) * pattern_attack_lengths_(program_.pattern_of(block));
    if (dual.block_attacks.size() > 0) {
      const double limit = multiplier_sums_(block) * (1 - share(program_.samples()));
      clip_attack(program_.threat(), dual.block_attacks.col(block), limit, block_attack_);
      gradient += block_attack_;
      error += 8 * kEpsilon * block_attack_.stableNorm();
    }
  }
  return gradient.norm() * (1 + share(program_.dimension())) + error;
}

/// -sum_k c_k phi*(nu_k, y_k) for margin losses; for residual losses phi*(nu, y) = nu y + phi*(|nu|, 0), and the second
/// part may use mu.
double Certifier::dual_objective(double t) const {
  const Loss& loss = program_.loss();
  const bool margin = loss.is_margin_loss();
  double bound = 0;
  double size = 0;
  for (Index k = 0; k < nu_.size(); ++k) {
    const double weight = program_.loss_weights()(k);
    const double nu = t * nu_(k);
    const double y = program_.y()(k);
    const double linear = margin ? 0.0 : weight * nu * y;
    const double term = weight * (margin ? loss.conjugate(nu, y) : loss.conjugate(t * mu_(k), 0.0));
    bound -= linear + term;
    size += std::abs(linear) + std::abs(term);
  }
  const double rounded = bound - share(2 * nu_.size()) * size;
  return std::isfinite(rounded) ? rounded : -kInfinity;
}

double Certifier::lower_bound(const DualPoint& dual) {
  check_sizes(program_, dual);
  double t_max = clip_weights(dual);
  combine_rows(dual);
  if (program_.robust()) attack_cells(dual);
  double largest = 0;
  for (Index j = 0; j < program_.blocks(); ++j) {
    const double norm = constraint_norm(dual, j);
    largest = std::isfinite(norm) ? std::max(largest, norm) : kInfinity;
  }
  if (largest > 0) t_max = std::min(t_max, program_.beta() / largest * (1 - 4 * kEpsilon));
  return best_multiple(t_max);
}

/// Every direction counts, not those of the program's blocks alone.
double Certifier::network_bound(const VectorView& nu, double largest_price) {
  const Index n = program_.samples();
  require(nu.size() == n, fmt::format("nu: has {} entries, expected {}, one per sample", nu.size(), n));
  require(!program_.robust() && program_.method() == Method::cones,
          "program: the bound for every network is for the method cones without a threat");
  require(largest_price >= 0, fmt::format("largest_price: is {}, expected a number >= 0", largest_price));
  double t_max = clip_weights({.nu = nu, .lambda = {}, .mu = {}, .cell_attacks = {}, .block_attacks = {}});
  // What the clipped nu differ by may raise every price.
  double change = 0;
  double size = 0;
  for (Index k = 0; k < n; ++k) {
    const double used = program_.loss_weights()(k) * nu_(k);
    change += std::abs(used - nu(k)) * program_.row_norms()(k);
    size += std::abs(used) * program_.row_norms()(k);
  }
  const double largest = (largest_price + change + 8 * kEpsilon * size) * (1 + share(n));
  if (!std::isfinite(largest)) return dual_objective(0.0);
  if (largest > 0) t_max = std::min(t_max, program_.beta() / largest * (1 - 4 * kEpsilon));
  return best_multiple(t_max);
}

/// The bound of t times the clipped nu and mu, for the best t in [0, t_max].
double Certifier::best_multiple(double t_max) const {
  const double trivial = dual_objective(0.0);
  if (!(t_max > kNegligible)) return trivial;

  // The bound is concave in t and valid for every t in [0, t_max]: golden sections only sharpen it.
  const double at_end = dual_objective(t_max);
  double best = std::max({trivial, at_end, dual_objective(std::min(1.0, t_max))});
  if (best == at_end && dual_objective(t_max * 0.999) <= at_end) return best;
  constexpr double kGolden = 0.6180339887498949;
  double left = 0;
  double right = t_max;
  double t1 = right - kGolden * (right - left);
  double t2 = left + kGolden * (right - left);
  double b1 = dual_objective(t1);
  double b2 = dual_objective(t2);
  for (int i = 0; i < 60; ++i) {
    best = std::max({best, b1, b2});
    if (b1 < b2) {
      left = t1;
      t1 = t2;
      b1 = b2;
      t2 = left + kGolden * (right - left);
      b2 = dual_objective(t2);
    } else {
      right = t2;
      t2 = t1;
      b2 = b1;
      t1 = right - kGolden * (right - left);
      b1 = dual_objective(t1);
    }
  }
  return best;
}

Certificate Certifier::certify(Eigen::Ref<Matrix> U, const DualPoint& dual) {
  Certificate certificate;
  certificate.violation = repair(U);
  certificate.objective = objective_of_repaired(U);
  certificate.lower_bound = lower_bound(dual);
  certificate.scope = program_.exact() ? Scope::network : Scope::program;
  return certificate;
}

double network_bound(const Program& program, const VectorView& nu, double largest_price) {
  return Certifier(program).network_bound(nu, largest_price);
}

double repair(const Program& program, Eigen::Ref<Matrix> U) { return Certifier(program).repair(U); }

double lower_bound(const Program& program, const DualPoint& dual) { return Certifier(program).lower_bound(dual); }

Certificate certify(const Program& program, Eigen::Ref<Matrix> U, const DualPoint& dual) {
  return Certifier(program).certify(U, dual);
}

double Certificate::relative_gap() const { return (objective - lower_bound) / std::max(std::abs(objective), 1e-12); }

const char* to_string(Status status) { return status == Status::optimal ? "optimal" : "inaccurate"; }
const char* to_string(Scope scope) { return scope == Scope::network ? "network" : "program"; }

}  // namespace conelu
