#include "program/certifier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/dense.hpp"

namespace conelu {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kNegligible = 1e-140;  // lengths whose squares would underflow

double rounding(Index terms) { return static_cast<double>(terms + 8) * kEpsilon; }

}  // namespace

Certifier::Certifier(const Program& program)
    : program_(program),
      preactivations_(program.samples(), program.blocks()),
      combination_(program.samples(), program.blocks()),
      gradient_(program.dimension(), program.blocks()),
      block_numbers_(program.blocks()),
      witness_slack_(program.samples(), program.patterns()),
      nu_(program.samples()),
      outputs_(program.samples()),
      output_errors_(program.samples()) {
  dense::multiply(1.0, dense::Op::none, program.X(), dense::Op::none, program.witnesses(), 0.0, witness_slack_);
  witness_slack_.array() *= 2.0 * program.activations().array() - 1.0;
}

/// Along the witness every slack grows, so the smallest step that lifts all of them above rounding error exists.
double Certifier::repair_block(Index block, Eigen::Ref<Vector> u) {
  const Index pattern = block / 2;
  const Index n = program_.samples();
  const auto activation = program_.activations().col(pattern);
  const auto slack_of_witness = witness_slack_.col(pattern);
  const Vector& row_norms = program_.row_norms();
  auto preactivation = preactivations_.col(block);
  double violation = 0;
  for (int attempt = 0; attempt < 4; ++attempt) {
    const double length = u.stableNorm();
    if (!(length > kNegligible) || !std::isfinite(length)) break;
    const double allowance = rounding(u.size()) * length;
    double step = 0;
    for (Index k = 0; k < n; ++k) {
      if (row_norms(k) == 0) continue;
      const double slack = activation(k) > 0 ? preactivation(k) : -preactivation(k);
      if (attempt == 0) violation = std::max(violation, -slack / (row_norms(k) * length));
      const double missing = allowance * row_norms(k) - slack;
      if (missing > 0) step = std::max(step, missing / slack_of_witness(k));
    }
    if (step == 0) return violation;
    // A block that would have to move by more than its own length is worth less than nothing.
    if (!(step < length)) break;
    u += 1.01 * step * program_.witnesses().col(pattern);
    dense::multiply_vector(1.0, dense::Op::none, program_.X(), u, 0.0, preactivation);
  }
  u.setZero();
  preactivation.setZero();
  return violation;
}

double Certifier::repair(Eigen::Ref<Matrix> U) {
  dense::multiply(1.0, dense::Op::none, program_.X(), dense::Op::none, U, 0.0, preactivations_);
#pragma omp parallel for schedule(static)
  for (Index j = 0; j < U.cols(); ++j) block_numbers_(j) = repair_block(j, U.col(j));
  return U.cols() == 0 ? 0.0 : block_numbers_.maxCoeff();
}

/// Each output is taken at the worse end of what rounding leaves open: blocks may be far larger than their sum.
double Certifier::objective_of_repaired(const MatrixView& U) const {
  outputs_.setZero();
  output_errors_.setZero();
  double penalty = 0;
  for (Index j = 0; j < U.cols(); ++j) {
    const double sigma = j % 2 == 0 ? 1.0 : -1.0;
    const double length = U.col(j).stableNorm();
    const auto activation = program_.activations().col(j / 2).array();
    outputs_.array() += sigma * activation * preactivations_.col(j).array();
    output_errors_.array() += (8 * kEpsilon * length) * activation * program_.row_norms().array();
    penalty += length;
  }
  double loss = 0;
  for (Index k = 0; k < outputs_.size(); ++k) {
    const double y = program_.y()(k);
    loss += program_.loss_weights()(k) * std::max(program_.loss().value(outputs_(k) - output_errors_(k), y),
                                                  program_.loss().value(outputs_(k) + output_errors_(k), y));
  }
  return (loss + program_.beta() * penalty) * (1 + 8 * kEpsilon);
}

double Certifier::dual_objective(double t) const {
  double bound = 0;
  double size = 0;
  for (Index k = 0; k < nu_.size(); ++k) {
    const double term = program_.loss_weights()(k) * program_.loss().conjugate(t * nu_(k), program_.y()(k));
    bound -= term;
    size += std::abs(term);
  }
  return bound - rounding(nu_.size()) * size;
}

double Certifier::lower_bound(const DualPoint& dual) {
  const Index n = program_.samples();
  double t_max = 1e6;  // no constraint may bind at all; any finite multiple will do then
  for (Index k = 0; k < n; ++k) {
    const double weight = program_.loss_weights()(k);
    const Loss::Interval domain = program_.loss().dual_domain(program_.y()(k));
    const double nu = dual.nu(k) / weight;
    nu_(k) = std::isfinite(nu) ? std::clamp(nu, domain.lower, domain.upper) : 0.0;
    // The domain is an interval around or from 0, so it allows every t up to here.
    const double edge = nu_(k) > 0 ? domain.upper : domain.lower;
    if (nu_(k) != 0) t_max = std::min(t_max, edge / nu_(k));
  }

#pragma omp parallel for schedule(static)
  for (Index j = 0; j < program_.blocks(); ++j) {
    const double sigma = j % 2 == 0 ? 1.0 : -1.0;
    const auto activation = program_.activations().col(j / 2);
    double size = 0;
    for (Index k = 0; k < n; ++k) {
      const double row_norm = program_.row_norms()(k);
      const double lambda = dual.lambda(k, j);
      const double multiplier = row_norm > 0 && lambda > 0 && std::isfinite(lambda) ? lambda / row_norm : 0.0;
      const double coefficient =
          activation(k) > 0 ? sigma * nu_(k) * program_.loss_weights()(k) - multiplier : multiplier;
      combination_(k, j) = coefficient;
      size += std::abs(coefficient) * row_norm;
    }
    block_numbers_(j) = rounding(n) * size;
  }
  dense::multiply(1.0, dense::Op::transpose, program_.X(), dense::Op::none, combination_, 0.0, gradient_);
  double largest = 0;
  for (Index j = 0; j < program_.blocks(); ++j) {
    const double norm = gradient_.col(j).norm() * (1 + rounding(program_.dimension())) + block_numbers_(j);
    largest = std::isfinite(norm) ? std::max(largest, norm) : std::numeric_limits<double>::infinity();
  }
  if (largest > 0) t_max = std::min(t_max, program_.beta() / largest * (1 - 4 * kEpsilon));

  // The bound is concave in t and valid for every t in [0, t_max]: golden sections only sharpen it.
  double best = std::max(dual_objective(0.0), dual_objective(t_max));
  if (dual_objective(t_max * 0.999) <= best && best == dual_objective(t_max)) return best;
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

double repair(const Program& program, Eigen::Ref<Matrix> U) { return Certifier(program).repair(U); }

double lower_bound(const Program& program, const DualPoint& dual) { return Certifier(program).lower_bound(dual); }

Certificate certify(const Program& program, Eigen::Ref<Matrix> U, const DualPoint& dual) {
  return Certifier(program).certify(U, dual);
}

double Certificate::relative_gap() const { return (objective - lower_bound) / std::max(std::abs(objective), 1e-12); }

const char* to_string(Status status) { return status == Status::optimal ? "optimal" : "inaccurate"; }
const char* to_string(Scope scope) { return scope == Scope::network ? "network" : "program"; }

}  // namespace conelu
