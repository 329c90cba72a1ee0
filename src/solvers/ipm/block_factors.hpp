#pragma once

#include "solvers/ipm/cone_scaling.hpp"
#include "solvers/ipm/norm_cones.hpp"
#include "solvers/ipm/scaled_problem.hpp"

namespace conelu::ipm {

/// Cholesky factors of the block Hessians
///
///     H_j = sum_k w_jk (e_k x_k - c_j)(e_k x_k - c_j)' + (second-order-cone part) + (norm-cone part)
///
/// each a sum of positive semidefinite terms and positive definite through the second. Without a threat the centre c_j
/// is 0. With one, tau_j has been eliminated: rows e_k x_k'u - tau of weight w_jk and the norm cone's kappa, anchor m
/// and S make
///
///     c_j = (sum_k w_jk e_k x_k + kappa m) / mass_j,   mass_j = sum_k w_jk + kappa,
///
/// and kappa (m - c_j)(m - c_j)' + S is the norm-cone part: centred, nothing cancels.
class BlockFactors {
 public:
  BlockFactors(const ScaledProblem& problem, int threads);

  /// cone rows x J: to be set before `factor`.
  Matrix& weights() { return weights_; }
  const Matrix& weights() const { return weights_; }

  /// J (g d^2 + d^3 / 3) flops. Blocks whose condition shows that squaring has cost too much, those of a cone that is
  /// nearly flat, are factored again from the rows themselves by an orthogonal reduction. `norms` is null without a
  /// threat.
  void factor(const ConeScaling& cones, const NormCones* norms);

  /// Lower triangular L_j with H_j = L_j L_j'.
  Eigen::Ref<const Matrix> lower(Index block) const { return factors_.middleCols(block * dimension_, dimension_); }
  const Matrix& centers() const { return centers_; }  // d x J
  const Vector& masses() const { return masses_; }    // J
  /// Column j of B becomes H_j^-1 times it.
  void solve(Matrix& B) const;
  /// Column j of Y becomes H_j times column j of `direction`; `rows` receives (E X - c') direction.
  void apply(const ConeScaling& cones, const NormCones* norms, const Matrix& direction, Matrix& rows, Matrix& Y) const;

 private:
  void center(const NormCones& norms);
  /// sqrt(w) (e x - c)' of cone rows from `first` on, up to sign where c is 0; the roots are in `weighted_`.
  void scale_rows(Index block, bool centred, Index first, Eigen::Ref<Matrix> scaled) const;
  /// What the rows contribute to `apply`.
  void apply_near_rows(const Matrix& direction, Matrix& rows, Matrix& Y) const;
  void apply_all_rows(bool centred, const Matrix& direction, Matrix& rows, Matrix& Y) const;
  void factor_rows(Index block, const ConeScaling& cones, const NormCones* norms, Eigen::Ref<Matrix> L);

  const ScaledProblem& problem_;
  Index dimension_;
  Matrix factors_;           // d x (J d)
  Matrix weights_;           // cone rows x J
  Matrix centers_;           // d x J
  Vector masses_;            // J
  mutable Matrix weighted_;  // cone rows x J: scratch

  struct Workspace {
    Matrix scaled;  // sqrt(w) (E X - c'), as many rows at a time as caches hold
    Matrix rows;    // to be triangularized: the heavy rows and the roots of all else
    Vector lengths;
    Vector work;
    Vector vector;
    std::vector<Index> order;
  };
  std::vector<Workspace> workspaces_;  // one per thread
};

}  // namespace conelu::ipm
