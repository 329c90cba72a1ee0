#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "conelu/liveness.hpp"
#include "patterns/patience.hpp"
#include "patterns/scaled_rows.hpp"
#include "patterns/sources.hpp"
#include "patterns/sparse_directions.hpp"

/// Patterns that are live by construction. Project the samples on a direction a and look for a threshold b that is out
/// of the attacker's reach from all of them: |x_k'a - b| > |eps o (a, -b)|_q. Then (a, -b) is strictly inside the cone
/// of the pattern on one side of it, and (-a, b) inside that of the other.
///
/// Next to the all-active pattern the second side adds little, D X z and (I - D) X z being each other's difference from
/// the linear X z. The same number of patterns then has twice as many thresholds; the other sides come last.
namespace conelu {
namespace {

constexpr std::uint64_t kThresholdStream = 0x7468726573686f6c;  // apart from other uses of the same seed
constexpr Index kGapsPerDirection = 2;
constexpr Index kPatientForBalance = 100;  // draws without a new balanced pattern after which a lopsided one will do

/// What a threshold is a multiple of: a direction c on which all samples are active, x_k'c = heights_k > 0. Then
/// x_k'(a - b c) > 0 says that x_k'a / heights_k is above b.
struct Threshold {
  Vector direction;
  Vector heights;

  /// A constant column, best one that nobody can perturb; else any direction whose all-active pattern is live; else
  /// none.
  static std::optional<Threshold> find(const MatrixView& X, const Threat& threat) {
    std::optional<Threshold> perturbed;
    for (Index a = 0; a < X.cols() && X.rows() > 0; ++a) {
      const double entry = X(0, a);
      if (entry == 0 || !(X.col(a).array() == entry).all()) continue;
      const double radius = threat.active() ? threat.radii(a) : 0.0;
      const Threshold column{Vector::Unit(X.cols(), a) / entry, Vector::Ones(X.rows())};
      if (radius == 0) return column;
      if (radius < std::abs(entry) && !perturbed) perturbed = column;
    }
    if (perturbed) return perturbed;
    const Vector witness = decide_liveness(X, Vector::Ones(X.rows()), threat).witness;
    if (witness.size() == 0) return {};
    return Threshold{witness, products_in_order(X, witness)};
  }
};

/// A place for a threshold between two neighbours on a line.
struct Gap {
  double below, above;
  Index count_below;

  double middle() const { return 0.5 * (below + above); }
};

/// The gaps between values, found in linear time: values fall into buckets, and a gap wider than a bucket shows between
/// two of them. Narrower ones are seen only if they happen to.
class GapFinder {
 public:
  /// All that are wider than `width`, unless there is room for a great many of these.
  const std::vector<Gap>& find(const Vector& values, double width) {
    gaps_.clear();
    const double least = values.minCoeff();
    const double range = values.maxCoeff() - least;
    if (!(range > width) || !std::isfinite(range)) return gaps_;
    const double most = 16.0 * static_cast<double>(values.size());
    const auto count = static_cast<Index>(width * most > range ? std::ceil(range / width) : most) + 1;
    buckets_.assign(static_cast<std::size_t>(count), {});
    const double scale = static_cast<double>(count - 1) / range;
    if (!std::isfinite(scale)) return gaps_;
    for (const double value : values) {
      Bucket& bucket = buckets_[static_cast<std::size_t>((value - least) * scale)];
      bucket.lowest = std::min(bucket.lowest, value);
      bucket.highest = std::max(bucket.highest, value);
      ++bucket.count;
    }
    Index below = 0;
    double last = least;
    for (const Bucket& bucket : buckets_) {
      if (bucket.count == 0) continue;
      if (bucket.lowest - last > width) gaps_.push_back({last, bucket.lowest, below});
      last = bucket.highest;
      below += bucket.count;
    }
    return gaps_;
  }

 private:
  struct Bucket {
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();
    Index count = 0;
  };
  std::vector<Bucket> buckets_;
  std::vector<Gap> gaps_;
};

class GapPatterns {
 public:
  GapPatterns(const MatrixView& X, const PatternRequest& request)
      : X_(X),
        threat_(request.threat.active() ? request.threat : Threat{}),
        threshold_(Threshold::find(X, threat_)),
        norms_(X.rowwise().stableNorm()),
        random_(request.seed, kThresholdStream),
        want_(request.count),
        patterns_(initial_patterns(X, request, threat_)),
        has_all_active_(patterns_.count() > 0) {}

