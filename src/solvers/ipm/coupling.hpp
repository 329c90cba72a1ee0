#pragma once

#include <memory>

#include "solvers/ipm/block_factors.hpp"

namespace conelu::ipm {

/// Solves the Newton system of all blocks together,
///
///     H_j du_j + sigma_j X'D_j dnu = R_j,      dnu = theta df + kappa,      df = sum_j sigma_j D_j X du_j,
///
/// through one dense Cholesky factor whose size is the smaller of the number of groups and P d.
class Coupling {
 public:
  virtual ~Coupling() = default;
  /// The diagonal is raised by the share `regularization`. False if the factor failed.
  virtual bool factor(const BlockFactors& blocks, const Vector& theta, double regularization) = 0;
  /// R is destroyed; du and dnu receive the solution.
  virtual void solve(const BlockFactors& blocks, Matrix& R, const Vector& kappa, Matrix& du, Vector& dnu) = 0;
};

/// A system in the outputs, one row a group of samples.
std::unique_ptr<Coupling> make_sample_coupling(const ScaledProblem& problem, int threads);
/// A system in the differences v_i - w_i, d rows a pattern.
std::unique_ptr<Coupling> make_pattern_coupling(const ScaledProblem& problem);
/// The smaller of the two.
std::unique_ptr<Coupling> make_coupling(const ScaledProblem& problem, int threads);

/// f = sum_i D_i X (v_i - w_i), without allocating: Z and F are scratch of size d x P and groups x P.
void outputs(const ScaledProblem& problem, const Matrix& U, Matrix& Z, Matrix& F, Vector& f);
/// f = sum_i D_i X z_i: F is scratch.
void gated_products(const ScaledProblem& problem, const Matrix& Z, Matrix& F, Vector& f);
/// Column i of Y becomes X'D_i nu: F is scratch.
void transposed_outputs(const ScaledProblem& problem, const Vector& nu, Matrix& F, Matrix& Y);

}  // namespace conelu::ipm
