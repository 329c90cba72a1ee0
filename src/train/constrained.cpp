#include "train/constrained.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "conelu/working_set.hpp"
#include "linalg/stopwatch.hpp"
#include "solvers/attack_shares.hpp"

namespace conelu {
namespace {

constexpr std::uint64_t kExchangeStream = 0x65786368;  // apart from other uses of the same seed
/// Of the longest block: patterns with shorter blocks are exchanged.
constexpr double kInUse = 1e-2;
/// Relative gap: further from the optimum the dual's prices mean little.
constexpr double kSolvedEnough = 1e-3;
/// Candidates by the number of patterns. More of them take longer to find than they are worth.
constexpr Index kCandidates = 4;

SolvedProgram solve_patterns(const TrainTask& task, const PatternSet& patterns, InteriorPointSettings limits,
                             Trail* trail, const Clock& clock, const ProgressCallback& progress) {
  double choosing = 0;
  Program program = [&] {
    const Stopwatch watch(choosing);  // finding out which patterns are live
    return task.program(patterns);
  }();
  limits.time_limit = std::max(0.0, limits.time_limit - clock.seconds());
  const auto solved_by = [&](const Solver& solver, Solution solution) -> SolvedProgram {
    solution.phases.patterns = choosing;
    return {std::move(program), std::move(solution), 1, solver.name()};
  };
  if (trail == nullptr && WorkingSet::suits(program)) {
    const WorkingSet solver(limits);
    return solved_by(solver, solver.solve(program, progress));
  }
  const InteriorPoint solver(limits);
  return solved_by(solver,
                   trail != nullptr ? solver.solve(program, *trail, progress) : solver.solve(program, progress));
}

/// n x d: nu_k x_k and the share of sample k in the attack on its cell. The blocks of a pattern d have the gradients
/// plus and minus sum_k d_k of these, before their constraints have a say.
Matrix priced_samples(const Program& program, const DualPoint& dual) {
  Matrix priced = dual.nu.asDiagonal() * program.X();
  if (dual.cell_attacks.size() == 0) return priced;
  const Vector shares = attack_shares(program, dual);
  for (Index k = 0; k < program.samples(); ++k) {
    const Index c = program.cell_of()[static_cast<std::size_t>(k)];
    priced.row(k) += shares(k) * dual.cell_attacks.col(c).transpose();
  }
  return priced;
}

/// Which of the patterns could lower the objective, the most promising first. Many prices are equal but for rounding,
/// of patterns that differ on samples without a multiplier: prices are compared in steps of a thousandth of the
/// highest, and equal ones left in the source's order, so that the number of threads does not order them.
std::vector<Index> by_price(const SolvedProgram& solved, const PatternSet& patterns) {
  const Vector prices = pattern_gradients(solved.program, solved.solution.dual, patterns).rowwise().norm();
  const double step = 1e-3 * (prices.size() > 0 ? prices.maxCoeff() : 0.0);
  std::vector<Index> order(static_cast<std::size_t>(patterns.count()));
  std::iota(order.begin(), order.end(), Index{0});
  std::erase_if(order, [&](Index i) { return !(prices(i) > solved.program.beta()); });
  std::ranges::stable_sort(order, std::ranges::greater(), [&](Index i) { return std::round(prices(i) / step); });
  return order;
}

struct Exchange {
  PatternSet patterns;
  Index fresh;  ///< how many of them are new
};

/// The patterns in use and, in the place of the others, new ones. `tried` are all so far.
Exchange exchange(const TrainTask& task, const SolvedProgram& solved, Index count, PatternSet& tried,
                  const TrainSettings& settings, int round) {
  const Program& program = solved.program;
  PatternSet next(program.samples());
  const auto keep = [&](Index i) {
    next.add(2 * program.activations().col(i).array() - 1, program.witnesses().col(i));
  };
  const Vector lengths = solved.solution.blocks.colwise().norm();
  const double shortest = kInUse * lengths.maxCoeff();
  for (Index i = 0; i < program.patterns(); ++i) {
    // The all-active pattern stands for the other side of every threshold: see gaps.cpp.
    const bool all_active = program.activations().col(i).minCoeff() == 1;
    if (all_active || std::max(lengths(2 * i), lengths(2 * i + 1)) > shortest) keep(i);
  }
  const Index kept = next.count();
  if (kept == count) return {std::move(next), 0};
  TrainSettings other = settings;
  other.request.seed = settings.request.seed + static_cast<std::uint64_t>(round) * kExchangeStream;
  other.request.count = kCandidates * count;
  const std::string source = choose_pattern_source(task.X, task.threat);
  const PatternSet found = make_patterns(source, task.X, pattern_request(other, task.threat, task.used.y)).patterns;
  for (const Index i : by_price(solved, found)) {
    if (next.count() == count) break;
    if (tried.add_words(found.words(i))) next.add_words(found.words(i), found.witness(i));
  }
  const Index fresh = next.count() - kept;
  for (Index i = 0; i < program.patterns() && next.count() < count; ++i) keep(i);
  return {std::move(next), fresh};
}

}  // namespace

Matrix pattern_gradients(const Program& program, const DualPoint& dual, const PatternSet& patterns) {
  return patterns.to_matrix() * priced_samples(program, dual);
}

SolvedProgram solve_in_exchange(const TrainTask& task, const PatternSet& patterns, const TrainSettings& settings,
                                int rounds, Trail* trail, const Clock& clock, const ProgressCallback& progress,
                                Notes& notes) {
  bool wanted = true;
  const ProgressCallback watch = [&](const Progress& news) { return wanted = !progress || progress(news); };
  const auto is_proven = [&](const Solution& solution) {
    return solution.certificate.status(settings.solver.tolerance) == Status::optimal;
  };
  SolvedProgram best = solve_patterns(task, patterns, settings.solver, trail, clock, watch);
  PatternSet tried = patterns;
  // A source that has found fewer than it was asked for has no others. Without an attack it is draws that count:
  // Theorem 2 knows of no exchange.
  const bool has_others = trail == nullptr && task.threat.active() && patterns.count() >= settings.request.count;
  bool go_on = has_others && best.program.patterns() > 0 && best.solution.certificate.relative_gap() < kSolvedEnough;
  for (int round = 2; go_on && round <= rounds; ++round) {
    if (!wanted || clock.seconds() >= settings.solver.time_limit) break;
    const double objective = best.solution.certificate.objective;
    double choosing = 0;
    const auto [next, fresh] = [&] {
      const Stopwatch stopwatch(choosing);
      return exchange(task, best, patterns.count(), tried, settings, round);
    }();
    if (fresh == 0) break;
    SolvedProgram candidate = solve_patterns(task, next, settings.solver, nullptr, clock, [&](const Progress& news) {
      return watch(continued(news, objective, clock));
    });
    candidate.rounds = round;
    candidate.solution.iterations += best.solution.iterations;
    candidate.solution.phases += best.solution.phases;
    candidate.solution.phases.patterns += choosing;
    const double reached = candidate.solution.certificate.objective;
    const Stop stop = candidate.solution.stop;
    const bool stopped = stop == Stop::cancelled || stop == Stop::time_limit;
    go_on = !stopped && objective - reached > kWorthAnotherRound * objective;
    // A lower objective does not make up for a proof that was there before.
    if (reached < objective && (is_proven(candidate.solution) || !is_proven(best.solution))) {
      notes.push_back(fmt::format("patterns: {} that were not used exchanged for others, objective {:.4g} -> {:.4g}",
                                  fresh, objective, reached));
      best = std::move(candidate);
    } else {
      best.solution.iterations = candidate.solution.iterations;
      best.solution.phases = candidate.solution.phases;
      if (stopped) best.solution.stop = stop;
    }
  }
  best.solution.seconds = clock.seconds();
  return best;
}

}  // namespace conelu
