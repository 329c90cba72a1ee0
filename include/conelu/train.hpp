#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conelu/export.hpp"
#include "conelu/interior_point.hpp"
#include "conelu/model.hpp"
#include "conelu/patterns.hpp"

namespace CONELU_API conelu {

/// What the radii in `TrainSettings::eps` are measured in.
enum class EpsUnits {
  network,  ///< what the network sees: the standardised features, if they are
  raw,      ///< the units of the data; standardising divides the radii along with the features
};

/// Of beta_max: of all shares the one with the least regret over fourteen data sets, by validation rows; see item 13 of
/// docs/results.md.
inline constexpr double kUsualBetaShare = 0.03;

/// Everything that decides what is trained. Empty strings mean "choose well and say what was chosen".
struct TrainSettings {
  std::string loss = "hinge";
  LossSettings loss_settings;
  std::optional<double> beta;  ///< weight of the penalty; empty: `beta_share` of beta_max
  double beta_share = kUsualBetaShare;
  std::vector<double> eps;  ///< radii of the attack: empty: none; one number: for every feature that is not part of an
                            ///< encoded column; or one per feature
  EpsUnits eps_units = EpsUnits::network;
  Norm norm = Norm::infinity;      ///< of the attack
  std::string method;              ///< `cones`, `reduced`, `gated`, `hybrid`, `separate` or `auto` (choose_gated_method
                                   ///< against an attacker, else cones); empty: `cones` if `patterns` is given, else
                                   ///< choose_method
  std::string patterns;            ///< source name, `priced` or .npy file; empty: choose_pattern_source
  PatternRequest request;          ///< train() fills in its threat and labels
  std::optional<bool> all_active;  ///< empty: what `request` says; if the patterns are left to choose, yes with a bias
  bool bias = true;                ///< a column of ones out of the attacker's reach; one among the features is in it
  bool standardize = false;
  bool min_max = false;       ///< instead: every feature to [0, 1]
  bool scale_target = false;  ///< regression: train on (y - mean) / deviation; the network's outputs are in y's units
  double prune = 0;           ///< blocks shorter than this share of the longest are dropped, if the gap allows
  bool reduce = false;        ///< to at most n + 1 neurons
  /// Programs to solve at most, each with a choice made at the solution of the one before: `priced` patterns are added
  /// by their prices (empty: 30, fewer where that is more work than a tuned descent), methods with gates choose these
  /// (empty: 4), `cones` and `reduced` exchange, under an attack, patterns that were not used (empty: 2). 1 if other
  /// `patterns` are given, which ask for exactly their program, or a trail, which is for one choice of patterns.
  std::optional<int> rounds;
  /// Methods with gates: of all rounds the one that is best on these data is kept, by certified accuracy (regressions
  /// and equal accuracies: by certified mean loss). A start that was not solved for is kept only if it is more accurate
  /// than every round. Rows like those that are trained on, with the same classes.
  std::shared_ptr<const Dataset> validation;
  /// Without an attack: seconds for the proof that no network of any width is much better. Empty: where that takes
  /// seconds, and not at all where it would take more.
  std::optional<double> global_bound;
  InteriorPointSettings solver;
};

/// What TrainSettings::method may say.
const std::vector<std::string>& training_methods();

struct TrainResult {
  Model model;
  std::vector<Solution> solutions;  ///< of each of the model's networks
  std::vector<std::string> notes;   ///< choices made and things worth knowing, one sentence each

