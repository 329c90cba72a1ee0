#include "evaluate/verify/relaxation.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/verify/hinge_program.hpp"
#include "program/rounding.hpp"

namespace conelu::verification {
namespace {

constexpr int kMostSteps = 60;
// Of the distance to a cutoff that is out of reach: more digits would not save a branch.
constexpr double kPrecision = 0.1;
// Of half-spaces, against everything else that pulls at the point. More would only matter where it is pushed out of a
// half-space that hardly meets the region; there the other half has the smaller value.
constexpr double kSteepness = 1;

constexpr double kNearAnEnd = 1e-4;

}  // namespace

Relaxation::Relaxation(const LocalNetwork& network, const Node& node)
    : network_(network),
      node_(node),
      fixed_(Vector::Zero(network.unstable())),
      offsets_(Vector::Zero(network.unstable())) {
  for (Index j = 0; j < network.unstable(); ++j) {
    const double low = node.lower(j);
    const double high = node.upper(j);
    if (high <= 0) continue;
    if (low >= 0) {
      fixed_(j) = weight(j);
    } else if (weight(j) > 0) {
      hinges_.push_back(j);
    } else {
      // (z)_+ <= slope z + offset at both ends, whatever the slope.
      const double slope = high / (high - low);
      fixed_(j) = weight(j) * slope;
      offsets_(j) = weight(j) * std::max(-slope * low, (1 - slope) * high);
      open_.push_back(j);
    }
  }
}

double Relaxation::loss_at(const VectorView& v) const {
  double loss = 0;
  for (const Index j : open_) {
    const double z = network_.t(j) + network_.W.col(j).dot(v);
    loss += weight(j) * std::max(0.0, z) - fixed_(j) * z - offsets_(j);
  }
  return loss;
}

double Relaxation::constant() const { return node_.side.shift + node_.side.sign * network_.constant + offsets_.sum(); }

void Relaxation::solve(double cutoff, double tolerance) {
  if (network_.region.dimension() == 0 || hinges_.size() + node_.halves.size() == 0) {
    update_minorant(Vector::Zero(static_cast<Index>(hinges_.size() + node_.halves.size())));
    point_ = network_.region.minimiser(minorant_.slope);
  } else {
    find_multipliers(cutoff, tolerance);
  }
}

void Relaxation::find_multipliers(double cutoff, double tolerance) {
  const auto count = static_cast<Index>(hinges_.size() + node_.halves.size());
  Matrix W(network_.region.dimension(), count);
  Vector t(count), alpha(count);
  Vector slope = node_.side.sign * network_.slope + network_.W * fixed_;
  double pull = network_.region.reach(slope);
  Index i = 0;
  for (const Index j : hinges_) {
    W.col(i) = network_.W.col(j);
    t(i) = network_.t(j);
    alpha(i++) = weight(j);
    pull += weight(j) * network_.reach(j);
  }
  for (const HalfSpace& half : node_.halves) {
    W.col(i) = -half.sign * network_.W.col(half.neuron);
    t(i) = -half.sign * network_.t(half.neuron);
    const double steepness = kSteepness * pull / network_.reach(half.neuron);
    alpha(i++) = steepness > 0 && std::isfinite(steepness) ? steepness : 1.0;
  }
  const double rest = constant() + fixed_.dot(network_.t);
  HingeProgram program(network_.region, std::move(slope), std::move(W), std::move(t), std::move(alpha));
  for (int step = 0; step < kMostSteps; ++step) {
    const bool advanced = program.advance();
    const double value = rest + program.value();
    const double bound = rest + program.bound();
    const bool hopeless = value < cutoff && !open_.empty();
    const double wanted = hopeless ? std::max(tolerance, kPrecision * (cutoff - bound)) : tolerance;
    if (!advanced || bound >= cutoff || value - bound <= wanted) break;
  }
  point_ = program.point();
  update_minorant(program.multipliers());
  // Most multipliers belong to one of their ends and would get there in many more steps.
  const Minorant as_found = minorant_;
  const Vector weights_found = weights_;
  Vector snapped = program.multipliers();
  for (Index j = 0; j < count; ++j) {
    if (snapped(j) < kNearAnEnd * program.alpha()(j)) snapped(j) = 0;
    if (snapped(j) > (1 - kNearAnEnd) * program.alpha()(j)) snapped(j) = program.alpha()(j);
  }
  update_minorant(snapped);
  if (minorant_.lowest >= as_found.lowest) return;
  minorant_ = as_found;
  weights_ = weights_found;
}

/// Any multipliers will do: those of the hinges, between 0 and the weight, then those of the half-spaces.
void Relaxation::update_minorant(const VectorView& multipliers) {
  weights_ = fixed_;
  Index i = 0;
  for (const Index j : hinges_) weights_(j) = std::clamp(multipliers(i++), 0.0, weight(j));
  for (const HalfSpace& half : node_.halves) weights_(half.neuron) -= half.sign * std::max(0.0, multipliers(i++));

  const double trust = rounding::share(network_.neurons);
  const double value = constant() + weights_.dot(network_.t);
  double lost = network_.lost + trust * (std::abs(node_.side.shift) + std::abs(network_.constant));
  for (Index j = 0; j < network_.unstable(); ++j) {
    lost += std::abs(weights_(j)) * (network_.error(j) + trust * (std::abs(network_.t(j)) + network_.reach(j)));
    lost += 4 * trust * std::abs(offsets_(j));
    // Evaluated, a concave neuron may come out larger than it is.
    if (weight(j) < 0) lost -= weight(j) * (network_.error(j) + trust * std::max(0.0, node_.upper(j)));
  }
  minorant_.slope = node_.side.sign * network_.slope;
  minorant_.slope.noalias() += network_.W * weights_;
  minorant_.constant = value - lost * (1 + trust);
  minorant_.lowest = minorant_.constant + network_.region.minimum(minorant_.slope);
  minorant_.lowest -= 4 * rounding::kEpsilon * (std::abs(minorant_.constant) + std::abs(minorant_.lowest));
  if (!std::isfinite(minorant_.lowest)) minorant_.lowest = -std::numeric_limits<double>::infinity();
}

}  // namespace conelu::verification
