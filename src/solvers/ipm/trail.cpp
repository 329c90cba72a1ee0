#include "solvers/ipm/trail.hpp"

#include <array>
#include <cmath>
#include <optional>

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
  loss = problem.loss.name();
  method = problem.method();
  norm = problem.norm;
  X = problem.X;
  activations = problem.activations;
  open = problem.open;
  signs = problem.signs;
  y = problem.y;
  group_of = problem.group_of;
  weights = problem.weights;
  radii = problem.radii;
}

void Trail::Points::keep(double gap, const ipm::ScaledProblem& problem, const ipm::Iterate& at) {
  if (points.size() < kLevels.size() && gap <= kLevels[points.size()].gap) points.push_back({gap, at, problem.near});
}

namespace ipm {
namespace {

/// Two programs on the same samples and patterns: the factors between their beta and between their radii.
struct Change {
  double weights, radii;

  double size() const { return std::abs(std::log(weights)) + std::abs(std::log(radii)); }
};

template <class Left, class Right>
bool equal(const Left& a, const Right& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
}

/// Nothing if one vector is no multiple of the other.
std::optional<double> factor_between(const Vector& from, const Vector& to) {
  if (equal(from, to)) return 1.0;
  if (from.size() != to.size()) return std::nullopt;
  const double factor = to.maxCoeff() / from.maxCoeff();
  const bool multiple = ((to - factor * from).cwiseAbs().array() <= 1e-9 * to.array()).all();
  return multiple && factor > 0 && std::isfinite(factor) ? std::optional(factor) : std::nullopt;
}

/// Nothing if the programs differ in more than that, or if the radii are larger, which leaves slacks of the same blocks
/// below zero.
std::optional<Change> change_between(const Trail::Points& trail, const ScaledProblem& problem) {
  if (trail.loss != problem.loss.name() || trail.method != problem.method() || trail.norm != problem.norm ||
      !equal(trail.X, problem.X) || !equal(trail.activations, problem.activations) ||
      !equal(trail.open, problem.open) || !equal(trail.signs, problem.signs) || !equal(trail.y, problem.y) ||
      trail.group_of != problem.group_of) {
    return std::nullopt;
  }
  const std::optional<double> weights = factor_between(trail.weights, problem.weights);
  const std::optional<double> radii = factor_between(trail.radii, problem.radii);
  return weights && radii && *radii <= 1 ? std::optional(Change{*weights, *radii}) : std::nullopt;
}

void scale_primal(NormPoint& point, double factor) {
  point.rho *= factor;
  point.lower *= factor;
  point.upper *= factor;
  point.vector *= factor;
}

/// The same blocks under smaller radii: norms shrink with these, and slacks grow by what they lose.
void shrink_radii(const ScaledProblem& problem, const SampleTerms& samples, double factor, Iterate& at) {
  Matrix relief = Matrix::Zero(problem.groups(), 2);
  for (Index j = 0; j < problem.blocks(); ++j) {
    const double fall = (1 - factor) * at.tau.rho(j);
    for (Index g = 0; g < problem.groups(); ++g) {
      if (problem.pair(g, j) != Pair::none) at.s(g, j) += fall;
    }
    if (problem.open.size() > 0) relief.col(1 - j % 2) += fall * problem.open.col(j);
  }
  for (Index g = 0; problem.joint && g < problem.groups(); ++g) {
    relief.row(g).array() += (1 - factor) * at.rho.rho(problem.cell_of[static_cast<std::size_t>(g)]);
  }
  samples.relieve(relief, at);
  scale_primal(at.tau, factor);
  if (problem.joint) scale_primal(at.rho, factor);
}

}  // namespace

bool start_from(const Trail::Points& trail, const ScaledProblem& problem, const SampleTerms& samples,
                NearRows& near_rows, Iterate& at) {
  if (problem.blocks() == 0) return false;
  const std::optional<Change> change = change_between(trail, problem);
  if (!change) return false;
  std::size_t usable = 0;
  const auto largest_change = [&](const Level& level) {
    return samples.has_rows() ? level.change_with_rows : level.change;
  };
  while (usable < trail.points.size() && change->size() <= largest_change(kLevels[usable])) ++usable;
  if (usable == 0) return false;
  at = trail.points[usable - 1].at;
  near_rows.work_with(trail.points[usable - 1].near);
  at.pi *= change->weights;
  if (change->radii < 1) shrink_radii(problem, samples, change->radii, at);
  samples.update_nu(at);
  return true;
}

}  // namespace ipm
}  // namespace conelu
