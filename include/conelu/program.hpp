#pragma once

#include <vector>

#include "conelu/export.hpp"
#include "conelu/liveness.hpp"
#include "conelu/loss.hpp"
#include "conelu/pattern_set.hpp"
#include "conelu/threat.hpp"

namespace CONELU_API conelu {

/// Which convex program stands for training; see "Programs" in docs/method.md.
enum class Method {
  cones,    ///< the paper's: every neuron keeps its activation on every sample, whatever the attacker does
  reduced,  ///< only what the bound on the worst case needs: never above `cones` with the same patterns
  gated,    ///< no constraints: every block has gates of its own, closed on the samples that it pushes against
  hybrid,   ///< no constraints: gates of their own for every block and sample, open or closed
  separate,  ///< as `gated`, with an attack on every neuron of its own: looser, and blocks meet in the losses alone
};

/// True for programs whose blocks have gates of their own instead of constraints.
constexpr bool has_gates(Method method) { return method != Method::cones && method != Method::reduced; }

const char* to_string(Method method);
const std::vector<std::string>& method_names();
/// Throws std::invalid_argument listing the known names.
Method make_method(const std::string& name);

/// How block j enters the bound on the worst case at sample k, apart from the term d_jk sigma_j u_j in s_k.
enum class Pair {
  none,   ///< not at all
  kept,   ///< constraint e_jk x_k'u_j >= |eps o u_j|_q
  freed,  ///< a share (|eps o u_j|_q - e_jk x_k'u_j)_+ that the attacker may gain
};

/// The sampled convex program (eq. prac_clean; with a threat, eq. hinge_adv_s and its kin for other norms and losses):
///
///     minimise   sum_k c_k worst_k + beta sum_j |u_j|_2
///     worst_k =  max of phi(f, y_k) over  f_k - rho_k - (freed w) <= f <= f_k + rho_k + (freed v)
///     f_k = x_k's_k,   s_k = sum_j sigma_j d_jk u_j,   rho_k = |eps o s_k|_q
///     subject to e_jk x_k'u_j >= |eps o u_j|_q   for the kept pairs,   e = 2 d - 1.
///
/// Without a threat rho is 0 and, for `cones`, worst_k = phi(f_k, y_k): standard training. `cones` keeps all pairs.
/// `reduced` keeps the active ones that push against the bound (margin losses: sigma_j = -y_k; residual losses: all),
/// frees the inactive ones that do and asks nothing of the others. The other methods free all pairs that push against
/// the bound: nothing is constrained, no pattern is dead, and every block has gates of its own. With a pattern's gates
/// for both of its blocks, the optimum of `hybrid` is never above that of `reduced`: where a row is kept its share is 0.
///
/// `separate` allows the attacker another perturbation for every neuron. There is no s and no rho; an open gate bounds
/// its neuron from below by x_k'u_j - |eps o u_j|_q, a freed pair from above by (x_k'u_j + |eps o u_j|_q)_+:
///
///     sum_v d_vk (x_k'v - |eps o v|_q) - sum_w (x_k'w + |eps o w|_q)_+  <=  f,   and v, w exchanged from above.
///
/// Every live pattern i gives two blocks, v_i (column 2i, sigma = +1) and w_i (column 2i + 1, sigma = -1). Patterns
/// whose cone has no interior carry nothing that another pattern's closure does not, or nothing at all; they get no
/// block and are counted. (`reduced`: the cone of all active rows, so that one direction serves both blocks.) Samples
/// of weight 0 are left out entirely. Samples that all patterns see alike have the same s_k: they form a cell.
class Program {
 public:
  /// X is used as given: append the bias column beforehand, and give it a radius. Empty weights mean ones.
  /// Throws std::invalid_argument naming the argument that does not fit.
  Program(const MatrixView& X, const VectorView& y, const VectorView& weights, LossPointer loss, double beta,
          const PatternSet& patterns, Threat threat = {}, Method method = Method::cones);

