#include "evaluate/verify/radius_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "program/rounding.hpp"

namespace conelu::verification {
namespace {

using rounding::kInfinity;

constexpr double kSmallest = 1e-12;   // of the largest factor: below that a row counts as broken where it is
constexpr double kFirstShare = 0.5;   // of what is left: for the verdict at factor 1
constexpr double kShare = 0.25;       // for every other one, so that a hard one leaves time for easier ones
constexpr double kCoarseGrowth = 3;   // from one look to the next
constexpr double kGrowth = 1.25;      // of what is proven, at first
constexpr double kWorthwhile = 1.05;  // a smaller step towards a factor that was too hard is as hard, and gains little
constexpr int kBisections = 20;       // between a row and a point that breaks it

}  // namespace

RadiusSearch::RadiusSearch(const std::vector<Contest>& contests, const VectorView& x, const VerifySettings& settings,
                           GoOn go_on)
    : x_(x), settings_(settings), go_on_(std::move(go_on)) {
  settings_.exact = false;
  for (const Contest& contest : contests) rivals_.push_back({contest, Goal(settings, contest.y)});
}

void RadiusSearch::learn(const Verification& at_one) {
  if (at_one.verdict == Verdict::robust) {
    for (Rival& rival : rivals_) rival.proven = 1;
  } else if (at_one.verdict == Verdict::broken) {
    upper_ = 1;
    if (at_one.worst.size() == x_.size()) follow(at_one.worst);
  } else {
    hopeless_ = 1;
  }
}

RadiusBounds RadiusSearch::run(double tolerance, double largest) {
  if (is_wrong()) return {0, 0};
  if (lower() < 1 && upper_ > 1 && hopeless_ > 1) prove_at(std::min(1.0, largest), kFirstShare);
  if (upper_ > largest) find_upper(largest);
  const double close = 1 + tolerance;
  double below = close;  // how far the next factor is below the upper bound
  double growth = kGrowth;
  while (goes_on() && lower() < largest) {
    if (upper_ <= lower() * close || std::min(upper_, hopeless_) < kSmallest * largest) break;
    if (hopeless_ <= lower() * (too_hard_ ? std::max(close, kWorthwhile) : close)) break;
    const double before = upper_;
    const Verdict verdict = prove_at(next_factor(below, growth, largest), kShare);
    // Larger steps while small ones lead on.
    if (verdict == Verdict::robust || (verdict == Verdict::unknown && lower() == 0)) growth *= growth;
    if (verdict == Verdict::robust) below = close;
    if (verdict == Verdict::broken && upper_ > before / (below * below)) below *= below;
  }
  return {std::min({lower(), upper_, largest}), upper_};
}

double RadiusSearch::next_factor(double below, double growth, double largest) const {
  if (hopeless_ < upper_) {
    if (lower() == 0) return hopeless_ / growth;
    return std::min(std::sqrt(lower()) * std::sqrt(hopeless_), lower() * growth);
  }
  return std::min(largest, std::max(upper_ / below, std::sqrt(lower()) * std::sqrt(upper_)));
}

double RadiusSearch::lower() const {
  double least = kInfinity;
  for (const Rival& rival : rivals_) least = std::min(least, rival.proven);
  return least;
}

double RadiusSearch::value_at_row(const Rival& rival) const {
  const Evaluation output = rival.contest.network->at(x_);
  double lowest = kInfinity;
  for (const Side& side : rival.goal.sides) lowest = std::min(lowest, rival.goal.value(side, output).output);
  return lowest;
}

bool RadiusSearch::is_wrong() const {
  return std::any_of(rivals_.begin(), rivals_.end(),
                     [&](const Rival& rival) { return rival.goal.is_broken(value_at_row(rival)); });
}

double RadiusSearch::first_guess() const {
  double least = kInfinity;
  for (const Rival& rival : rivals_) {
    const Forward& network = *rival.contest.network;
    const Vector z = network.columns.transpose() * x_ + network.bias;
    const Vector slope = network.columns * Vector((z.array() > 0).select(network.output, 0.0));
    least = std::min(least, (value_at_row(rival) - rival.goal.threshold) / settings_.threat.worst_change(slope));
  }
  return least;
}

void RadiusSearch::find_upper(double largest) {
  const double least = std::max(lower(), kSmallest * largest);
  double factor = first_guess();
  if (!(factor > least && factor < largest)) factor = std::min(std::max(1.0, kGrowth * lower()), largest);
  while (goes_on() && look_at(factor) != Verdict::broken && factor < largest) {
    factor = std::min(largest, kCoarseGrowth * factor);
  }
}

RadiusSearch::Effort RadiusSearch::used() const {
  const auto ratio = [](double part, double whole) { return part < whole ? part / whole : 1.0; };
  return {ratio(watch_.seconds(), settings_.time_limit),
          ratio(static_cast<double>(branches_), static_cast<double>(settings_.branch_limit))};
}

Verdict RadiusSearch::look_at(double factor) {
  return try_factor(factor, [this](const Rival& rival) {
    return [this, left = rival.goal.sides.size()]() mutable { return left-- > 0 && goes_on(); };
  });
}

Verdict RadiusSearch::prove_at(double factor, double share) {
  const Effort end = used().and_then(share);
  const GoOn in_share = [this, end] { return used().is_before(end) && go_on_(); };
  const Verdict verdict = try_factor(factor, [&](const Rival&) { return in_share; });
  if (verdict == Verdict::unknown && factor < hopeless_) {
    hopeless_ = factor;
    too_hard_ = !used().is_before(end);
  }
  return verdict;
}

Verdict RadiusSearch::try_factor(double factor, const std::function<GoOn(const Rival&)>& effort) {
  VerifySettings scaled = settings_;
  scaled.threat.radii *= factor;
  Verdict verdict = Verdict::robust;
  for (std::size_t i = 0; i < rivals_.size(); ++i) {
    Rival& rival = rivals_[i];
    if (rival.proven >= factor) continue;
    const GoOn allowed = effort(rival);
    const GoOn counted = [&] {
      if (!allowed()) return false;
      ++branches_;
      return true;
    };
    const Verification found = Search(*rival.contest.network, x_, rival.contest.y, scaled, counted).run();
    if (found.verdict == Verdict::robust) {
      rival.proven = factor;
    } else if (found.verdict == Verdict::unknown) {
      verdict = Verdict::unknown;
    } else {
      upper_ = std::min(upper_, factor);
      follow(found.worst);
      std::rotate(rivals_.begin(), rivals_.begin() + static_cast<std::ptrdiff_t>(i),
                  rivals_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      return Verdict::broken;
    }
  }
  return verdict;
}

bool RadiusSearch::breaks(const VectorView& p) const {
  for (const Rival& rival : rivals_) {
    const Evaluation output = rival.contest.network->at(p);
    for (const Side& side : rival.goal.sides) {
      if (rival.goal.is_surely_broken(rival.goal.value(side, output))) return true;
    }
  }
  return false;
}

void RadiusSearch::follow(const VectorView& worst) {
  if (settings_.threat.radii.size() == 0 || !breaks(worst)) return;
  const Vector delta = worst - x_;
  Vector broken = worst;
  double low = 0;
  double high = 1;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (low + high);
    const Vector p = x_ + middle * delta;
    if (breaks(p)) {
      high = middle;
      broken = p;
    } else {
      low = middle;
    }
  }
  upper_ = std::min(upper_, settings_.threat.size(broken - x_));
}

}  // namespace conelu::verification
