#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "conelu/baseline.hpp"
#include "data/file.hpp"
#include "report/record_json.hpp"

namespace conelu {
namespace {

using Json = nlohmann::ordered_json;

/// What the record of a convex program has and gradient descent does not.
bool is_about_programs(const std::string& field) {
  constexpr const char* kFields[] = {"status",        "scope",      "pattern_source", "patterns", "live_patterns",
                                     "thin_patterns", "iterations", "rounds",         "solver",   "phases"};
  return std::any_of(std::begin(kFields), std::end(kFields), [&](const char* name) { return field == name; });
}

Json record_of(const BaselineModel& trained) {
  Json record;
  record["attacked_objective"] = trained.objective();
  const Json training = to_json_object(trained.model.training);
  for (const auto& [field, value] : training.items()) {
    const bool empty = value.is_number_float() && std::isnan(value.get<double>());
    if (!empty && !is_about_programs(field)) record[field] = value;
  }
  record["seconds_to_one_percent"] = trained.seconds_to_one_percent();
  const BaselineSettings& used = trained.results.at(0).settings;
  record["optimizer"] = used.optimizer;
  record["learning_rate"] = used.learning_rate;
  record["schedule"] = used.schedule;
  record["batch"] = used.batch;
  record["epochs"] = trained.model.training.iterations;
  if (used.method == "gd-pgd") record["attack_steps"] = used.attack_steps;
  record["restarts"] = used.restarts;
  return record;
}

}  // namespace

std::string to_json(const BaselineModel& trained) { return record_of(trained).dump(2) + "\n"; }

TableRows table_rows(const BaselineModel& trained) {
  TableRows rows;
  const Json record = record_of(trained);
  for (const auto& [name, value] : record.items()) {
    const std::string number = value.is_number_float() ? fmt::format("{:.8g}", value.get<double>()) : value.dump();
    rows.emplace_back(name, value.is_string() ? value.get<std::string>() : number);
  }
  return rows;
}

void save_record(const BaselineModel& trained, const std::string& path) {
  write_file_atomically(path, to_json(trained));
}

}  // namespace conelu
