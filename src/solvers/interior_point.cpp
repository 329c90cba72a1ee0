#include "conelu/interior_point.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "linalg/stopwatch.hpp"
#include "linalg/thread_count.hpp"
#include "solvers/ipm/best_point.hpp"
#include "solvers/ipm/freed_coupling.hpp"
#include "solvers/ipm/near_rows.hpp"
#include "solvers/ipm/newton.hpp"
#include "solvers/ipm/start.hpp"
#include "solvers/ipm/step_length.hpp"
#include "solvers/ipm/trail.hpp"

namespace conelu {
namespace ipm {
namespace {

// Chosen by measurement on the reference cases: strong correctors and an eager target take a third of the iterations of
// plain predictor-corrector steps here, because the products of a vanishing block drift apart.
constexpr int kMaxCorrections = 4;
constexpr double kLargestCentering = 0.1;
constexpr double kBoundaryShare = 0.95;    // of the way to the boundary
constexpr double kShortStep = 0.01;        // a step that may be longer without Mehrotra's correction
constexpr double kTolerableGrowth = 10;    // of the products in a step with it: warm starts need a few times
constexpr double kStepGain = 0.3;          // what a centrality correction tries to add to a step
constexpr double kProductSpread = 10;      // products within this factor of the target are left alone
constexpr double kRefinedResidual = 0.03;  // of a Newton step, as a share of the gap tolerance
constexpr double kRoughResidual = 1e-3;    // share of the gap that stands in for the tolerance there while it is larger
constexpr int kPatience = 30;              // iterations without progress before giving up
constexpr double kLargerProducts = 100;    // of a second start

class Run {
 public:
  Run(const Program& program, const InteriorPointSettings& settings, int threads)
      : settings_(settings),
        threads_(threads),
        problem_(program),
        near_rows_(problem_),
        samples_(problem_),
        norms_(problem_),
        best_(program, problem_),
        at_(problem_),
        affine_(problem_),
        direction_(problem_) {}

  Solution run(const ProgressCallback& progress) {
    start_anew(1);
    return go(progress);
  }
  Solution run_from(const MatrixView& blocks, const ProgressCallback& progress) {
    const Matrix scaled = problem_.scaled(blocks);
    at_ = make_iterate();
    start(problem_, samples_, norms_, 1, at_, &scaled);
    return go(progress);
  }
  /// From a point of `from` if there is one that suits; leaves points in `trail`.
  Solution run(const ProgressCallback& progress, const Trail::Points* from, Trail::Points* trail) {
    if (from == nullptr || !start_from(*from, problem_, samples_, near_rows_, at_)) start_anew(1);
    return go(progress, trail);
  }

 private:
  Solution go(const ProgressCallback& progress, Trail::Points* trail = nullptr) {
    best_.judge_zero_network();
    trail_ = trail;
    if (trail_ != nullptr) trail_->begin(problem_);
    prepare_steps();
    while (!finished(progress)) {
      samples_.set_emphasis(best_.certificate().relative_gap());
      if (!factor() && !(start_again() && factor())) {
        stop_ = Stop::numerical_trouble;
        break;
      }
      newton_->solve(at_, 0.0, nullptr, affine_);
      choose_target();
      choose_direction();
      correct_centrality();
      stay_inside();
      advance(direction_, {kBoundaryShare * steps_.primal, kBoundaryShare * steps_.dual}, at_);
      samples_.hold_below_limit(direction_, kBoundaryShare * steps_.dual, at_);
      samples_.update_nu(at_);
      judge();
      if (trail_ != nullptr) trail_->keep(best_.certificate().relative_gap(), problem_, at_);
      if (near_rows_.met_some()) work_with_more_rows();
      ++iterations_;
    }
    Solution solution;
    best_.move_to(solution);
    solution.stop = stop_;
    solution.iterations = iterations_;
    solution.seconds = seconds();
    solution.phases = earlier_phases_;
    solution.phases += newton_->phases();
    solution.phases.certificate = judging_;
    return solution;
  }

  void start_anew(double factor) {
    near_rows_.choose();
    at_ = make_iterate();
    start(problem_, samples_, norms_, factor, at_);
  }
  Iterate make_iterate() const {
    Iterate iterate(problem_);
    if (problem_.robust) iterate.tau = norms_.blocks->make_point();
    if (problem_.joint) iterate.rho = norms_.cells->make_point();
    return iterate;
  }
  /// What depends on the number of cone rows.
  void prepare_steps() {
    if (newton_) earlier_phases_ += newton_->phases();
    newton_.reset();  // before there is another: each has a whole system
    newton_ = make_newton(problem_, samples_, norms_, threads_);
    affine_ = direction_ = make_iterate();
  }

  bool finished(const ProgressCallback& progress);
  bool is_stalled();
  bool start_again();
  void judge() {
    const Stopwatch watch(judging_);
    best_.judge(samples_, norms_, at_);
  }
  bool factor();
  void choose_target();
  void choose_direction();
  void correct_centrality();
  void stay_inside();
  void work_with_more_rows();
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  using Clock = std::chrono::steady_clock;

