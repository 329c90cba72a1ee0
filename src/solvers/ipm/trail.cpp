#include "solvers/ipm/trail.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace conelu {
namespace {

/// A point is kept at the first gap below `gap`, for programs that differ by at most `change`. Nearer to the end
/// products are so small that a larger change throws them out of balance, and the start is worse than one from scratch.
/// Samples with rows of their own (all but those of a smooth loss without an attack) have chosen their sides by then,
/// and another beta has to undo that: only an early point serves, and only for a small change.
struct Level {
  double gap, change, change_with_rows;
};
constexpr std::array<Level, 2> kLevels = {{{0.95, 0.75, 0.3}, {0.5, 0.3, 0.0}}};

}  // namespace

void Trail::Points::begin(const ipm::ScaledProblem& problem) {
  points.clear();
  weights = problem.weights;
  radii = problem.radii;
  groups = problem.groups();
  blocks = problem.blocks();
  cells = problem.cells();
}

void Trail::Points::keep(double gap, const ipm::Iterate& at) {
  if (points.size() < kLevels.size() && gap <= kLevels[points.size()].gap) points.push_back({gap, at});
}

namespace ipm {
namespace {

/// |log| of the ratio of the two beta; infinite if the programs differ in more than that.
double change_between(const Trail::Points& trail, const ScaledProblem& problem) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  if (trail.weights.size() != problem.weights.size() || trail.radii != problem.radii ||
      trail.groups != problem.groups() || trail.blocks != problem.blocks() || trail.cells != problem.cells()) {
    return kNever;
  }
  const Vector ratios = problem.weights.cwiseQuotient(trail.weights);
  if (!(ratios.maxCoeff() - ratios.minCoeff() <= 1e-9 * ratios.maxCoeff())) return kNever;
  return std::abs(std::log(ratios(0)));
}

}  // namespace

bool start_from(const Trail::Points& trail, const ScaledProblem& problem, const SampleTerms& samples, Iterate& at) {
  if (problem.blocks() == 0) return false;
  const double change = change_between(trail, problem);
  std::size_t usable = 0;
  const auto largest_change = [&](const Level& level) {
    return samples.has_rows() ? level.change_with_rows : level.change;
  };
  while (usable < trail.points.size() && change <= largest_change(kLevels[usable])) ++usable;
  if (usable == 0) return false;
  at = trail.points[usable - 1].at;
  at.pi *= problem.weights(0) / trail.weights(0);
  samples.update_nu(at);
  return true;
}

}  // namespace ipm
}  // namespace conelu
