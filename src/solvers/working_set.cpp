#include "conelu/working_set.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>

#include "linalg/stopwatch.hpp"
#include "linalg/thread_count.hpp"
#include "solvers/attack_shares.hpp"
#include "solvers/block_prices.hpp"

namespace conelu {
namespace {

/// Of the tolerance, for the program of a few patterns: the whole one has no better bound.
constexpr double kPartOfTolerance = 0.5;
/// Patterns whose solution says how many others are needed. With one or two the prices are too high.
constexpr std::size_t kEnoughToTell = 4;
/// Flops of a step with all blocks that are worth a second thread.
constexpr double kWorthSharing = 1e7;

class WorkingSetRun {
 public:
  WorkingSetRun(const Program& program, const InteriorPointSettings& settings, const ProgressCallback& progress)
      : program_(program),
        settings_(settings),
        progress_(progress),
        rounding_(1e-12 + 1e-14 * program.row_norms().maxCoeff() / program.beta()) {
    best_.blocks = Matrix::Zero(program.dimension(), program.blocks());
    best_.dual = empty_dual();
    best_.certificate = certify(program, best_.blocks, best_.dual);
  }

  Solution run();

 private:
  /// The pattern that is active on the most samples: with a bias often on all, which makes it the linear model.
  std::vector<Index> first_choice() const;
  std::vector<Index> others(const std::vector<Index>& chosen) const;
  void add_expensive(const Vector& prices, std::vector<Index>& chosen) const;
  /// Solves the program of the chosen patterns and finds prices of the others.
  Vector solve_part(const std::vector<Index>& chosen);
  void solve_whole();
  Solution finish();

