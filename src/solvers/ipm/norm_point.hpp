#pragma once

#include "conelu/linear_algebra.hpp"

namespace conelu::ipm {

/// Variables of the cones rho >= |v|_q, or a direction between two such points; rows are the features in reach.
///
/// q = 1 (attacks in l_inf): lower = t - v, upper = t + v with sum t = rho; q = infinity: the same with t = rho.
/// Their multipliers are lower_dual and upper_dual. q = 2: `vector` is v, its multiplier is (dual_rho, dual).
struct NormPoint {
  Vector rho;
  Matrix lower, upper, lower_dual, upper_dual;
  Matrix vector, dual;
  Vector dual_rho;

  void advance(const NormPoint& direction, double primal_step, double dual_step) {
    rho += primal_step * direction.rho;
    lower += primal_step * direction.lower;
    upper += primal_step * direction.upper;
    vector += primal_step * direction.vector;
    lower_dual += dual_step * direction.lower_dual;
    upper_dual += dual_step * direction.upper_dual;
    dual += dual_step * direction.dual;
    dual_rho += dual_step * direction.dual_rho;
  }
};

}  // namespace conelu::ipm