  /// Of the only network. Throws std::invalid_argument if there are several, one for each class.
  const Solution& solution() const;
};

/// The smallest beta at which the zero network is optimal without an attack, as far as ascent finds it: the unit of
/// `beta_share`. Of several classes the largest of each against the rest.
double beta_max(const Dataset& data, const TrainSettings& settings);

/// `beta`, or `beta_share` of the largest useful one. Where that is 0, the zero network is the best for any beta.
double settled_beta(const TrainSettings& settings, double largest);

/// What `standardize` and `min_max` mean for these data.
Preprocessing preprocessing_for(const Dataset& data, const TrainSettings& settings);

/// The attack that the settings describe, as a program over these features sees it: in the network's units, radius 0
/// for the bias column. Without a positive radius nobody perturbs anything and `radii` is empty.
/// Throws std::invalid_argument if `eps` has a negative or infinite entry, or does not fit the number of features.
Threat make_threat(const TrainSettings& settings, Index features, const Preprocessing& preprocessing = {});

/// What an empty `patterns` means. Without a threat: `all` if the rows of X (with their bias column) have at most 2000
/// patterns, which makes the result the best network of any width, else `priced`: found by column generation, not
/// drawn. With one: `gaps`, since nearly all patterns of random directions are dead under it.
std::string choose_pattern_source(const MatrixView& X, const Threat& threat = {});

/// What an empty `method` means where the patterns are left to choose, too: `reduced`, which is never worse, while a
/// step of its Newton system of 2 P (d + 1) unknowns costs no more than a moment, else `cones`, which needs P d.
Method choose_method(Index samples, Index dimension, Index patterns);

/// What `auto` means against an attacker: `hybrid`, whose bound is tighter, while a dense factor of its Newton system
/// is worth its while, else `separate`.
Method choose_gated_method(Index dimension, Index patterns);

/// What a source is asked for: the settings' request with threat, labels and the choice of the all-active pattern.
PatternRequest pattern_request(const TrainSettings& settings, const Threat& threat, const VectorView& labels);

/// The whole chain: Dataset -> PatternSet -> Program(Threat, Method) -> Solver -> Solution + Certificate -> Network.
///
/// Data with `classes` are classified whatever the loss is (residual losses then fit -1 and +1); so are data for a
/// margin loss, whose y must be -1 or +1. Rows of weight 0 are left out; a pattern file has columns for them, too.
/// Equal samples are trained on as one (distinct_samples), unless patterns come from a file: a solution is one of that
/// program. Throws std::invalid_argument naming what does not fit.
///
/// More than two classes are K programs, one against the rest each: the k-th network is exactly what train() gives with
/// the same settings, seed included, if class k is relabelled +1 and all others -1. Nothing depends on the names or the
/// order of the classes. The time limit is for all together, shared out evenly among the classes still to come; after a
/// cancellation those get their starting point.
TrainResult train(const Dataset& data, const TrainSettings& settings = {}, const ProgressCallback& progress = {});

/// The same, from the trail of an earlier run if that helps, and leaving its own: for runs one after another that
/// differ in beta or by a factor that makes all radii smaller. The proof does not depend on where a run started, its
/// last digits do. A trail is for one choice of patterns: they are not exchanged, and where another radius makes the
/// source choose others, the run starts from scratch. So do more than two classes.
TrainResult train(const Dataset& data, const TrainSettings& settings, Trail& trail,
                  const ProgressCallback& progress = {});

/// A result for every radius and every beta: `eps[i]`, as in TrainSettings, and `betas[k]` give result
/// i * betas.size() + k. Empty `eps`: that of the settings alone.
///
/// All of them use the same method and patterns, which are not exchanged: those for the largest radius of each feature,
/// which are live under smaller ones, too. `priced` patterns are an exception: every beta has its own, found from those
/// of the beta before in 5 rounds unless `rounds` says otherwise. So results compare: objectives rise with the radius
/// and with beta. For each radius, the largest first, the values of beta are solved from the largest to the smallest,
/// each from where the last one was if that is near (see Trail); with one beta alone it is the radii that lead from one
/// to the next. Methods with gates choose these anew at every point, so theirs need not rise. The record of a result
/// tells its own time; patterns count for the first. More than two classes are trained point by point.
///
/// Once `progress` has returned false the results not yet reached stay empty: models without networks. Throws
/// std::invalid_argument as train() does.
std::vector<TrainResult> train_path(const Dataset& data, const TrainSettings& settings,
                                    const std::vector<double>& betas, const std::vector<std::vector<double>>& eps = {},
                                    const ProgressCallback& progress = {});

}  // namespace conelu
