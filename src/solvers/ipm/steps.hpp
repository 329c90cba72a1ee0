#pragma once

#include "conelu/linear_algebra.hpp"

namespace conelu::ipm {

/// Shares of a direction that the primal and the dual variables take.
struct Steps {
  double primal = 1;
  double dual = 1;
  double shorter() const { return primal < dual ? primal : dual; }
};

/// Longest step, at most 1, that keeps all entries of x + step d positive.
template <class X, class D>
double linear_step(const X& x, const D& d) {
  // A maximum of quotients needs no branch per entry.
  const double decrease = x.size() == 0 ? 0.0 : (-d.array() / x.array()).maxCoeff();
  return decrease > 1.0 ? 1.0 / decrease : 1.0;
}

}  // namespace conelu::ipm
