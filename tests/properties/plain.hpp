#pragma once

#include <functional>
#include <limits>

#include "conelu/network.hpp"
#include "conelu/program.hpp"
#include "properties/recipe.hpp"

/// What the properties compare with: definitions written out once more, by plain loops in long double.
namespace conelu::properties {

using Real = long double;
using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

/// A number and how far rounding may have moved it, or what it is compared with.
struct Rounded {
  Real value = 0;
  Real rounding = 0;

  Real above() const { return value + rounding; }
  Real below() const { return value - rounding; }
};

/// The losses by their formulas; one that this file does not know is asked itself, in double.
class PlainLoss {
 public:
  explicit PlainLoss(const Recipe& recipe);
  /// Largest over an interval of outputs, and how much that changes if both ends are moved by `error`.
  Rounded worst(Real low, Real high, Real error, Real y) const;

 private:
  using Formula = std::function<Real(Real f, Real y)>;

  Formula phi_;
  Real epsilon_ = std::numeric_limits<Real>::epsilon();  ///< relative accuracy of the formula
};

/// |radii o u|_q
Real worst_change(const Threat& threat, const RealVector& u);

/// True if every kept pair holds, with nothing forgiven but the rounding of long double.
bool is_feasible(const Program& program, const Matrix& U);

/// The program's objective at U. Rounding is that of long double.
Rounded objective(const Program& program, const PlainLoss& loss, const Matrix& U);

/// Loss and penalty of a network at the program's samples moved by `deltas` (n x columns of X; empty: not at all).
/// Rounding is what double arithmetic may do to a network in recovery and evaluation.
Rounded network_objective(const Program& program, const PlainLoss& loss, const Network& network, bool bias,
                          const Matrix& deltas = {});

}  // namespace conelu::properties
