#pragma once

#include "solvers/ipm/cone_scaling.hpp"

namespace conelu::ipm {

/// Cholesky factors of the block Hessians
///
///     H_j = X^' diag(lambda_j / s_j) X^ + (second-order-cone part),    X^ the unit cone rows,
///
/// each a sum of positive semidefinite terms and positive definite through the last.
class BlockFactors {
 public:
  BlockFactors(const ScaledProblem& problem, int threads);

  /// J (g d^2 + d^3 / 3) flops. Blocks whose condition shows that squaring has cost too much, those of a cone that is
  /// nearly flat, are factored again from the rows themselves by an orthogonal reduction.
  void factor(const Iterate& at, const ConeScaling& cones);

  /// Lower triangular L_j with H_j = L_j L_j'.
  Eigen::Ref<const Matrix> lower(Index block) const { return factors_.middleCols(block * dimension_, dimension_); }
  /// Column j of B becomes H_j^-1 times it.
  void solve(Matrix& B) const;
  /// Column j of Y becomes H_j times column j of `direction`; `rows` receives E X^ direction.
  void apply(const ConeScaling& cones, const Matrix& direction, Matrix& rows, Matrix& Y) const;
  /// lambda / s at the point that was factored, cone rows x J
  const Matrix& weights() const { return weights_; }

 private:
  void factor_rows(Index block, const ConeScaling& cones, Eigen::Ref<Matrix> L);

  const ScaledProblem& problem_;
  Index dimension_;
  Matrix factors_;           // d x (J d)
  Matrix weights_;           // cone rows x J
  mutable Matrix weighted_;  // cone rows x J: scratch

  struct Workspace {
    Matrix rows;  // sqrt(w) X^, with room for the root of the second-order-cone part and for damping
    Vector work;
    std::vector<Index> order;
  };
  std::vector<Workspace> workspaces_;  // one per thread
};

}  // namespace conelu::ipm
