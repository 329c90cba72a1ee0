#include "properties/plain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace conelu::properties {
namespace {

constexpr Real kLongEpsilon = std::numeric_limits<Real>::epsilon();
constexpr Real kEpsilon = std::numeric_limits<double>::epsilon();

/// Rounding of a sum of `terms` products whose sizes add up to `size`, generously.
Real sum_error(Real epsilon, Index terms, Real size) { return 8 * static_cast<Real>(terms + 8) * epsilon * size; }

}  // namespace

PlainLoss::PlainLoss(const Recipe& recipe) {
  const Real delta = std::pow(10.0, recipe.huber_delta);
  const auto missing = [](Real f, Real y) { return std::max<Real>(0, 1 - y * f); };
  const std::map<std::string, Formula> formulas = {
      {"hinge", missing},
      {"squared-hinge", [=](Real f, Real y) { return missing(f, y) * missing(f, y); }},
      {"logistic", [](Real f, Real y) { return std::max<Real>(0, -y * f) + std::log1p(std::exp(-std::abs(f))); }},
      {"squared", [](Real f, Real y) { return (f - y) * (f - y) / 2; }},
      {"absolute", [](Real f, Real y) { return std::abs(f - y); }},
      {"huber",
       [=](Real f, Real y) {
         const Real r = std::abs(f - y);
         return r <= delta ? r * r / 2 : delta * (r - delta / 2);
       }},
  };
  if (const auto known = formulas.find(recipe.loss); known != formulas.end()) {
    phi_ = known->second;
    return;
  }
  epsilon_ = kEpsilon;
  phi_ = [loss = recipe.make_loss()](Real f, Real y) {
    return static_cast<Real>(loss->value(static_cast<double>(f), static_cast<double>(y)));
  };
}

Rounded PlainLoss::worst(Real low, Real high, Real error, Real y) const {
  error += epsilon_ * (std::abs(low) + std::abs(high) + std::abs(y));
  // Convex: the largest value over an interval is at an end.
  const Real value = std::max(phi_(low, y), phi_(high, y));
  const Real wider = std::max(phi_(low - error, y), phi_(high + error, y));
  const Real narrower = std::max(phi_(low + error, y), phi_(high - error, y));
  return {value, std::max(wider - value, std::abs(value - narrower)) + 8 * epsilon_ * value};
}

Real worst_change(const Threat& threat, const RealVector& u) {
  Real sum = 0;
  Real largest = 0;
  for (Index a = 0; a < threat.radii.size(); ++a) {
    const Real part = std::abs(static_cast<Real>(threat.radii(a)) * u(a));
    sum += threat.norm == Norm::two ? part * part : part;
    largest = std::max(largest, part);
  }
  return threat.norm == Norm::infinity ? sum : threat.norm == Norm::two ? std::sqrt(sum) : largest;
}

bool is_feasible(const Program& program, const Matrix& U) {
  for (Index j = 0; j < U.cols(); ++j) {
    const RealVector u = U.col(j).cast<Real>();
    const Real attack = worst_change(program.threat(), u);
    for (Index k = 0; k < program.samples(); ++k) {
      if (program.pair(k, j) != Pair::kept) continue;
      const RealVector x = program.X().row(k).cast<Real>();
      const Real slack = (program.activations()(k, program.pattern_of(j)) > 0 ? 1 : -1) * x.dot(u) - attack;
      if (!(slack >= -sum_error(kLongEpsilon, u.size(), x.norm() * u.norm() + attack))) return false;
    }
  }
  return true;
}

Rounded objective(const Program& program, const PlainLoss& loss, const Matrix& U) {
  Rounded sum;
  for (Index k = 0; k < program.samples(); ++k) {
    const RealVector x = program.X().row(k).cast<Real>();
    RealVector s = RealVector::Zero(x.size());
    Real freed_down = 0;
    Real freed_up = 0;
    Real size = 0;
    for (Index j = 0; j < U.cols(); ++j) {
      const RealVector u = U.col(j).cast<Real>();
      const Real attack = worst_change(program.threat(), u);
      const bool active = program.activations()(k, program.pattern_of(j)) > 0;
      const bool separate = program.method() == Method::separate;
      if (active && separate) (j % 2 == 0 ? freed_down : freed_up) += attack - x.dot(u);
      if (active && !separate) s += (j % 2 == 0 ? 1 : -1) * u;
      if (program.pair(k, j) == Pair::freed) {
        const Real e = active && !separate ? 1 : -1;
        (j % 2 == 0 ? freed_up : freed_down) += std::max<Real>(0, attack - e * x.dot(u));
      }
      size += x.norm() * u.norm() + attack;
    }
    const Real rho = worst_change(program.threat(), s);
    const Real error = sum_error(kLongEpsilon, U.size(), size);
    Real low = x.dot(s) - rho - freed_down;
    Real high = x.dot(s) + rho + freed_up;
    // A margin loss is bounded where it hurts.
    if (program.loss().is_margin_loss()) (program.y()(k) > 0 ? high : low) = program.y()(k) > 0 ? low : high;
    const Rounded worst = loss.worst(low, high, error, program.y()(k));
    sum.value += program.loss_weights()(k) * worst.value;
    sum.rounding += program.loss_weights()(k) * worst.rounding;
  }
  for (Index j = 0; j < U.cols(); ++j) sum.value += program.beta() * U.col(j).cast<Real>().norm();
  sum.rounding += sum_error(kLongEpsilon, U.size() + program.samples(), sum.value);
  return sum;
}

Rounded network_objective(const Program& program, const PlainLoss& loss, const Network& network, bool bias,
                          const Matrix& deltas) {
  Rounded sum;
  const Index inputs = program.dimension() - (bias ? 1 : 0);
  for (Index k = 0; k < program.samples(); ++k) {
    RealVector x = program.X().row(k).cast<Real>();
    const Real row_norm = x.norm();
    if (deltas.size() > 0) x += deltas.row(k).transpose().cast<Real>();
    Real f = network.output_bias;
    Real size = std::abs(f);
    for (Index j = 0; j < network.neurons(); ++j) {
      // With a bias, x ends in a 1, or in what an attacker makes of it.
      RealVector u(x.size());
      u.head(inputs) = network.hidden.row(j).transpose().cast<Real>();
      if (bias) u(inputs) = network.hidden_bias(j);
      f += network.output(j) * std::max<Real>(0, x.dot(u));
      size += std::abs(network.output(j)) * (row_norm * u.norm() + worst_change(program.threat(), u));
    }
    const Real error = sum_error(kEpsilon, network.hidden.size() + x.size(), size);
    const Rounded value = loss.worst(f, f, error, program.y()(k));
    sum.value += program.loss_weights()(k) * value.value;
    sum.rounding += program.loss_weights()(k) * value.rounding;
  }
  const Real squares = network.hidden.cast<Real>().squaredNorm() + network.hidden_bias.cast<Real>().squaredNorm() +
                       network.output.cast<Real>().squaredNorm();
  sum.value += program.beta() / 2 * squares;
  sum.rounding += sum_error(kEpsilon, program.samples() + network.hidden.size(), sum.value);
  return sum;
}

}  // namespace conelu::properties