  DualPoint empty_dual() const;
  /// Blocks and dual point of a part, with zeros for what it does not know.
  Solution widen(const Program& part, const std::vector<Index>& chosen, Solution solution) const;
  void judge(Solution& whole);
  void keep(Solution solution);
  void count(const Solution& solution);
  /// What was reached, at least that.
  bool tell(int iteration, double objective, double lower_bound);
  InteriorPointSettings rest(double share_of_tolerance) const;
  bool is_proven() const { return best_.certificate.relative_gap() <= settings_.tolerance; }
  bool is_stopped() const { return stop_ != Stop::converged && stop_ != Stop::numerical_trouble; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  using Clock = std::chrono::steady_clock;

  const Program& program_;
  const InteriorPointSettings& settings_;
  const ProgressCallback& progress_;
  Clock::time_point begin_ = Clock::now();
  double rounding_;  // of an objective, which is at least beta times the lengths of the blocks
  std::optional<BlockPrices> prices_;
  Solution best_;
  int iterations_ = 0;
  Phases phases_;
  Stop stop_ = Stop::converged;
};

DualPoint WorkingSetRun::empty_dual() const {
  DualPoint dual;
  dual.nu = Vector::Zero(program_.samples());
  dual.mu = dual.nu;
  dual.lambda = Matrix::Zero(program_.samples(), program_.blocks());
  if (!program_.robust()) return dual;
  dual.cell_attacks = Matrix::Zero(program_.dimension(), program_.cells());
  dual.block_attacks = Matrix::Zero(program_.dimension(), program_.blocks());
  return dual;
}

std::vector<Index> WorkingSetRun::first_choice() const {
  Index most = 0;
  program_.activations().colwise().sum().maxCoeff(&most);
  return {most};
}

std::vector<Index> WorkingSetRun::others(const std::vector<Index>& chosen) const {
  std::vector<Index> left;
  for (Index i = 0; i < program_.patterns(); ++i) {
    if (std::ranges::find(chosen, i) == chosen.end()) left.push_back(i);
  }
  return left;
}

Solution WorkingSetRun::run() {
  std::vector<Index> chosen = first_choice();
  while (2 * static_cast<Index>(chosen.size()) <= program_.patterns()) {
    const Vector prices = solve_part(chosen);
    if (is_proven() || is_stopped()) return finish();
    const Index expensive = (prices.array() > 1).count();
    const Index needed = static_cast<Index>(chosen.size()) + expensive;
    if (expensive == 0) break;  // the part was not solved well enough
    if (chosen.size() >= kEnoughToTell && 3 * needed > 2 * program_.patterns()) break;
    add_expensive(prices, chosen);
  }
  solve_whole();
  return finish();
}

Solution WorkingSetRun::finish() {
  best_.stop = is_proven() ? Stop::converged : stop_;
  best_.iterations = iterations_;
  best_.phases = phases_;
  best_.seconds = seconds();
  return std::move(best_);
}

/// As many again, those with the highest prices.
void WorkingSetRun::add_expensive(const Vector& prices, std::vector<Index>& chosen) const {
  const std::vector<Index> left = others(chosen);
  std::vector<std::size_t> order(left.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto price = [&](std::size_t i) { return prices(static_cast<Index>(i)); };
  std::erase_if(order, [&](std::size_t i) { return !(price(i) > 1); });
  std::ranges::stable_sort(order, std::ranges::greater(), price);
  order.resize(std::min(order.size(), chosen.size()));
  for (const std::size_t i : order) chosen.push_back(left[i]);
  std::ranges::sort(chosen);
}

Vector WorkingSetRun::solve_part(const std::vector<Index>& chosen) {
  const Program part = program_.select_patterns(chosen);
  const int before = iterations_;
  double objective = best_.certificate.objective;
  Solution solution = InteriorPoint(rest(kPartOfTolerance)).solve(part, [&](const Progress& news) {
    // What is proven of a part is nothing of the whole, whose objective may round to a little more.
    objective = std::min(objective, news.objective * (1 + rounding_));
    return tell(before + news.iteration, objective, 0);
  });
  count(solution);
  Solution whole = widen(part, chosen, std::move(solution));
  const auto go_on = [&] {
    if (seconds() >= settings_.time_limit) stop_ = Stop::time_limit;
    if (stop_ == Stop::time_limit || stop_ == Stop::cancelled) return false;
    if (tell(iterations_, objective, 0)) return true;
    stop_ = Stop::cancelled;
    return false;
  };
  const Vector prices = [&] {
    const Stopwatch watch(phases_.prices);
    const double size = static_cast<double>(program_.samples()) * static_cast<double>(program_.dimension());
    const ThreadCount guard(4 * size * static_cast<double>(program_.blocks()) < kWorthSharing ? 1 : settings_.threads);
    if (!prices_) prices_.emplace(program_);
    return prices_->find(others(chosen), whole.dual, go_on);
  }();
  judge(whole);
  keep(std::move(whole));
  if (stop_ != Stop::cancelled && !tell(iterations_, objective, 0)) stop_ = Stop::cancelled;
  return prices;
}

void WorkingSetRun::solve_whole() {
  const int before = iterations_;
  Solution solution = InteriorPoint(rest(1)).solve(program_, [&](const Progress& news) {
    return tell(before + news.iteration, news.objective, news.lower_bound);
  });
  count(solution);
  keep(std::move(solution));
}

void WorkingSetRun::count(const Solution& solution) {
  iterations_ += solution.iterations;
  phases_ += solution.phases;
  stop_ = solution.stop;
}

Solution WorkingSetRun::widen(const Program& part, const std::vector<Index>& chosen, Solution solution) const {
  Solution whole;
  whole.certificate = solution.certificate;
  whole.blocks = Matrix::Zero(program_.dimension(), program_.blocks());
  whole.dual = empty_dual();
  whole.dual.nu = solution.dual.nu;
  whole.dual.mu = solution.dual.mu;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Index from = 2 * static_cast<Index>(i);
    whole.blocks.middleCols(2 * chosen[i], 2) = solution.blocks.middleCols(from, 2);
    whole.dual.lambda.middleCols(2 * chosen[i], 2) = solution.dual.lambda.middleCols(from, 2);
    if (solution.dual.block_attacks.size() == 0) continue;
    whole.dual.block_attacks.middleCols(2 * chosen[i], 2) = solution.dual.block_attacks.middleCols(from, 2);
  }
  if (solution.dual.cell_attacks.size() == 0) return whole;
  const Vector shares = attack_shares(part, solution.dual);
  for (Index k = 0; k < shares.size(); ++k) {
    whole.dual.cell_attacks.col(program_.cell_of()[static_cast<std::size_t>(k)]) +=
        shares(k) * solution.dual.cell_attacks.col(part.cell_of()[static_cast<std::size_t>(k)]);
  }
  return whole;
}

/// Certifies what a part has become; the violation is still that of the solver's point, not that of repaired blocks.
void WorkingSetRun::judge(Solution& whole) {
  const Stopwatch watch(phases_.certificate);
  const double violation = whole.certificate.violation;
  whole.certificate = certify(program_, whole.blocks, whole.dual);
  whole.certificate.violation = violation;
}

/// The best point and the best bound may come from different programs.
void WorkingSetRun::keep(Solution solution) {
  const Certificate& found = solution.certificate;
  if (found.objective < best_.certificate.objective) {
    best_.blocks = std::move(solution.blocks);
    best_.certificate.objective = found.objective;
    best_.certificate.violation = found.violation;
  }
  if (found.lower_bound > best_.certificate.lower_bound) {
    best_.dual = std::move(solution.dual);
    best_.certificate.lower_bound = found.lower_bound;
  }
}

bool WorkingSetRun::tell(int iteration, double objective, double lower_bound) {
  if (!progress_) return true;
  Certificate reached = best_.certificate;
  reached.objective = std::min(reached.objective, objective);
  reached.lower_bound = std::max(reached.lower_bound, lower_bound);
  return progress_({iteration, reached.objective, reached.lower_bound, reached.relative_gap(), seconds()});
}

InteriorPointSettings WorkingSetRun::rest(double share_of_tolerance) const {
  InteriorPointSettings left = settings_;
  left.tolerance = std::max(share_of_tolerance * settings_.tolerance, 1e-12);
  left.time_limit = std::max(0.0, settings_.time_limit - seconds());
  return left;
}

}  // namespace

WorkingSet::WorkingSet(InteriorPointSettings settings) : settings_(settings) { InteriorPoint{settings}; }

Solution WorkingSet::solve(const Program& program, const ProgressCallback& progress) const {
  const ThreadCount guard(settings_.threads);
  if (program.unconstrained() || program.patterns() < 2) return InteriorPoint(settings_).solve(program, progress);
  return WorkingSetRun(program, settings_, progress).run();
}

bool WorkingSet::suits(const Program& program) {
  return program.method() == Method::reduced && program.robust() && program.patterns() >= 2;
}

}  // namespace conelu