  /// `gated`, `hybrid` and `separate`: gates(k, j) is d_jk, 0 or 1, of block j alone; sigma_j = +1 for even j and -1
  /// for odd j. `gated` and `separate` close those of the pairs that push against the bound (margin losses).
  Program(const MatrixView& X, const VectorView& y, const VectorView& weights, LossPointer loss, double beta,
          const MatrixView& gates, Threat threat, Method method);

  /// The program of some of the live patterns alone, in this order. Constrained programs only.
  Program select_patterns(const std::vector<Index>& patterns) const;

  Index samples() const { return X_.rows(); }
  Index dimension() const { return X_.cols(); }
  Index patterns() const { return patterns_; }  ///< live ones, each with two blocks; without constraints, one per block
  Index blocks() const { return blocks_per_pattern_ * patterns_; }
  Index pattern_of(Index block) const { return block / blocks_per_pattern_; }
  bool unconstrained() const { return blocks_per_pattern_ == 1; }  ///< no pair is kept
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
  const Threat& threat() const { return threat_; }
  Method method() const { return method_; }
  /// True if some feature can be perturbed.
  bool robust() const { return robust_; }
  Pair pair(Index sample, Index block) const;
  /// True if the program knows no s: every block bounds its neuron by itself.
  bool separate() const { return method_ == Method::separate; }
  /// e of a pair: with which sign its row enters
  double row_sign(Index sample, Index block) const {
    return !separate() && activations_(sample, pattern_of(block)) > 0 ? 1.0 : -1.0;
  }

  /// n x P, entries 0 and 1: column i is the pattern of its blocks.
  const Matrix& activations() const { return activations_; }
  Index cells() const { return cell_activations_.rows(); }
  const std::vector<Index>& cell_of() const { return cell_of_; }  ///< n
  /// cells x P: the rows of activations() without repetition.
  const Matrix& cell_activations() const { return cell_activations_; }
  /// d x P: unit directions strictly inside the cone of each pattern.
  const Matrix& witnesses() const { return witnesses_; }
  /// Euclidean length of each row of X; without a threat rows of length 0 constrain nothing.
  const Vector& row_norms() const { return row_norms_; }
  /// True if the patterns are all that X has: then the optimum is that of training a network of any width.
  bool exact() const { return exact_; }

  /// f for blocks as columns of U (d x blocks()).
  Vector outputs(const MatrixView& U) const;
  /// d x cells: s of every cell.
  Matrix cell_weights(const MatrixView& U) const;
  /// sum_k c_k phi(f_k, y_k)
  double loss_value(const VectorView& f) const;
  /// The worst outputs that the program allows for, one column each for the lowest and the highest.
  Matrix output_range(const MatrixView& U) const;
  /// Worst-case loss plus beta sum |u_j|, whether or not U satisfies the cones.
  double objective(const MatrixView& U) const;

 private:
  /// Everything but the patterns.
  Program(const MatrixView& X, const VectorView& y, const VectorView& weights, LossPointer loss, double beta,
          Threat threat, Method method);
  /// sum of sigma_j u_j over the blocks of each pattern
  Matrix block_sums(const MatrixView& U) const;
  Matrix separate_range(const MatrixView& U) const;
  void set_gates(const MatrixView& gates);
  bool carries_weight(const Eigen::Ref<const Vector>& activation) const;
  Matrix guess_witnesses(const PatternSet& kept) const;
  Vector find_witness(const Eigen::Ref<const Vector>& activation, const Vector& suggestion, const Vector& guess);
  void find_cells();

  Matrix X_;
  Vector y_;
  Vector loss_weights_;
  LossPointer loss_;
  double beta_;
  Threat threat_;
  Method method_;
  bool robust_ = false;
  Index patterns_ = 0;
  Index blocks_per_pattern_ = 2;
  Index given_patterns_ = 0;
  Index thin_patterns_ = 0;
  Index narrow_patterns_ = 0;
  Matrix activations_;
  Matrix cell_activations_;
  std::vector<Index> cell_of_;
  Matrix witnesses_;
  Vector row_norms_;
  bool exact_ = false;
};

}  // namespace conelu
