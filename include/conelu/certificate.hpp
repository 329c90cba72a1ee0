#pragma once

#include "conelu/program.hpp"

namespace conelu {

enum class Status { optimal, inaccurate };  ///< the certificate's view
enum class Scope { network, program };      ///< what the lower bound is a bound for

/// A guess at the dual solution. Anything gives a valid bound; a good guess gives a tight one.
struct DualPoint {
  Vector nu;      ///< n: derivative of the weighted loss with respect to f_k
  Matrix lambda;  ///< n x blocks: multiplier of each cone row, taken with unit rows e_jk x_k / |x_k|
};

/// What is proven about a point of a program, by arithmetic that shares nothing with the solver.
struct Certificate {
  double objective = 0;    ///< of an exactly feasible point
  double lower_bound = 0;  ///< no point of the program has a smaller objective
  double violation = 0;    ///< largest cone violation before repair, relative to |x_k| |u_j|
  Scope scope = Scope::program;

  double relative_gap() const;
  Status status(double tolerance) const { return relative_gap() <= tolerance ? Status::optimal : Status::inaccurate; }
};

/// Moves every block that leaves its cone back inside, along its witness and beyond rounding error.
/// Blocks that hold numbers that are not finite become zero. Returns the largest relative violation found.
double repair(const Program& program, Eigen::Ref<Matrix> U);

/// max over t of the dual objective at t * dual, t chosen so that every dual constraint holds in spite of rounding.
///
///     | sigma_j sum_k d_jk nu_k x_k - sum_k lambda_jk e_jk x_k |_2 <= beta,    bound -sum_k c_k phi*(nu_k / c_k, y_k)
///
/// Multipliers are clipped to >= 0 and nu to the domain of phi*. Never below the trivial bound 0 of nonnegative losses.
double lower_bound(const Program& program, const DualPoint& dual);

/// Repairs U in place and bounds it from both sides.
Certificate certify(const Program& program, Eigen::Ref<Matrix> U, const DualPoint& dual);

const char* to_string(Status status);
const char* to_string(Scope scope);

}  // namespace conelu
