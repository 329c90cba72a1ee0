#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "conelu/export.hpp"
#include "conelu/model.hpp"
#include "conelu/solver.hpp"
#include "conelu/train.hpp"

namespace CONELU_API conelu {

/// Training of the same networks by gradient descent: what convex training is compared with.
///
///     minimise  sum_k c_k phi(f(x_k + delta_k), y_k) + beta/2 sum_j (|hidden_j|^2 + hidden_bias_j^2 + output_j^2)
///
/// with delta = 0 (`gd-std`), one step along the gradient over the whole radius (`gd-fgsm`) or projected gradient steps
/// (`gd-pgd`), taken anew for every mini-batch. Losses, their scaling and the penalty are those of Program, so that
/// objectives compare.
///
/// What makes it hard to beat: steps are taken in the coordinates of centred and scaled features, whatever the features
/// are; every neuron starts with its kink at a sample; a rate that falls to 0; both layers of every neuron are brought
/// to the same size now and then, which lowers the penalty and changes nothing else.
///
/// Nothing here is a proof. Under a threat the objective is what an attack found.
struct BaselineSettings {
  std::string method = "gd-pgd";  ///< see baseline_names()
  std::string loss = "hinge";
  LossSettings loss_settings;
  double beta = 1e-4;
  Threat threat;     ///< one radius per input; gd-std does not look at it
  bool bias = true;  ///< of the hidden neurons; the output has none, as in the paper
  Index neurons = 240;
  std::string optimizer = "adam";   ///< adam, or sgd with momentum
  double learning_rate = 0;         ///< 0: one that suits. For targets of size 1; larger ones raise it
  std::string schedule = "cosine";  ///< how the rate falls over the epochs: constant, linear, cosine, step
  Index batch = 0;                  ///< rows a step; 0: a tenth of them, but 32 to 256
  int epochs = 0;                   ///< 0: as many as 30,000 steps take
  int attack_steps = 5;             ///< of gd-pgd while training; 2.5 / attack_steps radii long, at most 1
  int restarts = 1;                 ///< runs from different weights; the best network wins
  double flat = 0;  ///< stop a run once a tenth of its epochs lowers the objective by less than this share; 0: never
  std::uint64_t seed = 0;
  double time_limit = 1e9;  ///< seconds
  int threads = 0;          ///< 0: as many as OpenMP would use. Results do not depend on it

  /// One list for range checks and the command line; only numbers that describe the method.
  template <class Self, class Visitor>
  static void visit(Self& s, Visitor&& field) {
    field("neurons", s.neurons, Index{1}, Index{1000000});
    field("learning_rate", s.learning_rate, 0.0, 1e6);
    field("batch", s.batch, Index{0}, Index{1000000000});
    field("epochs", s.epochs, 0, 1000000000);
    field("attack_steps", s.attack_steps, 1, 10000);
    field("restarts", s.restarts, 1, 1000000);
    field("flat", s.flat, 0.0, 1.0);
    field("time_limit", s.time_limit, 0.0, 1e9);
    field("threads", s.threads, 0, 1024);
  }
};

/// News after every epoch, on the calling thread.
struct BaselineProgress {
  int restart = 1;  ///< of how many
  int restarts = 1;
  int epoch = 0;  ///< of how many
  int epochs = 0;
  double objective = 0;  ///< the best so far
  double seconds = 0;
  int network = 1;  ///< which one is being trained, and of how many: several classes take one each
  int networks = 1;
};
/// Return false to stop with the best network so far.
using BaselineCallback = std::function<bool(const BaselineProgress&)>;

struct BaselineResult {
  Network network;  ///< neurons in balance, without those that are 0
  /// Of the network at the worst points of the `pgd` attack, 40 steps of a thirtieth of the radius, or exactly if there
  /// is no threat. The smallest of all networks that were looked at, about a hundred a run.
  double objective = 0;
  /// Certified by output_bounds: no perturbation raises the objective above this. May be far above `objective`.
  double certified_objective = 0;
  Stop stop = Stop::iteration_limit;  ///< `converged` if it was flat
  int epochs = 0;                     ///< of all runs
  double seconds = 0;
  double seconds_to_one_percent = 0;  ///< until a network was within 1 % of the best; without those looks
  BaselineSettings settings;          ///< with all that was left to choose filled in
};

/// "gd-std", "gd-fgsm", "gd-pgd"
const std::vector<std::string>& baseline_names();
/// "adam", "sgd"
const std::vector<std::string>& optimizer_names();
/// "cosine", "linear", "step", "constant"
const std::vector<std::string>& schedule_names();

/// X without a bias column; empty weights mean ones. Margin losses need y of -1 and +1. Depends on the seed alone.
/// Throws std::invalid_argument naming the argument that does not fit.
BaselineResult train_baseline(const MatrixView& X, const VectorView& y, const VectorView& weights,
                              const BaselineSettings& settings, const BaselineCallback& progress = {});

struct BaselineModel {
  Model model;  ///< its record has nothing where a proof would be (NaN, null in the file), and no status
  std::vector<BaselineResult> results;  ///< of each of the model's networks

  /// Sums over the networks.
  double objective() const;
  double seconds_to_one_percent() const;
};

/// The same chain as train(): what is trained (loss, beta, eps, bias, standardize) is what `problem` says, with the
/// same meaning; how is what `settings` say. The rest of both is not looked at. More than two classes take a network
/// each.
BaselineModel train_baseline(const Dataset& data, const TrainSettings& problem, const BaselineSettings& settings,
                             const BaselineCallback& progress = {});

/// The run's record as one JSON object: that of train() without the fields of a program. `attacked_objective` is what
/// the attack found, `network_objective` what is certified of the network; then `seconds_to_one_percent` and how it was
/// trained. Numbers round-trip.
std::string to_json(const BaselineModel& trained);
/// The same as rows of a table.
TableRows table_rows(const BaselineModel& trained);
/// Writes the JSON atomically. Throws std::invalid_argument naming a path that cannot be written.
void save_record(const BaselineModel& trained, const std::string& path);

}  // namespace conelu
