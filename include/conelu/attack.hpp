#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conelu/dataset.hpp"
#include "conelu/export.hpp"
#include "conelu/network.hpp"
#include "conelu/preprocessing.hpp"

namespace CONELU_API conelu {

/// How to look for a bad perturbation of every row. An attack shows what can go wrong, never that nothing can: for that
/// see verify.hpp.
///
/// It aims at the raw margin y f(x), which falls where a hinge loss is flat already, or in regression at |f(x) - y|.
struct AttackSettings {
  Threat threat;  ///< one radius per input
  Task task = Task::classification;
  int steps = 40;               ///< of `pgd`, and of every restart of `strong`
  double step_size = 1.0 / 30;  ///< of `pgd`, in units of the radii
  int restarts = 5;             ///< of `strong`, from random points of the ball
  std::uint64_t seed = 0;
  Vector lower,
      upper;  ///< values that a feature can take; empty: any. Rows outside stay where they are in that feature
};

struct AttackResult {
  Matrix points;    ///< n x d, inside the ball: the worst that was found for each row, the row itself included
  Vector outputs;   ///< of the network there
  Vector severity;  ///< -y f, or |f - y|: never below that of the row itself
  Vector clean;     ///< outputs at the rows themselves, by the same arithmetic: compare accuracies with theirs
};

/// A row counts as broken if its worst point is misclassified, where an output of at least 0 means +1, as in Model.
inline bool is_broken(double output, double y) { return (output >= 0) != (y > 0); }

/// "fgsm", "pgd", "strong"
const std::vector<std::string>& attack_names();

/// - `fgsm`: one step over the whole radius along the gradient at x.
/// - `pgd`: the paper's: `steps` steps of `step_size` from x, each projected back into the ball; the worst iterate
/// counts.
/// - `strong`: those two; restarts from random points with a decaying step that goes back to the best point so far;
/// then
///   moves of single features from there and from random extreme points of the ball, which need no gradient and find
///   the kinks of the network exactly. Never milder than `pgd` to a network, at ten to twenty times its cost.
///
/// A step goes along the steepest way up in the threat's norm: all features by their signs, along the gradient, or the
/// one feature that changes most. It costs two matrix products with the hidden layer for all rows at once, and little
/// else. Rows do not influence each other, and the result depends on the seed alone. Every point is inside the ball as
/// Threat::size computes it.
///
/// Throws std::invalid_argument naming the argument that does not fit.
AttackResult attack(const std::string& name, const Network& network, const MatrixView& X, const VectorView& y,
                    const AttackSettings& settings);

/// The same for one network a class, of which the largest output wins: each row is attacked once for every rival of its
/// class, aiming at the difference of the two outputs, and the worst counts. `labels` are numbers of classes from 0;
/// `outputs` and `clean` are margins, f_label - max of the others. A margin below 0 is broken, and so is one of 0 where
/// the rival comes first.
AttackResult attack(const std::string& name, const std::vector<Network>& networks, const MatrixView& X,
                    const std::vector<Index>& labels, const AttackSettings& settings);

/// An attack on preprocessed rows in the units of the data: rows that the preprocessing takes to `points`, as nearly as
/// numbers allow and no further from `raw` than those. Entries that were not moved stay bit for bit.
Matrix raw_points(const Preprocessing& preprocessing, const MatrixView& raw, const MatrixView& points);

}  // namespace conelu