  SampledPatterns make(const VectorView& labels, std::uint64_t seed) {
    SampledPatterns result;
    // An attacker moves a sample at the origin to either side of any neuron.
    if (X_.rows() == 0 || (threat_.active() && (norms_.array() == 0).any())) {
      result.exhausted = !is_done();
      result.patterns = std::move(patterns_);
      return result;
    }
    if (norms_.maxCoeff() == 0) patterns_.add(Vector::Ones(X_.rows()), Vector::Unit(X_.cols(), 0));
    const std::vector<Index> features = usable_features();
    if (threshold_ && !features.empty()) list_single_features(features);
    std::optional<SparseDirections> directions;
    if (!features.empty()) directions.emplace(X_, features, threat_, labels, seed);
    Patience patience;
    while (!is_done() && !result.exhausted) {
      ++result.draws;
      bool is_new = try_single_feature();
      if (directions) is_new = try_direction(directions->next()) || is_new;
      patience.count(is_new, patterns_.count());
      if (directions && !patience.is_over()) continue;
      if (directions && directions->ignore_trends()) {
        patience = {};
        continue;
      }
      add_other_sides();
      result.exhausted = !is_done();
    }
    result.patterns = std::move(patterns_);
    return result;
  }

 private:
  struct Candidate {
    SparseDirection direction;
    Gap gap;
  };

  bool is_done() const { return patterns_.count() >= want_; }

  /// The columns along which samples differ.
  std::vector<Index> usable_features() const {
    std::vector<Index> features;
    for (Index a = 0; a < X_.cols(); ++a) {
      if ((X_.col(a).array() != X_(0, a)).any()) features.push_back(a);
    }
    return features;
  }

  void project(const SparseDirection& direction) {
    products_.setZero(X_.rows());
    for (std::size_t i = 0; i < direction.features.size(); ++i) {
      products_ += direction.entries[i] * X_.col(direction.features[i]);  // in an order that no thread can change
    }
  }

  Vector dense(const SparseDirection& direction) const {
    Vector a = Vector::Zero(X_.cols());
    for (std::size_t i = 0; i < direction.features.size(); ++i) a(direction.features[i]) = direction.entries[i];
    return a;
  }

  /// The gaps of the projected samples that have room for a threshold.
  std::vector<Gap> find_gaps(const Vector& a) {
    const Vector positions = (norms_.array() > 0).select(products_.cwiseQuotient(threshold_->heights), 0.0);
    const double highest = threshold_->heights.maxCoeff();
    const double lost = reach(threshold_->direction);
    std::vector<Gap> gaps = finder_.find(positions, lost > 0 ? 0.0 : 2 * reach(a) / highest);
    if (lost > 0) {
      const double attack = reach(a);
      std::erase_if(gaps, [&](const Gap& gap) {
        const double room = 0.5 * (gap.above - gap.below) * highest;
        return room <= std::abs(attack - std::abs(gap.middle()) * lost) ||
               room <= reach(a - gap.middle() * threshold_->direction);
      });
    }
    return gaps;
  }

  /// Gaps of single features, those that split the samples most evenly early on.
  void list_single_features(const std::vector<Index>& features) {
    for (const Index a : features) {
      const SparseDirection direction{{a}, {1.0}};
      project(direction);
      for (const Gap& gap : find_gaps(dense(direction))) singles_.push_back({direction, gap});
    }
    // Drawn without replacement with probability proportional to the smaller side.
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < singles_.size(); ++i) {
      order.emplace_back(std::log(1 - random_.uniform()) / static_cast<double>(smaller_side(singles_[i].gap)), i);
    }
    std::ranges::sort(order);  // the last comes first
    std::vector<Candidate> sorted;
    for (const auto& [key, i] : order) sorted.push_back(std::move(singles_[i]));
    singles_ = std::move(sorted);
  }

  bool try_single_feature() {
    if (singles_.empty()) return false;
    const Candidate candidate = std::move(singles_.back());
    singles_.pop_back();
    project(candidate.direction);
    return add(dense(candidate.direction), candidate.gap.middle());
  }

