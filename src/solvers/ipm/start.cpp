#include "solvers/ipm/start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/ipm/centers.hpp"

namespace conelu::ipm {
namespace {

constexpr double kAbsent = 1e-300;   // multiplier of a pair that is not there
constexpr double kFreedMargin = 10;  // of the losses above their kinks, in units of the outputs
constexpr double kWarmRoom = 0.1;    // around given blocks, of what there is around none
constexpr double kFewFeatures = 5;   // up to which the products of the losses suit freed pairs
constexpr double kNarrowLength = 2;  // of a block, over the harmonic mean of its slacks at length 1

/// Lengths grow with the number of rows so that the multipliers' sums do not.
double start_length(const ScaledProblem& problem, double scale) {
  return scale * std::max(10.0, static_cast<double>(problem.cone_rows()) / 40);
}

void start_penalty(double mu, Index j, Iterate& at) {
  const double length = at.U.col(j).norm();
  at.t(j) = 0.5 * (mu + std::sqrt(mu * mu + 4 * length * length));
  at.zeta0(j) = 1;
  at.zeta.col(j) = -at.U.col(j) / at.t(j);
}

/// Blocks in the centres of their cones, which near rows have been chosen by.
double start_outputs(const ScaledProblem& problem, const SampleTerms& samples, double factor, Iterate& at) {
  const Matrix centers = problem.selective() ? problem.witnesses : analytic_centers(problem).directions;
  at.f.setZero();
  const double scale = samples.output_scale();
  const double mu = factor * samples.start(scale, Matrix::Zero(problem.groups(), 2), at);
  const double length = start_length(problem, scale);
  for (Index j = 0; j < problem.blocks(); ++j) {
    at.U.col(j) = length * centers.col(problem.pattern_of(j));
    if (problem.selective()) {
      at.s.col(j) = problem.near_rows_of(problem.pattern_of(j)) * at.U.col(j);
    } else {
      at.s.col(j) = (problem.unit_rows * at.U.col(j)).cwiseProduct(problem.signs.col(problem.pattern_of(j)));
    }
    at.lambda.col(j) = mu * at.s.col(j).cwiseInverse();
    start_penalty(mu, j, at);
  }
  return mu;
}

/// tau halfway between the norm of the block and the nearest of its rows.
double middle_tau(const ScaledProblem& problem, double room, Index j, const Iterate& at) {
  if (!problem.robust) return 0;
  const Vector products = problem.X * at.U.col(j);
  double nearest = std::numeric_limits<double>::infinity();
  for (Index g = 0; g < problem.groups(); ++g) {
    if (problem.pair(g, j) == Pair::kept)
      nearest = std::min(nearest, problem.signs(g, problem.pattern_of(j)) * products(g));
  }
  const double norm = Threat{problem.norm, problem.radii}.worst_change(at.U.col(j));
  return norm + (std::isfinite(nearest) ? 0.5 * (nearest - norm) : room);
}

/// Slacks of all pairs, given u_j and tau_j.
void start_pairs(const ScaledProblem& problem, double room, double tau, Index j, Iterate& at) {
  const Vector products = problem.X * at.U.col(j);
  for (Index g = 0; g < problem.groups(); ++g) {
    const Pair pair = problem.pair(g, j);
    at.s(g, j) = pair == Pair::kept ? problem.signs(g, problem.pattern_of(j)) * products(g) - tau : 1.0;
    if (!problem.reduced) continue;
    const double gain = tau - problem.signs(g, problem.pattern_of(j)) * products(g);
    at.xi(g, j) = pair == Pair::freed ? std::max(gain, 0.0) + room : 1.0;
    if (pair == Pair::freed) at.s(g, j) = at.xi(g, j) - gain;
  }
}

/// Blocks of `cones` in the centres of their cones, so long that the multipliers of narrow cones stay in bounds. With
/// freed pairs every block adds to what the attacker may gain, so they start short, unless `blocks` are known that are
/// worth it.
double start_worst_case(const ScaledProblem& problem, const SampleTerms& samples, const Norms& norms, double factor,
                        Iterate& at, const Matrix* blocks) {
  const double scale = samples.output_scale();
  const double room = (blocks != nullptr ? kWarmRoom : 1.0) * scale;
  Matrix reach = Matrix::Zero(problem.groups(), 2);
  Vector tau(problem.blocks());
  Centers centers{problem.witnesses, Vector::Zero(problem.patterns())};
  if (!problem.reduced) centers = analytic_centers(problem);
  for (Index j = 0; j < problem.blocks(); ++j) {
    const auto direction = centers.directions.col(problem.pattern_of(j));
    if (problem.reduced) {
      at.U.col(j) = (problem.unconstrained() ? 0.0 : scale) * direction;
      if (blocks != nullptr) at.U.col(j) = blocks->col(j);
      tau(j) = middle_tau(problem, room, j, at);
    } else {
      const Vector slack = (problem.X * direction).cwiseProduct(problem.signs.col(problem.pattern_of(j))).array() -
                           centers.tau(problem.pattern_of(j));
      const double length = std::max(start_length(problem, scale), kNarrowLength * scale * slack.cwiseInverse().mean());
      at.U.col(j) = length * direction;
      tau(j) = length * centers.tau(problem.pattern_of(j));
    }
    start_pairs(problem, room, tau(j), j, at);
    for (Index g = 0; problem.reduced && g < problem.groups(); ++g) {
      if (problem.pair(g, j) == Pair::freed) reach(g, j % 2) += at.xi(g, j);
    }
    if (problem.open.size() > 0) {
      reach.col(1 - j % 2).array() += problem.open.col(j).array() * (tau(j) - (problem.X * at.U.col(j)).array());
    }
  }
  // The two blocks of a pattern cancel each other; single ones do not.
  Matrix sums(problem.dimension(), problem.patterns());
  problem.sum_blocks(at.U, sums);
  const Matrix S = sums * problem.cell_activations.transpose();
  Vector rho = Vector::Zero(problem.cells());
  for (Index c = 0; problem.joint && c < problem.cells(); ++c) {
    rho(c) = Threat{problem.norm, problem.radii}.worst_change(S.col(c)) + room;
  }
  for (Index g = 0; g < problem.groups(); ++g) {
    const Index c = problem.cell_of[static_cast<std::size_t>(g)];
    at.f(g) = problem.X.row(g).dot(S.col(c));
    reach.row(g).array() += rho(c);
  }
  double mu = factor * samples.start((problem.reduced ? kFreedMargin : 1.0) * room, reach, at);
  // The norms share their slack out among the features, so that the same product makes their multipliers the larger the
  // more there are. The square is by measurement: 44 iterations on 600 images become 20. Tables do not mind, nor do
  // programs without norms.
  const double crowd = kFewFeatures / static_cast<double>(problem.dimension());
  if (problem.reduced) mu *= std::min(1.0, crowd * crowd);
  for (Index j = 0; j < problem.blocks(); ++j) {
    for (Index g = 0; g < problem.groups(); ++g) {
      const Pair pair = problem.pair(g, j);
      at.lambda(g, j) = pair == Pair::none ? kAbsent : mu / at.s(g, j);
      if (problem.reduced) at.omega(g, j) = pair == Pair::freed ? mu / at.xi(g, j) : kAbsent;
    }
    start_penalty(mu, j, at);
    if (problem.robust) norms.blocks->start(j, at.U.col(j), tau(j), mu, at.tau);
  }
  for (Index c = 0; problem.joint && c < problem.cells(); ++c) norms.cells->start(c, S.col(c), rho(c), mu, at.rho);
  return mu;
}

}  // namespace

double start(const ScaledProblem& problem, const SampleTerms& samples, const Norms& norms, double factor, Iterate& at,
             const Matrix* blocks) {
  if (!problem.worst_case()) return start_outputs(problem, samples, factor, at);
  const bool given = blocks != nullptr && problem.unconstrained() && !blocks->isZero(0);
  return start_worst_case(problem, samples, norms, factor, at, given ? blocks : nullptr);
}

}  // namespace conelu::ipm
