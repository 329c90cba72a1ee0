#pragma once

#include "conelu/certificate.hpp"

namespace conelu {

/// The certificate's arithmetic with its workspace: made once, it judges every iterate of a solve without allocating.
///
/// It reads the program and nothing of any solver's state, and allows for its own rounding: in cone rows and dual
/// constraints every inner product of length m is trusted up to (m + 8) epsilon times the sum of absolute terms, where
/// epsilon is twice the unit roundoff, which also covers the blocked summation of BLAS; outputs of the network and the
/// sums s, of which a worst-case bound would say little, up to 8 epsilon.
class Certifier {
 public:
  explicit Certifier(const Program& program);

  double repair(Eigen::Ref<Matrix> U);
  double lower_bound(const DualPoint& dual);
  double network_bound(const VectorView& nu, double largest_price);
  Certificate certify(Eigen::Ref<Matrix> U, const DualPoint& dual);

 private:
  double repair_block(Index block, Eigen::Ref<Vector> u);
  double objective_of_repaired(const MatrixView& U);
  void add_attacks_on_cells(const MatrixView& U);
  void set_separate_range(const MatrixView& U);
  void add_freed_pairs(const MatrixView& U);

  double clip_weights(const DualPoint& dual);
  void combine_rows(const DualPoint& dual);
  void attack_cells(const DualPoint& dual);
  double constraint_norm(const DualPoint& dual, Index block);
  double dual_objective(double t) const;
  double best_multiple(double t_max) const;

  const Program& program_;
  std::vector<Pair> pairs_;  // n x J, column-major
  std::vector<Index> cell_sizes_;
  Matrix witness_slack_;  // n x P: e_k x_k'a - |eps o a|_q over the witnesses a

  Matrix preactivations_;          // n x J: X U after repair
  Vector block_attacks_;           // J: |eps o u_j|_q, rounded up
  Matrix differences_;             // d x P: v - w
  Matrix cell_weights_;            // d x cells
  Matrix range_;                   // n x 2: outputs at their lowest and highest
  Vector output_errors_;           // n
  Vector cell_changes_;            // cells: |eps o s_c|_q, rounded up
  Vector block_numbers_;           // J: violation or dual norm of each block
  Vector nu_, mu_;                 // n: clipped, divided by the loss weights
  Vector half_up_, half_down_;     // n: what freed multipliers of v and of w may not exceed
  Matrix combination_;             // n x J: coefficients of the rows of X in each dual constraint
  Matrix gradient_;                // d x J
  Vector multiplier_sums_;         // J: sum_k lambda_jk
  Vector cell_mu_;                 // cells: sum of mu
  Matrix cell_attacks_;            // d x cells, clipped
  Vector cell_attack_lengths_;     // cells
  Vector block_attack_;            // d, clipped
  Matrix pattern_attacks_;         // d x P: sum_c d_ic a_c
  Vector pattern_attack_lengths_;  // P: sum_c d_ic |a_c|
};

}  // namespace conelu
