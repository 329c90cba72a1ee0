#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "conelu/cross_validation.hpp"

namespace conelu {
namespace {

using Json = nlohmann::ordered_json;

/// A measure that is averaged over the folds, with its names in JSON and in the table.
struct Measure {
  std::string name;
  std::string title;
  std::function<double(const FoldScore&)> of;
};

std::vector<Measure> measures(Task task) {
  const bool regression = task == Task::regression;
  const std::string prefix = regression ? "mse_" : "";
  std::vector<Measure> list = {
      {prefix + "clean", regression ? "mse" : "clean", &FoldScore::clean},
      {prefix + "pgd", regression ? "mse pgd" : "pgd", &FoldScore::pgd},
      {prefix + "certified", regression ? "mse certified" : "certified", &FoldScore::certified},
  };
  if (regression) {
    list.push_back({"mae_clean", "mae", [](const FoldScore& s) { return s.absolute_error.value_or(0); }});
  }
  list.push_back({"objective", "objective", &FoldScore::objective});
  list.push_back({"relative_gap", "gap", &FoldScore::relative_gap});
  list.push_back({"seconds", "seconds", &FoldScore::seconds});
  return list;
}

Json to_object(const GridPoint& point, Task task) {
  Json json;
  json["beta"] = point.beta;
  json["eps"] = point.eps.empty() ? 0.0 : *std::max_element(point.eps.begin(), point.eps.end());
  if (point.eps.size() > 1) json["eps_per_feature"] = point.eps;
  json["best"] = point.best;
  for (const Measure& measure : measures(task)) {
    const Spread spread = point.spread(measure.of);
    json[measure.name] = {{"mean", spread.mean}, {"deviation", spread.deviation}};
  }
  json["folds"] = Json::array();
  for (const FoldScore& score : point.folds) {
    Json fold;
    for (const Measure& measure : measures(task)) fold[measure.name] = measure.of(score);
    fold["uncertain"] = score.uncertain;
    json["folds"].push_back(fold);
  }
  return json;
}

std::string cell(const Measure& measure, const Spread& spread) {
  if (measure.name == "relative_gap") return fmt::format("{:.1e}", spread.mean);
  if (measure.name == "seconds") return fmt::format("{:.2f}", spread.mean);
  const std::string mean = fmt::format("{:.4g}", spread.mean);
  return std::isnan(spread.deviation) ? mean : fmt::format("{} +- {:.2g}", mean, spread.deviation);
}

std::string radius_text(const GridPoint& point) {
  const double largest = point.eps.empty() ? 0.0 : *std::max_element(point.eps.begin(), point.eps.end());
  return fmt::format("{}{:g}", point.eps.size() > 1 ? "up to " : "", largest);
}

}  // namespace

std::string to_json(const CrossValidation& result) {
  Json json;
  json["n"] = result.n;
  json["task"] = result.task == Task::classification ? "classification" : "regression";
  json["folds"] = result.folds;
  json["seed"] = result.seed;
  json["norm"] = result.norm;
  json["finished"] = result.finished;
  json["grid"] = Json::array();
  for (const GridPoint& point : result.grid) json["grid"].push_back(to_object(point, result.task));
  return json.dump(2) + "\n";
}

std::string to_table(const CrossValidation& result) {
  const std::vector<Measure> columns = measures(result.task);
  std::vector<std::vector<std::string>> lines(1);
  lines[0] = {" ", "beta", "eps"};
  for (const Measure& column : columns) lines[0].push_back(column.title);
  if (!result.finished) lines[0].push_back("folds");
  for (const GridPoint& point : result.grid) {
    std::vector<std::string>& line = lines.emplace_back();
    line = {point.best ? "*" : " ", fmt::format("{:g}", point.beta), radius_text(point)};
    for (const Measure& column : columns) {
      line.push_back(point.folds.empty() ? "-" : cell(column, point.spread(column.of)));
    }
    if (!result.finished) line.push_back(fmt::format("{} of {}", point.folds.size(), result.folds));
  }
  std::vector<std::size_t> widths(lines[0].size(), 0);
  for (const auto& line : lines) {
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  }
  std::string table;
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t c = 0; c < line.size(); ++c) text += fmt::format("{:<{}}  ", line[c], widths[c]);
    table += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  }
  return table;
}

}  // namespace conelu
