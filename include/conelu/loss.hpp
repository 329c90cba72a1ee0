#pragma once

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "conelu/export.hpp"

namespace CONELU_API conelu {

/// A convex loss phi(f, y) of a network's output f at one sample with target y.
///
/// It knows three things: its value, its Fenchel conjugate phi*(nu, y) = sup_f nu f - phi(f, y) with the interval of nu
/// on which that is finite (certificates live on these), and how an interior-point method should see it:
///
///     phi(f, y) = min { cost(r) : r >= slope_i f + offset_i for i < count },   cost convex with a continuous slope,
///                                                                              nondecreasing on the r that can occur.
///
/// Slopes are -1, 0 or +1; where the output may vary by rho, the worst case is the same with |slope_i| rho added to the
/// right side. A smooth loss is cost(slope_0 f + offset_0) itself, which is cheaper where rho is 0. Residual losses
/// depend on |f - y| alone. A wrong conjugate makes bounds invalid, not inaccurate: tests/program/loss_test.cpp checks
/// Fenchel's inequality for every loss in the registry. The same goes for the last digits: certificates allow for a few
/// units of rounding in values and conjugates, so write them without cancellation near 0 (log1p, sinh, differences).
class Loss {
 public:
  struct Kinks {
    int count = 0;
    std::array<double, 2> slope{};
    std::array<double, 2> offset{};
    bool smooth = false;
  };
  struct Interval {
    double lower, upper;
  };

  virtual ~Loss() = default;

  virtual std::string name() const = 0;
  /// True: y in {-1, +1} and phi depends on the margin y f.
  virtual bool is_margin_loss() const = 0;
  /// True: sample weights are divided by their sum, as the paper does for the hinge loss.
  virtual bool is_averaged() const = 0;

  virtual double value(double f, double y) const = 0;
  /// Defined on dual_domain(y); callers project first.
  virtual double conjugate(double nu, double y) const = 0;
  virtual Interval dual_domain(double y) const = 0;

  virtual Kinks kinks(double y) const = 0;
  virtual double cost_slope(double r) const = 0;
  virtual double cost_curvature(double r) const = 0;
  /// What the slope comes near to and never attains, if there is such a limit. Multipliers then stay below it, and
  /// Newton steps take the mean curvature between r and the point where the slope has their value: at an r far off it
  /// is flat.
  virtual double slope_limit() const { return std::numeric_limits<double>::infinity(); }
  /// The r of that slope, between 0 and slope_limit(). Needed only where that is finite.
  virtual double inverse_slope(double) const { return std::numeric_limits<double>::quiet_NaN(); }
  /// True: the cost is linear, so that primal and dual steps may differ.
  virtual bool has_linear_cost() const { return false; }
};

using LossPointer = std::shared_ptr<const Loss>;

/// What losses may be told; each looks at its own part.
struct LossSettings {
  double huber_delta = 1;  ///< residual beyond which `huber` grows linearly

  template <class Self, class Visitor>
  static void visit(Self& s, Visitor&& field) {
    field("huber_delta", s.huber_delta, 1e-100, 1e100);
  }
};

using LossFactory = std::function<LossPointer(const LossSettings&)>;

/// Makes a loss of one's own known by its name: to training, the tool's options in the same program, model files and
/// the contract tests. Throws std::invalid_argument if the name is taken or empty.
void register_loss(const std::string& name, LossFactory factory);

/// Names of all registered losses, in registration order.
std::vector<std::string> loss_names();

/// Throws std::invalid_argument listing the known names, or naming the setting that is out of range.
LossPointer make_loss(const std::string& name, const LossSettings& settings = {});

}  // namespace conelu
