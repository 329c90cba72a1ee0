#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conelu/export.hpp"
#include "conelu/phases.hpp"

namespace CONELU_API conelu {

/// What a run was and what it proved; the fields of the record file and of a model's `training`.
///
/// With more than two classes it is the record of all networks together, one for each class against the rest: see
/// sum_of_classes.
struct RunRecord {
  double objective = 0;
  double network_objective = 0;
  double lower_bound = 0;
  double relative_gap = 0;
  double violation = 0;
  std::string status;
  std::string stop;
  std::string scope;
  std::string method;
  std::string loss;
  std::optional<double> huber_delta;  ///< of the huber loss
  double beta = 0;
  std::optional<double> beta_max;  ///< without an attack the zero network is optimal from here on
  double eps = 0;                  ///< radius of the attack in the network's units; of several, the largest
  std::optional<std::vector<double>> eps_per_feature;  ///< if they differ
  std::string norm;
  std::string pattern_source;
  std::uint64_t seed = 0;
  std::int64_t n = 0;
  std::int64_t d = 0;
  std::int64_t patterns = 0;
  std::int64_t live_patterns = 0;
  std::int64_t thin_patterns = 0;
  std::int64_t neurons = 0;
  std::optional<std::int64_t> networks;  ///< if there are several
  std::int64_t iterations = 0;
  std::int64_t rounds = 1;
  /// Of a search for prices, round by round: the best objective so far, the bound of the round's program, an estimate
  /// of the bound for every network (valid if no price is larger than those found), and the largest price found over
  /// beta.
  std::optional<std::vector<double>> round_objectives, round_bounds, round_estimates, round_prices;
  std::optional<double> largest_price;  ///< found, over beta, at the dual point that says most about all networks
  std::optional<double> price_bound;    ///< proven, over beta, at the dual point of the bound
  std::optional<std::int64_t> nodes;    ///< of branch and bound
  std::optional<double> bound_seconds;  ///< that took
  std::optional<double> program_bound;  ///< lower bound of the program, where `lower_bound` is for every network
  double tolerance = 0;
  double seconds = 0;
  double cpu_seconds = 0;
  Phases phases;  ///< where they went
  double peak_mb = 0;
  std::int64_t threads = 0;
  std::string version;
  std::string solver;
  std::optional<double> train_accuracy;  ///< classification: share of the samples, by weight
  std::optional<double> test_accuracy;
  std::optional<double> train_mse;  ///< regression: mean squared error, by weight
  std::optional<double> test_mse;

  /// One list for JSON, the table and the tests. Optional fields that are empty are left out of both.
  template <class Self, class Visitor>
  static void visit(Self& r, Visitor&& field) {
    field("objective", r.objective);
    field("network_objective", r.network_objective);
    field("lower_bound", r.lower_bound);
    field("relative_gap", r.relative_gap);
    field("violation", r.violation);
    field("status", r.status);
    field("stop", r.stop);
    field("scope", r.scope);
    field("method", r.method);
    field("loss", r.loss);
    field("huber_delta", r.huber_delta);
    field("beta", r.beta);
    field("beta_max", r.beta_max);
    field("eps", r.eps);
    field("eps_per_feature", r.eps_per_feature);
    field("norm", r.norm);
    field("pattern_source", r.pattern_source);
    field("seed", r.seed);
    field("n", r.n);
    field("d", r.d);
    field("patterns", r.patterns);
    field("live_patterns", r.live_patterns);
    field("thin_patterns", r.thin_patterns);
    field("neurons", r.neurons);
    field("networks", r.networks);
    field("iterations", r.iterations);
    field("rounds", r.rounds);
    field("round_objectives", r.round_objectives);
    field("round_bounds", r.round_bounds);
    field("round_estimates", r.round_estimates);
    field("round_prices", r.round_prices);
    field("largest_price", r.largest_price);
    field("price_bound", r.price_bound);
    field("nodes", r.nodes);
    field("bound_seconds", r.bound_seconds);
    field("program_bound", r.program_bound);
    field("tolerance", r.tolerance);
    field("seconds", r.seconds);
    field("cpu_seconds", r.cpu_seconds);
    field("phases", r.phases);
    field("peak_mb", r.peak_mb);
    field("threads", r.threads);
    field("version", r.version);
    field("solver", r.solver);
    field("train_accuracy", r.train_accuracy);
    field("test_accuracy", r.test_accuracy);
    field("train_mse", r.train_mse);
    field("test_mse", r.test_mse);
  }
};

/// The record of one-vs-rest training from the records of its classes.
///
/// Objectives, bounds, counts and times are sums: no choice of networks, one for each class, has a smaller sum of
/// objectives than the sum of the lower bounds (rounded down, as objectives are up). The gap is that of the sums, the
/// violation the largest; the status is `optimal`, and the scope `network`, only if those of every class are; the
/// reason to stop is the gravest. Accuracies do not add up and are left empty. Throws std::invalid_argument if there
/// are no records.
RunRecord sum_of_classes(const std::vector<RunRecord>& records);

/// The record as one JSON object; every number round-trips exactly.
std::string to_json(const RunRecord& record);

/// Writes the JSON atomically. Throws std::invalid_argument naming a path that cannot be written.
void save_record(const RunRecord& record, const std::string& path);

/// Name and value, in words for a reader: numbers are rounded.
using TableRows = std::vector<std::pair<std::string, std::string>>;

/// One row for each field of the record.
TableRows table_rows(const RunRecord& record);

/// Two aligned columns, one line a row.
std::string to_table(const TableRows& rows);

/// A line for each class: its label, objective, gap and neurons, below their names.
std::string class_table(const std::vector<std::string>& classes, const std::vector<RunRecord>& records);

}  // namespace conelu
