#pragma once

#include "solvers/ipm/norm_point.hpp"
#include "solvers/ipm/scaled_problem.hpp"

namespace conelu::ipm {

/// A primal-dual point, or a direction between two: every variable of the conic form of the program.
///
///     minimise   sum_k c_k cost(r_k) + sum_j t_j
///     subject to s_jk = e_jk x_k'u_j - tau_j >= 0    multiplier lambda_jk, for kept pairs
///                |u_j| <= t_j                        multiplier (1, zeta_j): stationarity in t_j fixes its first entry
///                h_ki = r_k - slope_i f_k - |slope_i| (rho_k + sum_j xi_jk) - offset_i >= 0       multiplier pi_ki
///                tau_j >= |eps o u_j|_q,   rho_c >= |eps o s_c|_q                                 see NormPoint
///                s_jk = xi_jk - (x_k'u_j + tau_j) >= 0,   xi_jk >= 0   multipliers lambda_jk, omega_jk: freed pairs
///
/// The slacks follow the other variables linearly, so a point that starts consistent stays so. Without a threat there
/// are no tau and rho, without freed pairs no xi, and smooth losses then do without r. Entries of pairs that are not
/// there are 1 at a point, with a multiplier of next to nothing, and 0 in a direction.
struct Iterate {
  explicit Iterate(const ScaledProblem& problem)
      : U(Matrix::Zero(problem.dimension(), problem.blocks())),
        t(Vector::Zero(problem.blocks())),
        s(Matrix::Zero(problem.cone_rows(), problem.blocks())),
        f(Vector::Zero(problem.groups())),
        r(Vector::Zero(problem.samples())),
        h(Matrix::Zero(problem.samples(), 2)),
        lambda(Matrix::Zero(problem.cone_rows(), problem.blocks())),
        zeta0(Vector::Zero(problem.blocks())),
        zeta(Matrix::Zero(problem.dimension(), problem.blocks())),
        pi(Matrix::Zero(problem.samples(), 2)),
        nu(Vector::Zero(problem.groups())),
        xi(Matrix::Zero(problem.reduced ? problem.groups() : 0, problem.blocks())),
        omega(xi) {}

  Matrix U;       // d x J
  Vector t;       // J
  Matrix s;       // cone rows x J
  Vector f;       // groups
  Vector r;       // n
  Matrix h;       // n x 2
  Matrix lambda;  // cone rows x J
  Vector zeta0;   // J: 1 at a point, 0 in a direction
  Matrix zeta;    // d x J
  Matrix pi;      // n x 2
  Vector nu;      // groups: derivative of the loss with respect to f, summed over the samples of a group
  Matrix xi;      // groups x J, if there are freed pairs
  Matrix omega;   // groups x J
  NormPoint tau;  // of the blocks, if robust
  NormPoint rho;  // of the cells, if robust
};

}  // namespace conelu::ipm
