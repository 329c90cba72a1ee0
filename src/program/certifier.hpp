#pragma once

#include "conelu/certificate.hpp"

namespace conelu {

/// The certificate's arithmetic with its workspace: made once, it judges every iterate of a solve without allocating.
///
/// It reads the program and nothing of any solver's state, and allows for its own rounding: in cone rows and dual
/// constraints every inner product of length m is trusted up to (m + 8) epsilon times the sum of absolute terms, where
/// epsilon is twice the unit roundoff, which also covers the blocked summation of BLAS; outputs of the network, of
/// which a worst-case bound would say little, up to 8 epsilon.
class Certifier {
 public:
  explicit Certifier(const Program& program);

  double repair(Eigen::Ref<Matrix> U);
  double lower_bound(const DualPoint& dual);
  Certificate certify(Eigen::Ref<Matrix> U, const DualPoint& dual);

 private:
  double repair_block(Index block, Eigen::Ref<Vector> u);
  double objective_of_repaired(const MatrixView& U) const;
  double dual_objective(double t) const;

  const Program& program_;
  Matrix preactivations_;                   // n x J: X U after repair
  Matrix combination_;                      // n x J: coefficients of the rows of X in each dual constraint
  Matrix gradient_;                         // d x J
  Vector block_numbers_;                    // J: violation or dual norm of each block
  Matrix witness_slack_;                    // n x P: e_k x_k'a over the witnesses a
  Vector nu_;                               // n: projected, divided by the loss weights
  mutable Vector outputs_, output_errors_;  // n
};

}  // namespace conelu
