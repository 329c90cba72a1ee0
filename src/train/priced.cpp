#include "train/priced.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "conelu/baseline.hpp"
#include "conelu/prices.hpp"
#include "linalg/random.hpp"
#include "linalg/stopwatch.hpp"
#include "train/global_bound.hpp"

namespace conelu {
namespace {

constexpr std::uint64_t kRoundStream = 0x726f756e64;  // apart from other uses of the same seed
constexpr int kMostRounds = 30;
/// So many rounds together have to lower the objective by kWorthAnotherRound or the estimated gap by a fifth.
constexpr int kPatience = 6;
constexpr double kSmallerGap = 0.8;
constexpr double kPriceTolerance = 1e-5;      // estimated relative gap at which a search for prices ends
constexpr double kLoosest = 3e-2;             // relative gap of the first programs
constexpr double kSmallestTolerance = 1e-12;  // that a solver takes
constexpr double kExactShare = 0.5;           // of the tolerance: neurons that do nothing may cost the rest
constexpr double kGapShare = 0.1;             // of the estimated gap: how exactly a program is solved
/// Of the dual point with the best estimate in the point that is priced. Optimal dual points of a hinge program are not
/// unique and jump about; between them prices fall three times faster.
constexpr double kSmoothing = 0.5;
constexpr double kIdle = 1e-3;     // of the longest block: shorter ones are dropped between rounds
constexpr double kNothing = 1e-6;  // of the longest block: shorter ones are dropped in the end
constexpr Index kMostPatterns = 400, kUsualPatterns = 100, kFewestPatterns = 16;
constexpr double kNewShare = 0.375;  // of the patterns in a program: as many are added in a round at most
/// Flops of an iteration of the interior-point method that a round can afford with many patterns, and at all: a
/// twentieth of a second and half a second or so.
constexpr double kCheapIteration = 1e9, kAffordableIteration = 1.2e10;
/// By default a search may take as much work as gradient descent with 240 neurons, best of three runs of 30,000 steps:
/// what it is compared with. In flops; small steps and small iterations cost more than their products.
constexpr double kDescentWork = 1.2 * 3 * 30000, kDescentNeurons = 240, kStepWork = 9e5;
constexpr double kIterationWork = 6e7, kProductShare = 1.3;
constexpr Index kRandomStarts = 500;
constexpr int kAscentSteps = 100;
constexpr double kShift = 0.1;  // of a neuron's direction: a start beside it
/// Steps of the descent that patterns come from. More features take more.
constexpr Index kDescentSteps = 4000, kLongDescentSteps = 10000, kShortDescentFeatures = 32;
constexpr double kDescentShare = 0.3;  // of the time limit
constexpr int kMostProofs = 3;
constexpr double kAffordableReduction = 2e10;  // flops

/// Flops of an iteration with P patterns; see "Solving" in docs/method.md.
double iteration_flops(double n, double d, double P) {
  const double size = P * d;
  const double by_samples = n * n * size + n * n * n / 3;
  const double by_patterns = n * size * size + size * size * size / 3;
  return 2 * P * n * d * d + std::min(by_samples, by_patterns);
}

/// Of a batch as gradient descent usually takes it.
Index usual_batch(Index samples) { return std::clamp<Index>(samples / 10, 32, 256); }

double affordable_work(Index samples, Index dimension) {
  const double products = static_cast<double>(6 * usual_batch(samples) * dimension) * kDescentNeurons;
  return kDescentWork * (kStepWork + products);
}

Index affordable_patterns(Index samples, Index dimension) {
  Index count = kMostPatterns;
  const auto is_within = [&](double limit) {
    return iteration_flops(static_cast<double>(samples), static_cast<double>(dimension), static_cast<double>(count)) <=
           limit;
  };
  while (count > kUsualPatterns && !is_within(kCheapIteration)) count = std::max(kUsualPatterns, count * 9 / 10);
  while (count > kFewestPatterns && !is_within(kAffordableIteration)) count = count * 9 / 10;
  return std::max(count, kFewestPatterns);
}

bool is_pattern(const Program& program, Index i, const Vector& preactivations) {
  const auto column = program.activations().col(i);
  for (Index k = 0; k < preactivations.size(); ++k) {
    if ((column(k) > 0) != (preactivations(k) >= 0)) return false;
  }
  return true;
}

Vector pattern_lengths(const SolvedProgram& solved) {
  Vector lengths(solved.program.patterns());
  for (Index i = 0; i < lengths.size(); ++i) {
    lengths(i) = std::max(solved.solution.blocks.col(2 * i).norm(), solved.solution.blocks.col(2 * i + 1).norm());
  }
  return lengths;
}

void add_pattern(const Program& program, Index i, PatternSet& patterns) {
  patterns.add(2 * program.activations().col(i).array() - 1, program.witnesses().col(i));
}

class PricedTraining {
 public:
  PricedTraining(const TrainTask& task, const TrainSettings& settings, const Clock& clock,
                 const ProgressCallback& progress, Notes& notes)
      : task_(task),
        settings_(settings),
        clock_(clock),
        progress_(progress),
        notes_(notes),
        bare_(task.program(PatternSet(task.X.rows()))),
        most_(affordable_patterns(task.X.rows(), task.X.cols())),
        patterns_(task.X.rows()) {}

