#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "evaluate/verify/rows.hpp"
#include "evaluate/verify/search.hpp"
#include "evaluate/verify/stopwatch.hpp"

namespace conelu::verification {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSmallest = 1e-12;  // of the largest factor: below that a row counts as broken where it is

/// The factor of one row, by bisection.
class RadiusSearch {
 public:
  RadiusSearch(const Forward& network, const VectorView& x, double y, const VerifySettings& settings, GoOn go_on)
      : network_(network), x_(x), y_(y), settings_(settings), go_on_(std::move(go_on)), goal_(settings, y) {
    settings_.exact = false;
  }

  RadiusBounds run(double tolerance, double largest) {
    if (goal_.is_broken(lowest_value_at_row())) return {0, 0};
    double factor = first_guess(largest);
    double ratio = 1.25;
    // A little less if it is as near to the threshold as can be told, as a good first guess may be.
    while (try_factor(factor) != Verdict::unknown || try_factor(factor * (1 - 0.3 * tolerance)) != Verdict::unknown) {
      const auto [lower, upper] = bounds_;
      if (lower >= largest || upper <= lower * (1 + tolerance) || upper < kSmallest * largest) break;
      if (lower > 0 && upper < kInfinity) {
        factor = std::sqrt(lower) * std::sqrt(upper);
      } else {
        factor = lower > 0 ? std::min(largest, lower * ratio) : upper / ratio;
        ratio *= ratio;
      }
    }
    return bounds_;
  }

 private:
  Vector slope_at_row() const {
    const Vector z = network_.columns.transpose() * x_ + network_.bias;
    return network_.columns * Vector((z.array() > 0).select(network_.output, 0.0));
  }

  double lowest_value_at_row() const {
    double lowest = kInfinity;
    for (const Side& side : goal_.sides) lowest = std::min(lowest, goal_.value(side, network_.at(x_)).output);
    return lowest;
  }

  /// Where a network that is everywhere as steep as at x would break the row.
  double first_guess(double largest) const {
    const double margin = lowest_value_at_row() - goal_.threshold;
    const double guess = margin / settings_.threat.worst_change(slope_at_row());
    return guess > kSmallest * largest && guess < largest ? guess : std::min(1.0, largest);
  }

  Verdict try_factor(double factor) {
    VerifySettings scaled = settings_;
    scaled.threat.radii *= factor;
    const Verification found = Search(network_, x_, y_, scaled, go_on_).run();
    if (found.verdict == Verdict::robust) bounds_.lower = std::max(bounds_.lower, factor);
    if (found.verdict == Verdict::broken) bounds_.upper = std::min({bounds_.upper, factor, first_break(found.worst)});
    return found.verdict;
  }

  bool breaks(const VectorView& p) const {
    const Evaluation output = network_.at(p);
    return std::any_of(goal_.sides.begin(), goal_.sides.end(),
                       [&](const Side& side) { return goal_.is_surely_broken(goal_.value(side, output)); });
  }

  /// The size of a perturbation towards a point that breaks the row that just does so itself.
  double first_break(const Vector& worst) const {
    constexpr int kHalvings = 20;
    const Vector delta = worst - x_;
    Vector broken = worst;
    double low = 0;
    double high = 1;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (low + high);
      const Vector p = x_ + middle * delta;
      if (breaks(p)) {
        high = middle;
        broken = p;
      } else {
        low = middle;
      }
    }
    return settings_.threat.radii.size() > 0 ? settings_.threat.size(broken - x_) : 0.0;
  }

  const Forward& network_;
  Vector x_;
  double y_;
  VerifySettings settings_;
  GoOn go_on_;
  Goal goal_;
  RadiusBounds bounds_{0, kInfinity};
};

}  // namespace

std::vector<RadiusBounds> find_radii(const MatrixView& X, const ContestsOfRow& contests, const VerifySettings& settings,
                                     double tolerance, double largest, const VerifyProgress& progress) {
  if (!(tolerance > 0 && tolerance < 1)) {
    throw std::invalid_argument(
        fmt::format("tolerance: of the radius is {}, expected a number between 0 and 1", tolerance));
  }
  if (!(std::isfinite(largest) && largest > 0)) {
    throw std::invalid_argument(fmt::format("largest: is {}, expected a finite number > 0", largest));
  }
  std::vector<RadiusBounds> radii(static_cast<std::size_t>(X.rows()));
  RowLoop(X.rows(), settings.threads, progress).run([&](Index k, const GoOn& go_on) {
    const Stopwatch watch;
    const GoOn in_time = [&] { return watch.seconds() < settings.time_limit && go_on(); };
    RadiusBounds row{kInfinity, kInfinity};
    for (const Contest& contest : contests(k)) {
      RadiusSearch search(*contest.network, X.row(k).transpose(), contest.y, settings, in_time);
      const RadiusBounds found = search.run(tolerance, largest);
      row = {std::min(row.lower, found.lower), std::min(row.upper, found.upper)};
    }
    radii[static_cast<std::size_t>(k)] = row;
  });
  return radii;
}

}  // namespace conelu::verification
