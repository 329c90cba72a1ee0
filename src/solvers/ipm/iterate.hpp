#pragma once

#include "solvers/ipm/scaled_problem.hpp"

namespace conelu::ipm {

/// A primal-dual point, or a direction between two: every variable of the conic form of the program.
///
///     minimise   sum_k c_k cost(r_k) + sum_j t_j
///     subject to s_jk = e_jk x_k'u_j >= 0        multiplier lambda_jk
///                |u_j| <= t_j                    multiplier (1, zeta_j): stationarity in t_j fixes its first entry
///                h_ki = r_k - slope_i f_k - offset_i >= 0     multiplier pi_ki, only for losses with kinks
///
/// The slacks s and h follow u, f and r linearly, so a point that starts consistent stays so.
struct Iterate {
  explicit Iterate(const ScaledProblem& problem)
      : U(Matrix::Zero(problem.dimension(), problem.blocks())),
        t(Vector::Zero(problem.blocks())),
        s(Matrix::Zero(problem.cone_rows(), problem.blocks())),
        f(Vector::Zero(problem.groups())),
        r(Vector::Zero(problem.samples())),
        h(Matrix::Zero(problem.samples(), 2)),
        lambda(Matrix::Zero(problem.cone_rows(), problem.blocks())),
        zeta(Matrix::Zero(problem.dimension(), problem.blocks())),
        pi(Matrix::Zero(problem.samples(), 2)),
        nu(Vector::Zero(problem.groups())) {}

  Matrix U;       // d x J
  Vector t;       // J
  Matrix s;       // cone rows x J
  Vector f;       // groups
  Vector r;       // n
  Matrix h;       // n x 2
  Matrix lambda;  // cone rows x J
  Matrix zeta;    // d x J
  Matrix pi;      // n x 2
  Vector nu;      // groups: derivative of the loss with respect to f, summed over the samples of a group
};

}  // namespace conelu::ipm
