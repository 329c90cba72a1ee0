#pragma once

#include <vector>

#include "conelu/liveness.hpp"
#include "conelu/loss.hpp"
#include "conelu/pattern_set.hpp"

namespace conelu {

/// The sampled convex program of Alg 1 (eq. prac_clean), method `cones`:
///
///     minimise   sum_k c_k phi(f_k, y_k) + beta sum_j |u_j|_2,     f = sum_j sigma_j D_j X u_j
///     subject to e_jk x_k'u_j >= 0   for all blocks j and samples k,   e = 2 d - 1.
///
/// Every live pattern i gives two blocks, v_i (column 2i, sigma = +1) and w_i (column 2i + 1, sigma = -1). Patterns
/// whose cone has no interior carry nothing that another pattern's closure does not, or nothing at all; they get no
/// block and are counted. Samples of weight 0 are left out entirely.
class Program {
 public:
  /// X is used as given: append the bias column beforehand. Empty weights mean ones.
  /// Throws std::invalid_argument naming the argument that does not fit.
  Program(const MatrixView& X, const VectorView& y, const VectorView& weights, LossPointer loss, double beta,
          const PatternSet& patterns);

  Index samples() const { return X_.rows(); }
  Index dimension() const { return X_.cols(); }
  Index patterns() const { return patterns_; }  ///< live ones, each with two blocks
  Index blocks() const { return 2 * patterns_; }
  Index given_patterns() const { return given_patterns_; }  ///< before dropping the dead ones
  Index thin_patterns() const { return thin_patterns_; }    ///< of the dropped ones, those with no interior but not {0}
  /// Of the dropped ones, those whose interior is too narrow to be told from rounding errors.
  Index narrow_patterns() const { return narrow_patterns_; }

  const Matrix& X() const { return X_; }
  const Vector& y() const { return y_; }
  /// Weight of each sample's loss in the objective: c_k, or c_k / sum(c) for averaged losses.
  const Vector& loss_weights() const { return loss_weights_; }
  const Loss& loss() const { return *loss_; }
  double beta() const { return beta_; }

  /// n x P, entries 0 and 1: column i is the pattern of blocks 2i and 2i + 1.
  const Matrix& activations() const { return activations_; }
  /// d x P: unit directions strictly inside the cone of each pattern.
  const Matrix& witnesses() const { return witnesses_; }
  /// Euclidean length of each row of X; rows of length 0 constrain nothing.
  const Vector& row_norms() const { return row_norms_; }
  /// True if the patterns are all that X has: then the optimum is that of training a network of any width.
  bool exact() const { return exact_; }

  /// f for blocks as columns of U (d x blocks()).
  Vector outputs(const MatrixView& U) const;
  /// sum_k c_k phi(f_k, y_k)
  double loss_value(const VectorView& f) const;
  /// Loss plus beta sum |u_j|, whether or not U satisfies the cones.
  double objective(const MatrixView& U) const;

 private:
  Matrix X_;
  Vector y_;
  Vector loss_weights_;
  LossPointer loss_;
  double beta_;
  Index patterns_ = 0;
  Index given_patterns_ = 0;
  Index thin_patterns_ = 0;
  Index narrow_patterns_ = 0;
  Matrix activations_;
  Matrix witnesses_;
  Vector row_norms_;
  bool exact_ = false;
};

}  // namespace conelu