  bool try_direction(const SparseDirection& direction) {
    if (direction.features.empty() || is_done()) return false;
    project(direction);
    const Vector a = dense(direction);
    if (!threshold_) return add(a, 0);
    std::vector<Gap> gaps = find_gaps(a);
    ++draws_since_balanced_;
    const bool lopsided_too = draws_since_balanced_ > kPatientForBalance;
    std::erase_if(gaps, [&](const Gap& gap) { return !lopsided_too && is_lopsided(gap); });
    bool is_new = false;
    for (Index i = 0; i < kGapsPerDirection && !gaps.empty() && !is_done(); ++i) {
      const Gap gap = take_at_random(gaps);
      const bool added = add(a, gap.middle());
      if (added && !is_lopsided(gap)) draws_since_balanced_ = 0;
      is_new = is_new || added;
    }
    return is_new;
  }

  Index smaller_side(const Gap& gap) const { return std::min(gap.count_below, X_.rows() - gap.count_below); }
  /// A neuron that sets a handful of samples apart says little about the others.
  bool is_lopsided(const Gap& gap) const { return smaller_side(gap) < std::max<Index>(2, X_.rows() / 50); }

  /// With probability proportional to the smaller side.
  Gap take_at_random(std::vector<Gap>& gaps) {
    Index total = 0;
    for (const Gap& gap : gaps) total += smaller_side(gap);
    Index left = random_.below(total);
    auto chosen = gaps.begin();
    while (left >= smaller_side(*chosen)) left -= smaller_side(*chosen++);
    const Gap gap = *chosen;
    gaps.erase(chosen);
    return gap;
  }

  double reach(const Vector& u) const { return threat_.active() ? threat_.worst_change(u) : 0.0; }

  /// Adds the patterns of both sides of the threshold, or of one next to the all-active pattern, if it is out of reach
  /// of every sample, beyond rounding.
  bool add(Vector u, double threshold) {
    Vector heights = products_;
    if (threshold_) {
      u -= threshold * threshold_->direction;
      heights -= threshold * threshold_->heights;
    }
    const double length = u.stableNorm();
    if (!(length > 0 && std::isfinite(length))) return false;
    const double attack = reach(u);
    const double share = rounding_share(u.size());
    for (Index k = 0; k < X_.rows(); ++k) {
      if (norms_(k) == 0) continue;
      if (!(std::abs(heights(k)) > attack + share * (length * norms_(k) + attack))) return false;
    }
    u /= length;
    if (has_all_active_) return is_smaller_side(heights) ? patterns_.add(heights, u) : patterns_.add(-heights, -u);
    bool is_new = patterns_.add(heights, u);
    if (!is_done()) is_new = patterns_.add(-heights, -u) || is_new;
    return is_new;
  }

  /// Whether fewer samples are active than with the opposite sign; of two halves, that of the first sample with a side.
  static bool is_smaller_side(const Vector& heights) {
    const Index above = (heights.array() > 0).count();
    const Index below = (heights.array() < 0).count();
    if (above != below) return above < below;
    const auto first = std::find_if(heights.begin(), heights.end(), [](double height) { return height != 0; });
    return first != heights.end() && *first > 0;
  }

  void add_other_sides() {
    if (!has_all_active_) return;
    const Index sides = patterns_.count();
    for (Index i = 1; i < sides && !is_done(); ++i) {
      const Vector u = -patterns_.witness(i);
      patterns_.add(products_in_order(X_, u), u);
    }
  }

  MatrixView X_;
  Threat threat_;
  std::optional<Threshold> threshold_;
  Vector norms_;
  Random random_;
  Index want_;
  PatternSet patterns_;
  bool has_all_active_;
  GapFinder finder_;
  Vector products_;
  std::vector<Candidate> singles_;
  Index draws_since_balanced_ = 0;
};

}  // namespace

SampledPatterns gap_patterns(const MatrixView& X, const PatternRequest& request) {
  require_count(request);
  require_threat_fits(X, request);
  if (request.labels.size() != 0 && request.labels.size() != X.rows()) {
    throw std::invalid_argument(
        fmt::format("labels: has {} entries, expected {}, one per row of X", request.labels.size(), X.rows()));
  }
  return GapPatterns(X, request).make(request.labels, request.seed);
}

}  // namespace conelu
