#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "conelu/attack.hpp"
#include "conelu/export.hpp"
#include "conelu/model.hpp"
#include "conelu/verify.hpp"

namespace CONELU_API conelu {

/// What to find out about a model on some data.
struct EvaluationSettings {
  Threat threat;        ///< one radius per feature, in the network's units; without radii nobody perturbs anything
  Vector lower, upper;  ///< values that a feature can take, in the network's units, as in AttackSettings; empty: any
  int restarts = 5;     ///< of the strong attack
  std::uint64_t seed = 0;
  double time_limit = 10;  ///< seconds for each of three questions about a row: its verdict, its worst loss, its radius
  /// Parts of the ball to look at for each of these questions. Unlike a limit of time it leads to the same on every
  /// machine, if there is time enough.
  long branch_limit = std::numeric_limits<long>::max();
  bool objective = true;  ///< the worst loss of every row costs about as much again as the verdicts
  bool radius = true;
  /// The same for the radius of a row alone, of which the smaller one holds. The proof that comes close to the true
  /// radius can take a thousand times more of them than that for half of it.
  long radius_branches = 300;
  double radius_unit = 1;  ///< what the threat as it is counts for in `mean_radius`: its radius, if it has one
  int threads = 0;         ///< 0: OpenMP's choice. The results do not depend on it unless a time limit cuts in
};

/// One line of a table of networks: a model, a data set, an attacker. Means are by weight; a row of weight 0 is not
/// there. In classification the numbers are shares of the rows that are classified right,
///
///     certified_bound <= verified_lower <= verified_upper <= strong <= pgd <= clean   and   strong <= fgsm <= clean,
///
/// in regression mean squared errors, and the order is the opposite one, with verified_lower <= verified_upper still.
/// The best that can be said with certainty is between the two verified ones; they are equal if nothing is `unknown`.
/// Empty fields were not asked for, make no sense for the model, or were not finished when a callback said stop.
struct Evaluation {
  Task task = Task::classification;
  Index n = 0;                   ///< rows of a weight above 0
  std::optional<double> clean;   ///< nobody perturbs anything
  std::optional<double> fgsm;    ///< right at x and at the attack's point
  std::optional<double> pgd;     ///< right at x and at every iterate; of several classes: at the worst one for each
  std::optional<double> strong;  ///< right at x and wherever the three attacks went
  /// Proven robust, exactly or by the closed form. Regression: no less than this, by perturbations that are known.
  std::optional<double> verified_lower;
  /// Not known to break, neither by an attack nor by `verify`. Regression: proven never to be exceeded.
  std::optional<double> verified_upper;
  /// What the closed form of output_bounds proves for the price of a few forward passes. It knows no limits of
  /// features.
  std::optional<double> certified_bound;
  /// Mean of the radii up to which rows are proven robust, RadiusBounds::lower times `radius_unit`: 0 for rows that are
  /// wrong as they are, at most 1000 times the threat. It is never above the mean of the true radii, and within a
  /// thousandth of it if the next two numbers are 0. Classification under a threat only.
  std::optional<double> mean_radius;
  std::optional<Index>
      radius_open;  ///< radii that are not known to a thousandth, most because that took too many branches
  std::optional<Index> radius_capped;  ///< radii of 1000 times the threat or more; they count as 1000 times
  /// The training objective on these rows at the worst perturbations, penalty included, with the loss and beta of the
  /// model's record: proven never to be exceeded. With more than two classes the sum over the networks, each with its
  /// own attacker, as in training. Empty if the record names no loss that is registered.
  std::optional<double> objective;
  std::optional<double> objective_lower;  ///< the same at the worst perturbations known
  /// Rows neither proven nor broken. Regression: rows whose largest error is not known to a millionth.
  std::optional<Index> unknown;
  double eps = 0;  ///< as in RunRecord
  std::optional<std::vector<double>> eps_per_feature;
  std::string norm;
  std::uint64_t seed = 0;
  bool finished = true;  ///< false: a callback stopped it; all that is there holds nevertheless
  double seconds = 0;

  /// One list for JSON and the table. In regression the first seven have `mse_` before their names.
  template <class Self, class Visitor>
  static void visit(Self& e, Visitor&& field) {
    const std::string prefix = e.task == Task::regression ? "mse_" : "";
    field("n", e.n);
    field(prefix + "clean", e.clean);
    field(prefix + "fgsm", e.fgsm);
    field(prefix + "pgd", e.pgd);
    field(prefix + "strong", e.strong);
    field(prefix + "verified_lower", e.verified_lower);
    field(prefix + "verified_upper", e.verified_upper);
    field(prefix + "certified_bound", e.certified_bound);
    field("mean_radius", e.mean_radius);
    field("radius_open", e.radius_open);
    field("radius_capped", e.radius_capped);
    field("objective", e.objective);
    field("objective_lower", e.objective_lower);
    field("unknown", e.unknown);
    field("eps", e.eps);
    field("eps_per_feature", e.eps_per_feature);
    field("norm", e.norm);
    field("seed", e.seed);
    field("finished", e.finished);
    field("seconds", e.seconds);
  }
};

/// Where an evaluation is.
struct EvaluationProgress {
  std::string step;  ///< fgsm, pgd, strong, verify, objective, radius
  Index finished = 0;
  Index all = 0;  ///< rows of this step; those of several classes count once for each rival
};
/// Called on the calling thread a few times a second; return false to stop.
using EvaluationCallback = std::function<bool(const EvaluationProgress&)>;

/// Attacks every row, then proves what can be proven about it.
///
/// A row is right if the prediction is: of two classes an output of at least 0 means the second, of several the largest
/// output wins, the first of equal ones. With several classes an attack is run against each rival of the row's class
/// and aims at the difference of the two outputs; a row is broken if one of the runs gets there.
///
/// The order above holds by construction: what an attack breaks counts as broken whatever else is known, what is proven
/// by either method is proven. Should an attack ever break a row that was proven robust, that is a bug in this library,
/// and std::logic_error says so.
///
/// Throws std::invalid_argument naming the argument that does not fit.
Evaluation evaluate(const Model& model, const Dataset& data, const EvaluationSettings& settings = {},
                    const EvaluationCallback& progress = {});

/// One JSON object; every number round-trips exactly, empty fields are null (eps_per_feature is left out).
std::string to_json(const Evaluation& evaluation);

/// Writes that JSON atomically. Throws std::invalid_argument naming a path that cannot be written.
void save_evaluation(const Evaluation& evaluation, const std::string& path);

/// One row for each field, numbers rounded, `-` for those that are empty.
TableRows table_rows(const Evaluation& evaluation);

}  // namespace conelu
