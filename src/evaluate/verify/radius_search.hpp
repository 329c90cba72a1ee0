#pragma once

#include <limits>
#include <vector>

#include "evaluate/verify/contests.hpp"
#include "evaluate/verify/search.hpp"
#include "evaluate/verify/stopwatch.hpp"

namespace conelu::verification {

/// The largest factor on the threat's radii at which a row still wins all of its contests.
///
/// Points that break a row are found quickly where there are any; a proof that there are none takes long, the longer
/// the larger the factor. So the search comes from above: it follows broken points down while it finds any, and then
/// asks for the one proof that closes the gap. Where that takes too long it grows what is proven from below, in steps.
class RadiusSearch {
 public:
  /// The limits of the settings are for all of the search.
  RadiusSearch(const std::vector<Contest>& contests, const VectorView& x, const VerifySettings& settings, GoOn go_on);

  /// What is known about the row at factor 1.
  void learn(const Verification& at_one);

  RadiusBounds run(double tolerance, double largest);

 private:
  struct Rival {
    Contest contest;
    Goal goal;
    double proven = 0;  ///< the contest is won up to this factor
  };

  /// Of the time and of the branches, as shares of what there is. Each has an end of its own: the clock has no say in
  /// how the branches are shared out.
  struct Effort {
    double time = 1;
    double branches = 1;

    bool is_before(const Effort& end) const { return time < end.time && branches < end.branches; }
    /// With this share of what is left.
    Effort and_then(double share) const { return {time + share * (1 - time), branches + share * (1 - branches)}; }
  };

  Effort used() const;
  bool goes_on() const { return used().is_before({}) && go_on_(); }
  double lower() const;

  double value_at_row(const Rival& rival) const;
  /// The row as it is.
  bool is_wrong() const;
  /// Where networks that are everywhere as steep as at the row would break it.
  double first_guess() const;
  /// Looks for an upper bound at larger and larger factors.
  void find_upper(double largest);
  double next_factor(double below, double growth, double largest) const;

  /// Only at the undivided region.
  Verdict look_at(double factor);
  /// With this share of what is left.
  Verdict prove_at(double factor, double share);
  Verdict try_factor(double factor, const std::function<GoOn(const Rival&)>& effort);

  /// Whoever evaluates the point finds the row broken.
  bool breaks(const VectorView& p) const;
  /// The size of the smallest perturbation that is found to break the row on the way to such a point.
  void follow(const VectorView& worst);

  std::vector<Rival> rivals_;  // the one that broke the row last comes first
  Vector x_;
  VerifySettings settings_;
  GoOn go_on_;
  Stopwatch watch_;
  long branches_ = 0;
  double upper_ = std::numeric_limits<double>::infinity();     // broken here
  double hopeless_ = std::numeric_limits<double>::infinity();  // unknown here
  bool too_hard_ = false;  // within its share; if not, the output comes too near to the threshold to be told from it
};

}  // namespace conelu::verification
