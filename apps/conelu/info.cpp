#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "command.hpp"
#include "conelu/model.hpp"
#include "output.hpp"
#include "verdict.hpp"

namespace conelu::tool {
namespace {

struct InfoOptions {
  std::string model;
  bool json = false;
};

constexpr std::size_t kNamesShown = 12;  ///< names in a list; of pixels nobody wants to read more

std::string some_of(const std::vector<std::string>& names) {
  const auto last = names.begin() + static_cast<std::ptrdiff_t>(std::min(kNamesShown, names.size()));
  return fmt::format("{}{}", fmt::join(names.begin(), last, ", "), names.size() > kNamesShown ? ", ..." : "");
}

std::vector<Index> neurons_of(const Model& model) {
  std::vector<Index> neurons;
  for (const Network& network : model.networks) neurons.push_back(network.neurons());
  return neurons;
}

/// Gradient descent leaves no bound behind.
bool has_certificate(const RunRecord& record) { return !record.status.empty() && std::isfinite(record.lower_bound); }

std::string certificate_of(const Model& model) {
  if (has_certificate(model.training)) return verdict(model);
  return fmt::format("none: method {} proves nothing about the best network", model.training.method);
}

std::string kind_of(const Model& model) {
  if (model.task == Task::regression) return "regression";
  return fmt::format("classification, {} classes: {}", model.classes.size(), some_of(model.classes));
}

std::string neurons_text(const Model& model) {
  const std::vector<Index> neurons = neurons_of(model);
  const Index all = std::accumulate(neurons.begin(), neurons.end(), Index{0});
  return neurons.size() == 1 ? fmt::format("{}", all)
                             : fmt::format("{} in {} networks, one for each class", all, neurons.size());
}

std::string attack_text(const RunRecord& record) {
  if (record.eps == 0) return "without an attacker";
  return fmt::format("against an attacker within {}{:g} in the {} norm", record.eps_per_feature ? "up to " : "",
                     record.eps, record.norm);
}

std::string training_text(const RunRecord& record) {
  return fmt::format("on {} samples, {} loss, beta {:g}, method {}, {}", record.n, record.loss, record.beta,
                     record.method, attack_text(record));
}

/// Names are aligned by bytes, as everywhere in the tool.
std::string scaling_table(const Model& model) {
  const Preprocessing& preprocessing = model.preprocessing;
  const std::size_t shown = std::min(kNamesShown, model.features.size());
  std::size_t width = 7;
  for (std::size_t a = 0; a < shown; ++a) width = std::max(width, model.features[a].size());
  std::string table = fmt::format("{:<{}}  {:>14}  {:>14}\n", "feature", width, "center", "scale");
  for (std::size_t a = 0; a < shown; ++a) {
    const auto at = static_cast<Index>(a);
    table += fmt::format("{:<{}}  {:>14.8g}  {:>14.8g}\n", model.features[a], width,
                         preprocessing.center.size() > 0 ? preprocessing.center(at) : 0.0,
                         preprocessing.scale.size() > 0 ? preprocessing.scale(at) : 1.0);
  }
  return table + (shown < model.features.size() ? fmt::format("... {} in all\n", model.features.size()) : "");
}

/// Gradient descent has no entry for much of it.
TableRows record_rows(const RunRecord& record) {
  TableRows rows = table_rows(record);
  std::erase_if(rows, [](const auto& row) { return row.second.empty() || row.second == "nan"; });
  return rows;
}

bool is_scaled(const Preprocessing& preprocessing) {
  return preprocessing.center.size() > 0 || preprocessing.scale.size() > 0;
}

/// What happens to a row on its way to the network.
TableRows preprocessing_rows(const Preprocessing& preprocessing) {
  TableRows rows = {
      {"preprocessing", is_scaled(preprocessing) ? "(feature - center) / scale, see below" : "no scaling"}};
  for (const Encoding& encoding : preprocessing.encodings) {
    rows.emplace_back("encoded", fmt::format("{}: {}", encoding.column, some_of(encoding.levels)));
  }
  if (!preprocessing.missing.empty()) rows.emplace_back("missing", some_of(preprocessing.missing));
  if (preprocessing.fill.size() > 0) rows.emplace_back("if missing", "the mean of the training data");
  if (preprocessing.target) {
    rows.emplace_back("target", fmt::format("trained as (target - {:g}) / {:g}, predicted in its own units",
                                            preprocessing.target->center, preprocessing.target->scale));
  }
  return rows;
}

std::string info_table(const InfoOptions& options, const Model& model) {
  TableRows rows = {{"file", options.model},
                    {"task", kind_of(model)},
                    {"features", fmt::format("{}: {}", model.features.size(), some_of(model.features))}};
  for (const auto& row : preprocessing_rows(model.preprocessing)) rows.push_back(row);
  rows.emplace_back("neurons", neurons_text(model));
  rows.emplace_back("trained", training_text(model.training));
  rows.emplace_back("certificate", certificate_of(model));
  std::string text = to_table(rows);
  text += "\n" + to_table(record_rows(model.training));
  if (model.networks.size() > 1) text += "\n" + class_table(model.classes, model.class_trainings);
  return text + (is_scaled(model.preprocessing) ? "\n" + scaling_table(model) : "");
}

/// The fields of the model file without its weights, and what follows from them.
nlohmann::ordered_json info_json(const InfoOptions& options, const Model& model) {
  const auto saved = nlohmann::ordered_json::parse(to_json(model));
  nlohmann::ordered_json facts;
  facts["file"] = options.model;
  for (const char* field : {"task", "classes", "features", "target", "preprocessing"}) {
    if (saved.contains(field)) facts[field] = saved.at(field);
  }
  facts["neurons"] = neurons_of(model);
  facts["certified"] = has_certificate(model.training);
  facts["certificate"] = certificate_of(model);
  facts["training"] = saved.at("training");
  if (!model.class_trainings.empty()) facts["class_trainings"] = nlohmann::ordered_json::array();
  for (const RunRecord& record : model.class_trainings) {
    facts["class_trainings"].push_back(nlohmann::ordered_json::parse(to_json(record)));
  }
  return facts;
}

int run(const InfoOptions& options) {
  const Model model = load_model(options.model);
  print_result(options.json ? info_json(options, model).dump(2) + "\n" : info_table(options, model));
  return done;
}

}  // namespace

Command add_info(CLI::App& tool) {
  const auto options = std::make_shared<InfoOptions>();
  CLI::App& command =
      *tool.add_subcommand("info", "Tell what a model file holds: task, features, training, certificate");
  command.allow_extras();
  command.add_option("MODEL", options->model, "a file written by conelu train --model");
  command.add_flag("--json", options->json, "print one JSON object instead of tables")->group("Output");
  command.footer(
      "After what it is comes the record of its training, of several classes a line for\n"
      "each, and how features are scaled.\n\n"
      "Example:\n"
      "  conelu info tumours.json");
  return {&command, [options] { return run(*options); }};
}

}  // namespace conelu::tool