  SolvedProgram run(const PatternSet& start) {
    descend();
    add_all(start);
    search();
    solve_to_tolerance();
    prove();
    return finish();
  }

 private:
  void descend();
  void add_all(const PatternSet& others) {
    for (Index i = 0; i < others.count(); ++i) patterns_.add_words(others.words(i), others.witness(i));
  }
  void search() {
    while (!finished()) {
      solve_program();
      price();
      choose_patterns();
    }
  }
  void solve_to_tolerance();
  void prove();
  SolvedProgram finish();
  void drop_idle_blocks(SolvedProgram& solved) const;

  bool finished();
  void solve_program();
  void price();
  void choose_patterns();
  void keep_blocks(const Network& network);
  void offer(SolvedProgram candidate);
  SolvedProgram solve(const PatternSet& patterns, double tolerance);
  Matrix starts() const;
  void look_at_prices(const Vector& nu, const PricedDirections& found);
  void look_again(double largest);

  bool told(Progress news);
  bool still_wanted();
  double time_left() const { return settings_.solver.time_limit - clock_.seconds(); }
  double objective() const {
    return best_ ? best_->solution.certificate.objective : std::numeric_limits<double>::infinity();
  }
  /// Between the best network and what bounds all of them if no price is larger than those found.
  double estimated_gap() const {
    return best_ ? (objective() - report_.estimate) / std::max(objective(), 1e-300)
                 : std::numeric_limits<double>::infinity();
  }
  int most_rounds() const { return settings_.rounds.value_or(kMostRounds); }

