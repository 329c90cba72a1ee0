#include "prices/cone_search.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "linalg/random.hpp"

namespace conelu {
namespace {

constexpr Index kDivesPerRound = 32;
constexpr Index kDiveNodes = 4096;
constexpr Index kAlone = 2000;  // nodes before other threads are worth waking
constexpr Index kClimbs = 40;   // to climb from before the search
constexpr std::uint64_t kClimbStream = 0x636c696d;
/// Of what lies between the largest bound and the goal: a level far below wastes work on one cone while others are
/// larger, a near one starts again and again.
constexpr double kLevel = 0.5;
constexpr double kNear = 1.5;  // times the goal: from there on straight to the goal

}  // namespace

std::vector<ConeSeed> all_orthants(Index rank, double bound) {
  std::vector<ConeSeed> seeds;
  for (std::uint16_t orthant = 0; orthant < (1U << rank); ++orthant) {
    for (const bool negative : {false, true}) {
      ConeSeed seed;
      seed.bound = bound;
      seed.orthant = orthant;
      seed.negative = negative;
      seeds.push_back(seed);
    }
  }
  return seeds;
}

ConeSearch::ConeSearch(const FoldedPrice& price, double goal, double tolerance, double worth, MetPrices& met,
                       SearchWatch& watch)
    : price_(price), goal_(goal), tolerance_(tolerance), worth_(worth), met_(met), watch_(watch) {
  for (int t = 0; t < omp_get_max_threads(); ++t) stacks_.emplace_back(price);
  goal_ = std::max(goal_, 4 * stacks_.front().margin());  // below that no cone is small enough
  start_uphill();
  raise_goal();
  for (const ConeSeed& seed : all_orthants(price.rank(), spectral_price_bound(price))) keep(seed);
}

void ConeSearch::start_uphill() {
  Random random(0, kClimbStream);
  for (Index start = 0; start < kClimbs && watch_.ask(); ++start) {
    Vector a(price_.rank());
    for (Index i = 0; i < a.size(); ++i) a(i) = random.normal();
    met_.add(climb_from(price_, a, start % 2 == 1));
  }
}

void ConeSearch::raise_goal() { goal_ = std::max(goal_, price_.reduced((1 + tolerance_) * met_.largest())); }

void ConeSearch::keep(const ConeSeed& seed) {
  if (seed.bound <= goal_) {
    closed_bound_ = std::max(closed_bound_, seed.bound);
    return;
  }
  open_.push_back({seed, count_++});
  std::push_heap(open_.begin(), open_.end());
}

/// The goal may have risen above all that is open.
void ConeSearch::close_below_goal() {
  if (open_.empty() || open_.front().seed.bound > goal_) return;
  closed_bound_ = std::max(closed_bound_, open_.front().seed.bound);
  open_.clear();
}

double ConeSearch::next_level() const {
  const double most = open_.front().seed.bound;
  return most <= kNear * goal_ ? goal_ : goal_ + kLevel * (most - goal_);
}

void ConeSearch::run(Index node_limit) {
  while (!open_.empty() && nodes_ < node_limit && watch_.ask()) {
    round(node_limit - nodes_);
    close_below_goal();
  }
}

void ConeSearch::round(Index budget) {
  const double level = next_level();
  std::vector<ConeSeed> seeds;
  while (!open_.empty() && open_.front().seed.bound > level &&
         static_cast<Index>(seeds.size()) < std::min(kDivesPerRound, budget)) {
    std::pop_heap(open_.begin(), open_.end());
    seeds.push_back(open_.back().seed);
    open_.pop_back();
  }
  const auto count = static_cast<Index>(seeds.size());
  const DiveTask task{level, std::clamp(budget / count, Index{1}, kDiveNodes), std::max(worth_, 0.9 * goal_)};
  std::vector<ConeDive> dives(seeds.size());
#pragma omp parallel for schedule(dynamic, 1) if (nodes_ >= kAlone)
  for (Index j = 0; j < count; ++j) {
    const auto at = static_cast<std::size_t>(j);
    ConeDive& found = dives[at];
    found = dive(stacks_[static_cast<std::size_t>(omp_get_thread_num())], seeds[at], task, watch_);
    for (Vector& a : found.good) a = climb_from(price_, a, seeds[at].negative);
  }
  for (const ConeDive& found : dives) {
    nodes_ += found.nodes;
    for (const Vector& a : found.good) met_.add(a);
  }
  raise_goal();
  for (const ConeDive& found : dives) {
    for (const ConeSeed& part : found.parts) {
      if (found.exhausted && part.bound > level && found.parts.size() == 1) {
        closed_bound_ = std::max(closed_bound_, part.bound);  // nothing can lower it
      } else {
        keep(part);
      }
    }
  }
}

}  // namespace conelu