  const InteriorPointSettings& settings_;
  Clock::time_point begin_ = Clock::now();
  int threads_;
  ScaledProblem problem_;
  NearRows near_rows_;
  SampleTerms samples_;
  Norms norms_;
  std::unique_ptr<Newton> newton_;
  BestPoint best_;
  Iterate at_, affine_, direction_;
  Steps steps_;
  double mu_ = 0;
  double judging_ = 0;     // seconds
  Phases earlier_phases_;  // of steps with other rows
  double target_ = 0;
  int iterations_ = 0;
  int last_progress_ = 0;
  double progress_gap_ = std::numeric_limits<double>::infinity();
  double progress_mu_ = std::numeric_limits<double>::infinity();
  bool started_again_ = false;
  Trail::Points* trail_ = nullptr;
  Stop stop_ = Stop::converged;
};

bool Run::finished(const ProgressCallback& progress) {
  const Certificate& certificate = best_.certificate();
  const bool wanted = !progress || progress({iterations_, certificate.objective, certificate.lower_bound,
                                             certificate.relative_gap(), seconds()});
  if (certificate.relative_gap() <= settings_.tolerance) {
    stop_ = Stop::converged;
  } else if (!wanted) {
    stop_ = Stop::cancelled;
  } else if (iterations_ >= settings_.max_iterations) {
    stop_ = Stop::iteration_limit;
  } else if (seconds() >= settings_.time_limit) {
    stop_ = Stop::time_limit;
  } else if (problem_.blocks() == 0 || (is_stalled() && !start_again())) {
    stop_ = Stop::numerical_trouble;
  } else {
    return false;
  }
  return true;
}

bool Run::is_stalled() {
  mu_ = mean_product(problem_, samples_, norms_, at_);
  if (!std::isfinite(mu_) || !(mu_ > 0)) return true;
  const double gap = best_.certificate().relative_gap();
  if (gap < 0.9 * progress_gap_ || mu_ < 0.9 * progress_mu_) {
    progress_gap_ = std::min(gap, progress_gap_);
    progress_mu_ = std::min(mu_, progress_mu_);
    last_progress_ = iterations_;
  }
  return iterations_ - last_progress_ >= kPatience;
}

/// Whoever is stuck far from the optimum started too close to the boundary: long blocks of narrow cones, for which the
/// products that suit the losses were too small. Next to it, rounding has the last word, and another way may leave it
/// less to say. Once, from larger products; the best point so far stays.
bool Run::start_again() {
  if (started_again_) return false;
  started_again_ = true;
  const Index rows = problem_.cone_rows();
  start_anew(kLargerProducts);
  if (problem_.cone_rows() != rows) prepare_steps();
  if (trail_ != nullptr) trail_->begin(problem_);
  last_progress_ = iterations_;
  progress_mu_ = std::numeric_limits<double>::infinity();
  mu_ = mean_product(problem_, samples_, norms_, at_);
  return true;
}

bool Run::factor() {
  const double gap = std::min(1.0, best_.certificate().relative_gap());
  return newton_->factor(at_, kRefinedResidual * std::max(settings_.tolerance, kRoughResidual * gap));
}

/// Mehrotra's rule, capped: how far the affine step gets decides how much centring the real one needs.
void Run::choose_target() {
  const Steps steps = longest_steps(problem_, samples_, norms_, at_, affine_);
  const double ratio = std::max(0.0, mean_product(problem_, samples_, norms_, at_, &affine_, steps) / mu_);
  target_ = std::min(kLargestCentering, ratio * ratio * ratio) * mu_;
}

/// Mehrotra's correction answers what a full affine step would do to the products. Where only a short step fits, it may
/// drive them up and apart, from .1 to 1e17 in twenty iterations of one program, or leave no room for any step.
void Run::choose_direction() {
  const auto product_after = [&](const Iterate* correction) {
    newton_->solve(at_, target_, correction, direction_);
    steps_ = longest_steps(problem_, samples_, norms_, at_, direction_);
    return mean_product(problem_, samples_, norms_, at_, &direction_, steps_);
  };
  const double corrected = product_after(&affine_);
  const bool harmless = steps_.shorter() >= kShortStep && corrected <= kTolerableGrowth * mu_;
  if (harmless || product_after(nullptr) <= corrected) return;
  product_after(&affine_);
}

/// Each correction costs a solve, a small part of a factorisation, and stays only if it lengthens the step.
void Run::correct_centrality() {
  for (int i = 0; i < kMaxCorrections && steps_.shorter() < kBoundaryShare; ++i) {
    const Steps trial = {std::min(1.0, steps_.primal + kStepGain), std::min(1.0, steps_.dual + kStepGain)};
    newton_->correct(at_, direction_, trial, target_ / kProductSpread, target_ * kProductSpread, affine_);
    const Steps corrected = longest_steps(problem_, samples_, norms_, at_, affine_);
    if (corrected.primal + corrected.dual < steps_.primal + steps_.dual + 0.1 * kStepGain) break;
    std::swap(affine_, direction_);
    steps_ = corrected;
  }
}

/// Rows that are not worked with end a step, too.
void Run::stay_inside() {
  steps_.primal = near_rows_.longest_step(at_, direction_, steps_.primal);
  if (!samples_.is_piecewise_linear()) steps_.dual = std::min(steps_.dual, steps_.primal);
}

void Run::work_with_more_rows() {
  near_rows_.extend(mean_product(problem_, samples_, norms_, at_), at_);
  prepare_steps();
}

/// Sharing a small iteration costs more in waiting than it saves in work: below a billion flops one thread is faster.
int useful_threads(const Program& program, int wanted) {
  const double d = static_cast<double>(program.dimension());
  const double n = static_cast<double>(program.samples());
  const double blocks = static_cast<double>(program.blocks());
  double flops = blocks * d * d * n;
  if (program.method() != Method::cones) {
    const auto size = CouplingSize::of(program.robust() && !program.separate(), program.loss().is_margin_loss(),
                                       program.samples(), program.dimension(), program.patterns(), program.blocks());
    const CouplingKind kind = freed_coupling_kind(size);
    // Every step of conjugate gradients is shared out anew, and most of them are small.
    flops = kind == CouplingKind::iterative ? 10 * blocks * d * n : flops + coupling_flops(kind, size);
  } else if (program.robust()) {
    const double coupling = 0.5 * blocks * d;
    flops += coupling * coupling * (0.5 * static_cast<double>(program.cells()) + coupling / 3);
  } else {
    const double coupling = std::min(n, 0.5 * blocks * d);
    flops += blocks * d * coupling * n + coupling * coupling * coupling / 3;
  }
  return flops < 1e9 ? 1 : wanted;
}

}  // namespace
}  // namespace ipm

InteriorPoint::InteriorPoint(InteriorPointSettings settings) : settings_(settings) {
  InteriorPointSettings::visit(settings_, [](const char* name, auto value, auto lowest, auto highest) {
    if (!(value >= lowest && value <= highest)) {
      throw std::invalid_argument(
          fmt::format("{}: is {}, expected a number from {} to {}", name, value, lowest, highest));
    }
  });
}

Solution InteriorPoint::solve(const Program& program, const ProgressCallback& progress) const {
  const int threads = ipm::useful_threads(program, wanted_threads());
  const ThreadCount guard(threads);
  return ipm::Run(program, settings_, threads).run(progress);
}

Solution InteriorPoint::solve(const Program& program, const MatrixView& blocks,
                              const ProgressCallback& progress) const {
  if (blocks.rows() != program.dimension() || blocks.cols() != program.blocks() || !blocks.allFinite()) {
    throw std::invalid_argument(fmt::format("blocks: are {} x {}, expected {} x {} finite numbers", blocks.rows(),
                                            blocks.cols(), program.dimension(), program.blocks()));
  }
  const int threads = ipm::useful_threads(program, wanted_threads());
  const ThreadCount guard(threads);
  return ipm::Run(program, settings_, threads).run_from(blocks, progress);
}

Solution InteriorPoint::solve(const Program& program, Trail& trail, const ProgressCallback& progress) const {
  const int threads = ipm::useful_threads(program, wanted_threads());
  const ThreadCount guard(threads);
  auto left = std::make_unique<Trail::Points>();
  Solution solution = ipm::Run(program, settings_, threads).run(progress, trail.points_.get(), left.get());
  if (trail.points_ != nullptr && solution.stop == Stop::numerical_trouble) {
    InteriorPointSettings rest = settings_;
    rest.time_limit = std::max(0.0, settings_.time_limit - solution.seconds);
    rest.max_iterations = std::max(0, settings_.max_iterations - solution.iterations);
    Solution again = ipm::Run(program, rest, threads).run(progress, nullptr, left.get());
    again.iterations += solution.iterations;
    again.seconds += solution.seconds;
    again.phases += solution.phases;
    if (again.certificate.relative_gap() < solution.certificate.relative_gap()) {
      solution = std::move(again);
    } else {
      solution.iterations = again.iterations;
      solution.seconds = again.seconds;
      solution.phases = again.phases;
    }
  }
  trail.points_ = std::move(left);
  return solution;
}

int InteriorPoint::wanted_threads() const { return settings_.threads > 0 ? settings_.threads : omp_get_max_threads(); }

Trail::Trail() = default;
Trail::~Trail() = default;
Trail::Trail(Trail&&) noexcept = default;
Trail& Trail::operator=(Trail&&) noexcept = default;

const char* to_string(Stop stop) {
  switch (stop) {
    case Stop::converged:
      return "converged";
    case Stop::iteration_limit:
      return "iteration_limit";
    case Stop::time_limit:
      return "time_limit";
    case Stop::cancelled:
      return "cancelled";
    case Stop::numerical_trouble:
      break;
  }
  return "numerical_trouble";
}

}  // namespace conelu
