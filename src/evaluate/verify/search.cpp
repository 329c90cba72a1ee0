#include "evaluate/verify/search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "evaluate/verify/branching.hpp"
#include "program/rounding.hpp"

namespace conelu::verification {
namespace {

using rounding::kInfinity;

// A node is narrowed and solved again up to this often, while narrower chords bring it this share of the way.
constexpr int kRounds = 8;
constexpr double kWorthAnotherRound = 0.1;
constexpr int kDescents = 8;

}  // namespace

Search::Search(const Forward& network, const VectorView& x, double y, const VerifySettings& settings, GoOn go_on)
    : network_(network),
      settings_(settings),
      go_on_(std::move(go_on)),
      region_(x, settings.threat, settings.lower, settings.upper),
      local_(network, region_),
      goal_(settings, y),
      worst_(x) {
  // Below the rounding errors there is nothing to be found.
  const double size = local_.size() + std::abs(goal_.sides.front().shift);
  tolerance_ = std::max(settings.tolerance * size, 4 * local_.largest_error());
}

double Search::cutoff() const {
  if (settings_.exact) return upper_ - tolerance_;
  return goal_.strict ? goal_.threshold + tolerance_ : goal_.threshold;
}

double Search::lower() const {
  const double open = open_.empty() ? kInfinity : std::min(open_.top().bound, open_.top().ceiling);
  return std::min({closed_, open, upper_});
}

bool Search::is_done() const {
  return open_.empty() || open_.top().bound >= cutoff() || (broken_ && !settings_.exact) ||
         upper_ - lower() <= tolerance_;
}

Verification Search::run() {
  for (const Side& side : goal_.sides) {
    consider(Vector::Zero(region_.dimension()), side);
    open_.push(whole_region(side));
  }
  // The first bounds cost little, even if the row is broken as it is.
  for (std::size_t i = 0; i < goal_.sides.size() && go_on_(); ++i) {
    Node root = open_.top();
    open_.pop();
    explore(std::move(root));
  }
  while (!is_done() && go_on_()) {
    Node node = open_.top();
    open_.pop();
    explore(std::move(node));
  }
  return result();
}

void Search::explore(Node node) {
  ++branches_;
  for (int round = 0;; ++round) {
    const double aim = cutoff();
    Relaxation relaxation(local_, node);
    relaxation.solve(aim, 0.1 * tolerance_);
    node.bound = std::max(node.bound, relaxation.minorant().lowest);
    if (node.bound >= aim) return close(node);

    descend(relaxation.point(), node.side);
    if (node.halves.empty() && round == 0) descend_convex(relaxation.point(), node.side);
    if (node.bound >= cutoff() || relaxation.open().empty()) return close(node);
    if (broken_ && !settings_.exact) return keep(std::move(node));
    if (cutoff() < aim && round < kRounds) continue;

    node.ceiling = std::min(node.ceiling, cutoff());
    if (!narrow(local_, relaxation.minorant(), cutoff(), node)) {
      node.bound = node.ceiling;
      return close(node);
    }
    const Relaxation narrower(local_, node);
    const double gain = relaxation.loss_at(relaxation.point()) - narrower.loss_at(relaxation.point());
    const bool again = round < kRounds && gain > kWorthAnotherRound * (cutoff() - node.bound);
    if (!again && !narrower.open().empty()) return branch(relaxation, narrower.open(), node);
  }
}

void Search::branch(const Relaxation& relaxation, const std::vector<Index>& candidates, const Node& node) {
  const auto [neuron, inactive, active] = best_branch(local_, relaxation, candidates, cutoff());
  for (const double sign : {-1.0, 1.0}) {
    Node half = node;
    half.bound = std::max(half.bound, sign > 0 ? active : inactive);
    (sign > 0 ? half.lower : half.upper)(neuron) = 0;
    half.halves.push_back({neuron, sign});
    keep(std::move(half));
  }
}

/// For later, if it matters.
void Search::keep(Node node) {
  if (node.bound >= cutoff()) return close(node);
  open_.push(std::move(node));
}

void Search::close(const Node& node) { closed_ = std::min({closed_, node.bound, node.ceiling}); }

Node Search::whole_region(const Side& side) const {
  Node node;
  node.side = side;
  node.lower = local_.lower;
  node.upper = local_.upper;
  return node;
}

void Search::descend(Vector v, const Side& side) {
  for (int i = 0; i < kDescents && consider(v, side); ++i) {
    const Vector z = local_.t + local_.W.transpose() * v;
    const Vector gated = (z.array() > 0).select(local_.output, 0.0);
    v = region_.minimiser(side.sign * (local_.slope + local_.W * gated));
  }
}

void Search::descend_convex(Vector v, const Side& side) {
  for (int i = 0; i < kDescents; ++i) {
    Node node = whole_region(side);
    const Vector z = local_.t + local_.W.transpose() * v;
    for (Index j = 0; j < local_.unstable(); ++j) {
      if (side.sign * local_.output(j) < 0) (z(j) > 0 ? node.lower : node.upper)(j) = 0;
    }
    Relaxation convex(local_, node);
    convex.solve(kInfinity, settings_.exact ? 0.1 * tolerance_ : 1e-3 * std::abs(upper_ - goal_.threshold));
    v = convex.point();
    if (!consider(v, side)) return;
  }
}

bool Search::consider(const VectorView& v, const Side& side) {
  const Vector p = region_.point(v);
  const Evaluation value = goal_.value(side, network_.at(p));
  if (!(value.output < worst_value_)) return false;
  worst_value_ = value.output;
  upper_ = std::min(upper_, value.output + value.error);
  // A point that surely breaks the row gives way only to another one.
  if (!broken_ || goal_.is_surely_broken(value)) worst_ = p;
  broken_ = broken_ || goal_.is_surely_broken(value);
  return true;
}

Verification Search::result() const {
  Verification row;
  row.verdict = broken_ ? Verdict::broken : goal_.is_robust(lower()) ? Verdict::robust : Verdict::unknown;
  const bool classifies = settings_.task == Task::classification;
  row.lower = classifies ? lower() : -upper_;
  row.upper = classifies ? upper_ : -lower();
  row.worst = worst_;
  row.branches = branches_;
  return row;
}

}  // namespace conelu::verification
