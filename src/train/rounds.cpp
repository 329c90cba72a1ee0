#include "train/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "conelu/gates.hpp"
#include "linalg/random.hpp"
#include "solvers/ipm/freed_coupling.hpp"
#include "train/constrained.hpp"

namespace conelu {
namespace {

constexpr std::uint64_t kFreshStream = 0x66726573;  // apart from other uses of the same seed
constexpr double kVanished = 1e-4;                  // of the longest block
constexpr int kUsualRounds = 4;
/// Of the objective: the same blocks, priced by two programs.
constexpr double kRounding = 1e-6;
/// Flops of a step of the interior-point method with a dense factor: a minute.
constexpr double kSolvableDense = 3e12;
/// Flops of the blocks' factors in a step with conjugate gradients, which take most of it: beyond that a solve takes
/// more than minutes.
constexpr double kSolvableIterative = 5e9;

/// Flops of the Newton system of the program with constraints that may be the start.
constexpr double kSolvableStart = 1e10;

/// Gates of a hyperplane through a random sample.
Vector gates_of_any_hyperplane(const Matrix& X, Random& random) {
  const Vector sizes = (X.colwise().squaredNorm() / static_cast<double>(X.rows())).cwiseSqrt();
  Vector direction(X.cols());
  for (Index a = 0; a < X.cols(); ++a) direction(a) = sizes(a) > 0 ? random.normal() / sizes(a) : 0.0;
  const Vector products = X * direction;
  return (products.array() >= products(random.below(X.rows()))).cast<double>();
}

bool is_among(const Vector& gates, const Matrix& all) {
  for (Index j = 0; j < all.cols(); ++j) {
    if (all.col(j) == gates) return true;
  }
  return false;
}

/// Gates for blocks that have vanished: patterns that no block has, of the source that suits the data, as long as it
/// finds any; both blocks of a pattern may get it.
void renew_gates(const TrainTask& task, const TrainSettings& settings, int round, Matrix& U, Matrix& gates) {
  std::vector<Index> vanished;
  const double longest = U.colwise().norm().maxCoeff();
  for (Index j = 0; j < U.cols(); ++j) {
    if (!(U.col(j).norm() > kVanished * longest)) vanished.push_back(j);
  }
  if (vanished.empty()) return;
  TrainSettings other = settings;
  other.request.seed = settings.request.seed + static_cast<std::uint64_t>(round) * kFreshStream;
  other.request.count = static_cast<Index>(vanished.size() + 1) / 2;
  other.all_active = false;
  // A list of all patterns would begin with the same ones each time.
  const std::string source = task.threat.active() ? choose_pattern_source(task.X, task.threat) : "gaussian";
  const PatternSet sampled = make_patterns(source, task.X, pattern_request(other, task.threat, task.used.y)).patterns;
  std::vector<Vector> fresh;
  for (Index i = 0; i < sampled.count(); ++i) {
    Vector pattern(sampled.samples());
    for (Index k = 0; k < pattern.size(); ++k) pattern(k) = sampled.active(i, k) ? 1.0 : 0.0;
    if (!is_among(pattern, gates)) fresh.push_back(std::move(pattern));
  }
  Random random(other.request.seed, kFreshStream);
  for (std::size_t i = 0; i < vanished.size(); ++i) {
    U.col(vanished[i]).setZero();
    gates.col(vanished[i]) = i / 2 < fresh.size() ? fresh[i / 2] : gates_of_any_hyperplane(task.X, random);
  }
}

bool is_solvable(const TrainTask& task, Index blocks) {
  const auto n = static_cast<double>(task.X.rows());
  const auto d = static_cast<double>(task.X.cols());
  const bool joint = task.threat.active() && task.method != Method::separate;
  // Every block has gates of its own.
  const auto size =
      ipm::CouplingSize::of(joint, task.loss->is_margin_loss(), task.X.rows(), task.X.cols(), blocks, blocks);
  const ipm::CouplingKind kind = ipm::freed_coupling_kind(size);
  return kind == ipm::CouplingKind::iterative ? n * d * d * static_cast<double>(blocks) <= kSolvableIterative
                                              : ipm::coupling_flops(kind, size) <= kSolvableDense;
}

bool is_start_solvable(const TrainTask& task, Index patterns) {
  const double unknowns = static_cast<double>(patterns) * static_cast<double>(task.X.cols());
  return static_cast<double>(task.X.rows()) * unknowns * unknowns <= kSolvableStart;
}

/// Blocks as they are, with nothing known from below but that losses are not negative.
Solution unsolved(const Program& program, const Matrix& U) {
  Solution solution;
  solution.blocks = U;
  solution.dual.nu = Vector::Zero(program.samples());
  solution.dual.lambda = Matrix::Zero(program.samples(), program.blocks());
  solution.certificate = certify(program, solution.blocks, solution.dual);
  solution.stop = Stop::iteration_limit;
  return solution;
}

}  // namespace

GatedStart find_start(const TrainTask& task, const PatternSet& patterns, const TrainSettings& settings,
                      const Clock& clock, const ProgressCallback& progress, Notes& notes) {
  const Matrix& X = task.X;
  const Index blocks = 2 * std::max<Index>(1, settings.request.count);
  bool wanted = true;
  const ProgressCallback watch = [&](const Progress& news) { return wanted = !progress || progress(news); };
  const auto time_is_left = [&] { return clock.seconds() < settings.solver.time_limit; };

  // The patterns' blocks with their gates; blocks that are missing get others.
  const bool solvable = is_start_solvable(task, patterns.count());
  TrainTask with_constraints = task;
  with_constraints.method = choose_method(X.rows(), X.cols(), patterns.count());
  SolvedProgram solved = solve_in_exchange(with_constraints, solvable ? patterns : PatternSet(X.rows()), settings,
                                           kUsualExchanges, nullptr, clock, watch, notes);
  const Program& constrained = solved.program;
  const Vector loss_weights = constrained.loss_weights();
  GatedStart start{Matrix::Zero(X.cols(), std::max(blocks, constrained.blocks())), {}, solved.solver};
  start.gates.resize(X.rows(), start.U.cols());
  start.U.leftCols(constrained.blocks()) = solved.solution.blocks;
  Random random(settings.request.seed, kFreshStream);
  for (Index j = 0; j < start.U.cols(); ++j) {
    start.gates.col(j) = j < constrained.blocks() ? Vector(constrained.activations().col(constrained.pattern_of(j)))
                                                  : gates_of_any_hyperplane(X, random);
  }
  start.gates = choose_gates(X, task.used.y, *task.loss, task.threat, start.U, task.method, start.gates);
  const double by_program = task.program(start.gates).objective(start.U);
  const double objective = solved.solution.certificate.objective;
  solved.rounds = 0;
  if (solvable) start.constrained = std::move(solved);
  const auto stopped = [&] { return !wanted ? Stop::cancelled : time_is_left() ? Stop::converged : Stop::time_limit; };
  start.stop = stopped();
  if (start.stop != Stop::converged) return start;

  DescentSettings descent;
  descent.blocks = blocks;
  descent.seed = settings.request.seed;
  Progress news;
  news.objective = objective;
  Matrix U = descend(X, task.used.y, loss_weights, *task.loss, task.beta, task.threat, task.method, descent,
                     [&] { return time_is_left() && watch(news); });
  Matrix gates = choose_gates(X, task.used.y, *task.loss, task.threat, U, task.method);
  const double by_descent = task.program(gates).objective(U);
  notes.push_back(fmt::format("start: {:.4g} by descent on the certified worst case, {}", by_descent,
                              solvable ? fmt::format("{:.4g} by {}", objective, to_string(with_constraints.method))
                                       : "the only one tried for so large a problem"));
  if (by_descent < by_program) {
    start = {std::move(U), std::move(gates), "descent", Stop::converged, "descent", std::move(start.constrained)};
  }
  start.stop = stopped();
  return start;
}

SolvedProgram train_in_rounds(const TrainTask& task, GatedStart start, const TrainSettings& settings,
                              const Judge& judge, const Clock& clock, const ProgressCallback& progress, Notes& notes) {
  const int rounds = settings.rounds.value_or(settings.patterns.empty() ? kUsualRounds : 1);
  Program first = task.program(start.gates);
  Solution at_start = unsolved(first, start.U);
  SolvedProgram best{std::move(first), std::move(at_start), 0, start.solver, start.source};
  const auto judged = [&](const SolvedProgram& candidate, bool solved) {
    const Judgement judgement = judge(candidate.solution.blocks);
    return std::tuple(judgement.score, solved, -judgement.loss, -candidate.solution.certificate.objective);
  };
  // Blocks that nobody has found yet are no result.
  constexpr double kWorst = -std::numeric_limits<double>::infinity();
  auto best_judged = judge && !start.U.isZero(0) ? judged(best, false) : std::tuple(kWorst, false, kWorst, kWorst);
  const auto keep_if_better = [&](SolvedProgram candidate, double tolerance) {
    if (judge) {
      const auto mark = judged(candidate, true);
      if (!(mark >= best_judged)) return;
      best_judged = mark;
    } else if (!(candidate.solution.certificate.objective <= (1 - tolerance) * best.solution.certificate.objective)) {
      return;
    }
    best = std::move(candidate);
  };
  // Patterns that were given ask for exactly their program.
  const bool solvable = !settings.patterns.empty() || is_solvable(task, start.U.cols());
  if (!solvable) {
    notes.push_back("rounds: none, the program is too large for the interior-point method; its bound is trivial");
  }
  Matrix U = best.solution.blocks;
  Matrix gates = best.program.activations();
  double objective = best.solution.certificate.objective;
  if (start.constrained) keep_if_better(std::move(*start.constrained), kRounding);
  const bool go_on = solvable && start.stop == Stop::converged;
  if (start.stop != Stop::converged) best.solution.stop = start.stop;

  for (int round = 1; go_on && round <= rounds; ++round) {
    if (round > 1 || !U.isZero(0)) {
      gates = choose_gates(task.X, task.used.y, *task.loss, task.threat, U, task.method, gates);
    }
    if (round > 1) renew_gates(task, settings, round, U, gates);
    InteriorPointSettings limits = settings.solver;
    limits.time_limit = std::max(0.0, limits.time_limit - clock.seconds());
    Program program = task.program(gates);
    const InteriorPoint solver(limits);
    Solution solution = solver.solve(
        program, U, [&](const Progress& news) { return !progress || progress(continued(news, objective, clock)); });
    const Stop stop = solution.stop;
    const int iterations = best.solution.iterations + solution.iterations;
    solution.phases += best.solution.phases;
    const Phases phases = solution.phases;
    // A solve that ends early may be worse than where it could have started.
    if (Matrix here = U; solution.certificate.objective > objective) {
      const Certificate certificate = certify(program, here, solution.dual);
      if (certificate.objective < solution.certificate.objective) {
        solution.blocks = std::move(here);
        solution.certificate = certificate;
      }
    }
    const double fall = objective - solution.certificate.objective;
    const bool accepted = round == 1 ? fall >= 0 : fall > 0;
    if (accepted) {
      U = solution.blocks;
      objective = solution.certificate.objective;
      keep_if_better({std::move(program), std::move(solution), round, solver.name(), start.source}, 0);
    }
    best.solution.iterations = iterations;
    best.solution.phases = phases;
    if (stop == Stop::cancelled || stop == Stop::time_limit) {
      best.solution.stop = stop;
      break;
    }
    if (!accepted || fall <= kWorthAnotherRound * objective) break;
  }
  if (best.program.method() != task.method) {
    notes.push_back(fmt::format("method: {}, whose solution no gates have improved", to_string(best.program.method())));
  }
  // Other blocks or another round's multipliers may have closed a gap that the solver was left with.
  const bool proven = best.solution.certificate.relative_gap() <= settings.solver.tolerance;
  const Stop last = best.solution.stop;
  if (proven && (last == Stop::numerical_trouble || last == Stop::iteration_limit)) {
    best.solution.stop = Stop::converged;
  }
  best.solution.seconds = clock.seconds();
  return best;
}

}  // namespace conelu