  const TrainTask& task_;
  const TrainSettings& settings_;
  const Clock& clock_;
  const ProgressCallback& progress_;
  Notes& notes_;
  Program bare_;  // without patterns: weights and loss, for bounds
  Index most_;    // patterns in a program
  PatternSet patterns_;
  std::optional<SolvedProgram> best_, last_;
  PricedDirections found_;
  Pricing report_;
  int round_ = 0;
  double work_ = 0, last_work_ = 0;  // flops of all programs, and of the last one
  int iterations_ = 0;
  int iterations_before_ = 0;  // the program that is being solved
  double gap_ = kLoosest;
  double smoothing_ = kSmoothing;
  double solve_seconds_ = 0;  // of the last program
  bool exact_ = false;        // the prices are those of an optimal dual point
  bool exhausted_ = false;    // no new pattern, however exactly the program was solved
  bool wanted_ = true;
  Progress last_news_;
  Phases phases_;
};

/// What was told last, once more: time goes on.
bool PricedTraining::still_wanted() { return told(last_news_); }

bool PricedTraining::told(Progress news) {
  last_news_ = news;
  news.objective = std::min(news.objective, objective());
  news.lower_bound = std::min(news.lower_bound, news.objective);
  news.relative_gap = (news.objective - news.lower_bound) / std::max(std::abs(news.objective), 1e-12);
  news.seconds = clock_.seconds();
  news.iteration += iterations_before_;
  news.round = round_;
  news.patterns = patterns_.count();
  news.largest_price = report_.prices.empty() ? 0.0 : report_.prices.back();
  wanted_ = wanted_ && (!progress_ || progress_(news));
  return wanted_;
}

/// Patterns of a short descent: its network is the first one.
void PricedTraining::descend() {
  const Matrix& X = task_.X;
  const Index features = X.cols() - (settings_.bias ? 1 : 0);
  if (pattern_request(settings_, task_.threat, task_.used.y).all_active) {
    patterns_ = make_patterns("gaussian", X, {.count = 1, .all_active = true}).patterns;
  }
  if (features == 0) return;
  BaselineSettings descent;
  descent.method = "gd-std";
  descent.loss = settings_.loss;
  descent.loss_settings = settings_.loss_settings;
  descent.beta = task_.beta;
  descent.bias = settings_.bias;
  descent.neurons = settings_.request.count;
  descent.batch = usual_batch(X.rows());
  const Index batches = std::max<Index>(1, (X.rows() + descent.batch - 1) / descent.batch);
  const Index steps = features < kShortDescentFeatures ? kDescentSteps : kLongDescentSteps;
  descent.epochs = static_cast<int>(std::max<Index>(1, steps / batches));
  descent.seed = settings_.request.seed;
  descent.threads = settings_.solver.threads;
  descent.time_limit = kDescentShare * std::max(0.0, time_left());
  const Stopwatch watch(phases_.descent);
  const BaselineResult descended = train_baseline(X.leftCols(features), task_.used.y, task_.used.weights, descent,
                                                  [&](const BaselineProgress& news) {
                                                    Progress line;
                                                    line.objective = news.objective;
                                                    return told(line);
                                                  });
  keep_blocks(descended.network);
}

void PricedTraining::keep_blocks(const Network& network) {
  const Matrix& X = task_.X;
  Matrix directions(X.cols(), network.neurons());
  directions.topRows(network.inputs()) = network.hidden.transpose();
  if (settings_.bias) directions.bottomRows(1) = network.hidden_bias.transpose();
  const Matrix preactivations = X * directions;
  std::vector<Index> order(static_cast<std::size_t>(directions.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  const Vector sizes = directions.colwise().norm().transpose().cwiseProduct(network.output.cwiseAbs());
  std::ranges::stable_sort(order, std::ranges::greater(), [&](Index j) { return sizes(j); });
  PatternSet patterns = patterns_;
  for (const Index j : order) patterns.add(preactivations.col(j), directions.col(j));
  // Its network needs them all; the first program begins with the largest neurons that it can afford.
  for (Index i = 0; i < patterns.count() && patterns_.count() < most_; ++i) {
    patterns_.add_words(patterns.words(i), patterns.witness(i));
  }
  SolvedProgram descended{task_.program(patterns), {}, 0, "gradient descent"};
  const Program& program = descended.program;
  Solution& solution = descended.solution;
  solution.blocks = Matrix::Zero(X.cols(), program.blocks());
  for (Index j = 0; j < directions.cols(); ++j) {
    for (Index i = 0; i < program.patterns(); ++i) {
      if (!is_pattern(program, i, preactivations.col(j))) continue;
      solution.blocks.col(2 * i + (network.output(j) > 0 ? 0 : 1)) += std::abs(network.output(j)) * directions.col(j);
      break;
    }
  }
  solution.dual.nu = Vector::Zero(program.samples());
  solution.dual.lambda = Matrix::Zero(program.samples(), program.blocks());
  solution.certificate = certify(program, solution.blocks, solution.dual);
  solution.stop = Stop::iteration_limit;
  offer(std::move(descended));
}

void PricedTraining::offer(SolvedProgram candidate) {
  if (!best_ || candidate.solution.certificate.objective < objective()) best_ = std::move(candidate);
}

/// On one thread: the last digits of a dual point decide which patterns come next.
SolvedProgram PricedTraining::solve(const PatternSet& patterns, double tolerance) {
  const double begin = clock_.seconds();
  iterations_before_ = iterations_;
  double choosing = 0;
  Program program = [&] {
    const Stopwatch watch(choosing);
    return task_.program(patterns);
  }();
  InteriorPointSettings limits = settings_.solver;
  limits.tolerance = tolerance;
  limits.time_limit = std::max(0.0, time_left());
  limits.threads = 1;
  Solution solution = InteriorPoint(limits).solve(program, [&](const Progress& news) { return told(news); });
  iterations_ += solution.iterations;
  const double flops = iteration_flops(static_cast<double>(task_.X.rows()), static_cast<double>(task_.X.cols()),
                                       static_cast<double>(program.patterns()));
  last_work_ = solution.iterations * (kIterationWork + kProductShare * flops);
  work_ += last_work_;
  solution.phases.patterns = choosing;
  phases_ += solution.phases;
  solve_seconds_ = clock_.seconds() - begin;
  return {std::move(program), std::move(solution), round_, "interior-point"};
}

bool PricedTraining::finished() {
  if (!wanted_ || round_ >= most_rounds() || exhausted_) return true;
  // The last program takes more than one of a round.
  if (!settings_.rounds && work_ + 2 * last_work_ > affordable_work(task_.X.rows(), task_.X.cols())) return true;
  if (time_left() < 2 * solve_seconds_) return true;
  if (report_.prices.empty()) return false;
  if (estimated_gap() <= std::max(kPriceTolerance, settings_.solver.tolerance)) return true;
  if (report_.objectives.size() <= kPatience) return false;
  const std::size_t then = report_.objectives.size() - 1 - kPatience;
  const double before = report_.objectives[then], now = report_.objectives.back();
  const double gap_before = (before - report_.estimates[then]) / before;
  return before - now <= kWorthAnotherRound * now && estimated_gap() > kSmallerGap * gap_before;
}

void PricedTraining::solve_program() {
  ++round_;
  last_ = solve(patterns_, gap_);
  offer(*last_);
}

/// Directions to climb from: those of the present neurons, and beside them.
Matrix PricedTraining::starts() const {
  const Vector lengths = last_->solution.blocks.colwise().norm();
  const double shortest = lengths.size() > 0 ? kIdle * lengths.maxCoeff() : 0.0;
  std::vector<Index> in_use;
  for (Index j = 0; j < lengths.size(); ++j) {
    if (lengths(j) > shortest) in_use.push_back(j);
  }
  const auto count = static_cast<Index>(in_use.size());
  Matrix starts(task_.X.cols(), 2 * count);
  Random random(settings_.request.seed + static_cast<std::uint64_t>(round_), kRoundStream);
  const double shift = kShift / std::sqrt(static_cast<double>(starts.rows()));
  for (Index j = 0; j < count; ++j) {
    starts.col(2 * j) = last_->solution.blocks.col(in_use[static_cast<std::size_t>(j)]).normalized();
    starts.col(2 * j + 1) = starts.col(2 * j);
    for (double& entry : starts.col(2 * j + 1)) entry += shift * random.normal();
  }
  return starts;
}

void PricedTraining::price() {
  if (!wanted_) return;
  const Stopwatch watch(phases_.prices);
  const Vector& nu = last_->solution.dual.nu;
  const bool smooth = smoothing_ > 0 && report_.nu.size() > 0;
  exact_ = !smooth && gap_ <= settings_.solver.tolerance;
  const Vector between = smooth ? Vector(smoothing_ * report_.nu + (1 - smoothing_) * nu) : nu;
  const PriceSettings settings{kRandomStarts, kAscentSteps,
                               settings_.request.seed + static_cast<std::uint64_t>(round_) * kRoundStream};
  found_ = find_prices(task_.X, between, settings, starts(), [&] { return time_left() > 0 && still_wanted(); });
  if (!wanted_ || time_left() <= 0) return;  // half climbed, they would pass for the largest there are
  look_at_prices(between, found_);
  report_.objectives.push_back(objective());
  report_.bounds.push_back(last_->solution.certificate.lower_bound);
  report_.estimates.push_back(report_.estimate);
  report_.prices.push_back(found_.largest() / task_.beta);
}

/// The dual point with the best estimate is the one to prove.
void PricedTraining::look_at_prices(const Vector& nu, const PricedDirections& found) {
  const double estimate = network_bound(bare_, nu, found.largest());
  if (report_.nu.size() > 0 && estimate <= report_.estimate) return;
  report_.estimate = estimate;
  report_.nu = nu;
  report_.largest_price = found.largest();
}

void PricedTraining::choose_patterns() {
  if (!wanted_) return;
  PatternSet next(task_.X.rows());
  const Vector lengths = pattern_lengths(*last_);
  std::vector<Index> order(static_cast<std::size_t>(lengths.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](Index i) { return lengths(i); });
  const auto most_new = static_cast<Index>(kNewShare * static_cast<double>(most_));
  for (const Index i : order) {
    if (next.count() == most_ - most_new || !(lengths(i) > kIdle * lengths(order[0]))) break;
    add_pattern(last_->program, i, next);
  }
  const Index kept = next.count();
  for (Index j = 0; j < found_.prices.size() && next.count() < kept + most_new; ++j) {
    if (!(std::abs(found_.prices(j)) > (1 + kPriceTolerance) * task_.beta)) break;
    const bool is_new = next.add(task_.X * found_.directions.col(j), found_.directions.col(j));
    // A pattern that the program has cannot be worth more at its own dual point: the one mixed in hides what is.
    if (j == 0) smoothing_ = is_new ? kSmoothing : 0.5 * smoothing_;
  }
  const double tightest = settings_.solver.tolerance;
  if (next.count() == kept) {
    // A more exact dual point, and no other one mixed in, may have prices that this one has not.
    exhausted_ = exact_;
    smoothing_ = 0;
    gap_ = tightest;
  } else {
    gap_ = std::clamp(kGapShare * estimated_gap(), std::min(tightest, kLoosest), kLoosest);
  }
  patterns_ = std::move(next);
}

/// All that the best network uses and all that looked promising last.
void PricedTraining::solve_to_tolerance() {
  if (!wanted_ || time_left() <= 0) return;
  if (best_) {
    PatternSet in_use = patterns_in_use(*best_, kNothing);
    // The network of a descent may have more neurons than a program can afford.
    if (in_use.count() <= 2 * most_) add_all(in_use);
  }
  last_ = solve(patterns_, std::max(kExactShare * settings_.solver.tolerance, kSmallestTolerance));
  // A proof is worth more than the last digit of an objective.
  const Certificate& exact = last_->solution.certificate;
  const bool is_proven = exact.relative_gap() <= settings_.solver.tolerance;
  if (is_proven && exact.objective <= (1 + settings_.solver.tolerance) * objective()) best_.reset();
  offer(*last_);
  if (!wanted_ || time_left() <= 0) return;
  const Stopwatch watch(phases_.prices);
  const PriceSettings settings{kRandomStarts, kAscentSteps, settings_.request.seed};
  const Vector& nu = last_->solution.dual.nu;
  const PricedDirections found =
      find_prices(task_.X, nu, settings, starts(), [&] { return time_left() > 0 && still_wanted(); });
  if (wanted_ && time_left() > 0) look_at_prices(nu, found);
}

/// What a proof meets above beta becomes a pattern, and the search goes on from there.
void PricedTraining::prove() {
  double seconds = 0;
  for (int attempt = 0; attempt < kMostProofs && wanted_ && report_.nu.size() > 0; ++attempt) {
    Notes notes;
    TrainSettings settings = settings_;
    if (settings.global_bound) *settings.global_bound -= seconds;
    const auto proof = [&] {
      const Stopwatch watch(phases_.global_bound);
      return prove_for_all_networks(
          bare_, report_, estimated_gap(), settings, time_left(), [&] { return still_wanted(); }, notes);
    }();
    if (!proof) {
      // What could not be proven again was proven before.
      if (!report_.proven) notes_.insert(notes_.end(), notes.begin(), notes.end());
      return;
    }
    seconds += proof->bound.seconds;
    const Index nodes = proof->bound.nodes + (report_.proven ? report_.proven->nodes : 0);
    if (!report_.proven || proof->bound.lower_bound > report_.proven->lower_bound) report_.proven = proof->bound;
    report_.proven->nodes = nodes;
    report_.proven->seconds = seconds;
    const double known = std::max(task_.beta, report_.largest_price);
    report_.largest_price = std::max(report_.largest_price, proof->met.largest());
    if (!wanted_ || proof->met.largest() <= (1 + kWorthAnotherRound) * known) return;
    found_ = proof->met;
    look_again(proof->met.largest());
    choose_patterns();
    search();
    solve_to_tolerance();
  }
}

/// The dual point that was thought best has a larger price than was found.
void PricedTraining::look_again(double largest) {
  report_.estimate = network_bound(bare_, report_.nu, largest);
  report_.largest_price = largest;
  exhausted_ = false;
}

/// An interior point has some weight on every block. Most of it says nothing.
void PricedTraining::drop_idle_blocks(SolvedProgram& solved) const {
  Solution& solution = solved.solution;
  const double tolerance = settings_.solver.tolerance;
  const bool is_proven = solution.certificate.relative_gap() <= tolerance;
  const double highest = (1 + tolerance) * solution.certificate.objective;
  const auto keep = [&](Solution candidate) {
    const Certificate& certificate = candidate.certificate;
    const bool good = is_proven ? certificate.relative_gap() <= tolerance : certificate.objective <= highest;
    if (good) solution = std::move(candidate);
    return good;
  };
  const auto blocks = static_cast<double>(solved.program.blocks());
  if (blocks * blocks * static_cast<double>(solved.program.samples()) <= kAffordableReduction) {
    keep(reduce(solved.program, solution));
  }
  for (const double share : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    if (keep(prune(solved.program, solution, share))) return;
  }
}

SolvedProgram PricedTraining::finish() {
  // Without features there was no descent.
  if (!best_) offer(solve(patterns_, 1.0));
  SolvedProgram solved = std::move(*best_);
  Solution& solution = solved.solution;
  if (!wanted_) {
    solution.stop = Stop::cancelled;
  } else if (time_left() <= 0) {
    solution.stop = Stop::time_limit;
  }
  if (wanted_ && time_left() > 0) drop_idle_blocks(solved);
  if (report_.largest_price > (1 + kWorthAnotherRound) * task_.beta) {
    notes_.push_back(
        fmt::format("patterns: {} rounds left prices of up to {:.4g} beta, so there are better networks; "
                    "--rounds allows for more",
                    round_, report_.largest_price / task_.beta));
  }
  solution.iterations = iterations_;
  solution.phases = phases_;
  solution.seconds = clock_.seconds();
  solved.rounds = round_;
  solved.pricing = std::move(report_);
  return solved;
}

}  // namespace

PatternSet patterns_in_use(const SolvedProgram& solved, double share) {
  PatternSet patterns(solved.program.samples());
  const Vector lengths = pattern_lengths(solved);
  for (Index i = 0; i < lengths.size(); ++i) {
    if (lengths(i) > share * lengths.maxCoeff()) add_pattern(solved.program, i, patterns);
  }
  return patterns;
}

SolvedProgram solve_priced(const TrainTask& task, const PatternSet& start, const TrainSettings& settings,
                           const Clock& clock, const ProgressCallback& progress, Notes& notes) {
  return PricedTraining(task, settings, clock, progress, notes).run(start);
}

}  // namespace conelu
