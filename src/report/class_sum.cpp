#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "conelu/certificate.hpp"
#include "conelu/record.hpp"

namespace conelu {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What all records say, or each of the different answers.
std::string common(const std::vector<RunRecord>& records, std::string RunRecord::*field) {
  std::vector<std::string> answers;
  for (const RunRecord& record : records) {
    if (std::find(answers.begin(), answers.end(), record.*field) == answers.end()) answers.push_back(record.*field);
  }
  std::string text;
  for (const std::string& answer : answers) text += (text.empty() ? "" : ", ") + answer;
  return text;
}

std::string value_if_all(const std::vector<RunRecord>& records, std::string RunRecord::*field, const char* value,
                         const char* otherwise) {
  const bool all = std::all_of(records.begin(), records.end(), [&](const RunRecord& r) { return r.*field == value; });
  return all ? value : otherwise;
}

std::string gravest_stop(const std::vector<RunRecord>& records) {
  for (const char* stop : {"cancelled", "numerical_trouble", "time_limit", "iteration_limit"}) {
    if (std::any_of(records.begin(), records.end(), [&](const RunRecord& r) { return r.stop == stop; })) return stop;
  }
  return records.front().stop;
}

}  // namespace

RunRecord sum_of_classes(const std::vector<RunRecord>& records) {
  if (records.empty()) throw std::invalid_argument("records: there are none");
  RunRecord sum = records.front();
  sum.scope = value_if_all(records, &RunRecord::scope, "network", "program");
  // Where it is not for all networks of every class, the sum is about the programs.
  const auto bound = [&](const RunRecord& record) {
    return sum.scope == "network" ? record.lower_bound : record.program_bound.value_or(record.lower_bound);
  };
  sum.lower_bound = bound(records.front());
  for (std::size_t k = 1; k < records.size(); ++k) {
    const RunRecord& record = records[k];
    sum.objective = std::nextafter(sum.objective + record.objective, kInfinity);
    sum.network_objective = std::nextafter(sum.network_objective + record.network_objective, kInfinity);
    sum.lower_bound = std::max(std::nextafter(sum.lower_bound + bound(record), -kInfinity), 0.0);
    sum.violation = std::max(sum.violation, record.violation);
    sum.patterns += record.patterns;
    sum.live_patterns += record.live_patterns;
    sum.thin_patterns += record.thin_patterns;
    sum.neurons += record.neurons;
    sum.iterations += record.iterations;
    sum.rounds = std::max(sum.rounds, record.rounds);
    if (record.beta_max) sum.beta_max = std::max(sum.beta_max.value_or(0), *record.beta_max);
    if (record.nodes) sum.nodes = sum.nodes.value_or(0) + *record.nodes;
    if (record.bound_seconds) sum.bound_seconds = sum.bound_seconds.value_or(0) + *record.bound_seconds;
    sum.seconds += record.seconds;
    sum.cpu_seconds += record.cpu_seconds;
    sum.phases += record.phases;
    sum.peak_mb = std::max(sum.peak_mb, record.peak_mb);
  }
  sum.relative_gap = Certificate{sum.objective, sum.lower_bound}.relative_gap();
  sum.status = value_if_all(records, &RunRecord::status, "optimal", "inaccurate");
  sum.stop = gravest_stop(records);
  sum.method = common(records, &RunRecord::method);
  sum.networks = static_cast<std::int64_t>(records.size());
  // Of one class against the rest each; they do not add up.
  sum.largest_price.reset();
  sum.price_bound.reset();
  sum.program_bound.reset();
  sum.round_objectives.reset();
  sum.round_bounds.reset();
  sum.round_estimates.reset();
  sum.round_prices.reset();
  sum.train_accuracy.reset();
  sum.test_accuracy.reset();
  return sum;
}

}  // namespace conelu
