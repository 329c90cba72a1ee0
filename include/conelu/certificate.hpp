#pragma once

#include "conelu/export.hpp"
#include "conelu/program.hpp"

namespace CONELU_API conelu {

enum class Status { optimal, inaccurate };  ///< the certificate's view
enum class Scope { network, program };      ///< what the lower bound is a bound for

/// A guess at the dual solution. Anything gives a valid bound; a good guess gives a tight one.
struct DualPoint {
  Vector nu;  ///< n: derivative of the weighted worst-case loss with respect to f_k
  /// n x blocks: multiplier of each pair, of the row e_jk x_k'u_j - |eps o u_j|_q >= 0 or of the freed share.
  /// (`separate`: of what the attacker adds to an opposing pair.)
  Matrix lambda;
  /// n: derivative with respect to rho_k, |nu_k| <= mu_k. Margin losses have mu = |nu| and do not read it; nor does
  /// standard training with the cones. Empty: |nu|.
  Vector mu;
  // With a threat; empty: 0.
  Matrix cell_attacks;   ///< d x cells: sum over the cell's samples of mu_k delta_k, an attack on s
  Matrix block_attacks;  ///< d x blocks: sum over the block's pairs of lambda_jk delta_jk, an attack on u_j
};

/// What is proven about a point of a program, by arithmetic that shares nothing with the solver.
struct Certificate {
  double objective = 0;    ///< of an exactly feasible point
  double lower_bound = 0;  ///< no point of the program has a smaller objective
  double violation = 0;    ///< largest violation of a kept pair before repair, relative to |x_k| |u_j|
  Scope scope = Scope::program;

  double relative_gap() const;
  Status status(double tolerance) const { return relative_gap() <= tolerance ? Status::optimal : Status::inaccurate; }
};

/// Moves every block that violates a kept pair back inside, along its witness and beyond rounding error, or drops it.
/// Blocks that hold numbers that are not finite become zero. Returns the largest relative violation found.
double repair(const Program& program, Eigen::Ref<Matrix> U);

/// max over t of the dual objective at t * dual, t chosen so that every dual constraint holds in spite of rounding.
///
///     | sigma_j sum_k d_jk nu_k x_k + sigma_j sum_c d_jc a_c - sum_kept lambda_jk e_jk x_k + sum_freed lambda_jk x_k
///       + b_j |_2 <= beta                                                                          for every block
///     |nu_k| <= mu_k,   |a_c / eps|_p <= sum of mu over the cell,   |b_j / eps|_p <= sum_k lambda_jk
///     0 <= lambda_jk,   and for freed pairs lambda_jk <= the half (mu_k +- nu_k) / 2 that the pair pushes on
///     bound  -sum_k c_k phi*(nu_k / c_k, y_k)                       for margin losses, where mu = |nu|,
///            -sum_k (nu_k y_k + c_k phi*(mu_k / c_k, 0))            for residual losses (mu = |nu| gives the same)
///
/// with a and b the attacks on cells and blocks. The reason, sample by sample and with F the freed shares:
///
///     c_k worst_k >= nu_k f_k + mu_k rho_k + (mu_k + nu_k)/2 F_k(v) + (mu_k - nu_k)/2 F_k(w) - (the term of the bound)
///
/// by Fenchel's inequality (residual losses: for phi(r, 0) at r = max(high - y, y - low), which is at least every mean
/// of the two); subtract the kept rows times lambda, bound each norm from below by its attack, and what is left of
/// block j is g_j'u_j + beta |u_j| >= 0.
///
/// `separate` has no cells: block v has | sum_k (lambda_jk - d_jk N-_k) x_k + b_j | <= beta and
/// |b_j / eps|_p <= sum_k (lambda_jk + d_jk N-_k) with N+- = (mu +- nu) / 2 and 0 <= lambda_jk <= N+_k; for w the two
/// halves change places. Everything is clipped into the constraints first. Never below the trivial bound 0 of
/// nonnegative losses. Throws std::invalid_argument naming a field of the dual point whose size does not fit.
double lower_bound(const Program& program, const DualPoint& dual);

/// A lower bound on the objective of every network of any width, if no unit direction has a price |nu'(Xu)_+| above
/// `largest_price`: the dual of training itself asks for |nu'(Xu)_+| <= beta for every direction, so beta over the
/// largest price times nu is one of its points. As good as the proof of `largest_price`; of the program only samples,
/// loss and beta count. Without a threat and for `cones` alone. Throws std::invalid_argument naming what does not fit.
double network_bound(const Program& program, const VectorView& nu, double largest_price);

/// Repairs U in place and bounds it from both sides.
Certificate certify(const Program& program, Eigen::Ref<Matrix> U, const DualPoint& dual);

const char* to_string(Status status);
const char* to_string(Scope scope);

}  // namespace conelu
