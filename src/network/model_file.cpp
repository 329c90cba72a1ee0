#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "conelu/model.hpp"
#include "data/file.hpp"
#include "network/model_json.hpp"
#include "network/preprocessing_json.hpp"
#include "report/record_json.hpp"

namespace conelu {

namespace {

constexpr const char* kFormat = "conelu-model";
constexpr int kVersion = 1;

// ---- writing

Json rows_of(const Matrix& values) {
  Json rows = Json::array();
  for (Index i = 0; i < values.rows(); ++i) rows.push_back(array_of(values.row(i).transpose()));
  return rows;
}

void write_network(const Network& network, Json& json) {
  require_finite(network.hidden, "hidden");
  require_finite(network.hidden_bias, "hidden_bias");
  require_finite(network.output, "output");
  require_finite(Vector::Constant(1, network.output_bias), "output_bias");
  json["hidden"] = rows_of(network.hidden);
  json["hidden_bias"] = array_of(network.hidden_bias);
  json["output"] = array_of(network.output);
  json["output_bias"] = network.output_bias;
}

Json networks_of(const Model& model) {
  const std::size_t count = model.classes.size();
  if (model.networks.size() != count || model.class_trainings.size() != count) {
    throw std::invalid_argument(fmt::format("{} classes with {} networks and {} records of training, expected one each",
                                            count, model.networks.size(), model.class_trainings.size()));
  }
  Json networks = Json::array();
  for (std::size_t k = 0; k < count; ++k) {
    Json& json = networks.emplace_back();
    json["class"] = model.classes[k];
    write_network(model.networks[k], json);
    json["training"] = conelu::to_json_object(model.class_trainings[k]);
  }
  return networks;
}

Json to_json_object(const Model& model) {
  Json json;
  json["format"] = kFormat;
  json["version"] = kVersion;
  json["task"] = model.task == Task::classification ? "classification" : "regression";
  json["classes"] = model.classes.empty() ? Json() : Json(model.classes);
  json["features"] = model.features;
  if (model.target != TargetColumn()) {
    json["target"] = {{"name", model.target.name.empty() ? Json() : Json(model.target.name)},
                      {"position", model.target.position}};
  }
  json["preprocessing"] = preprocessing_to_json(model.preprocessing);
  if (model.classes.size() > 2) {
    json["networks"] = networks_of(model);
  } else {
    write_network(model.network(), json);
  }
  json["training"] = conelu::to_json_object(model.training);
  return json;
}

/// One line for each field, of networks too: short enough to look at, and a change shows as one line.
std::string dump_by_field(const Json& object, const std::string& indent = "") {
  std::string text = "{";
  const char* separator = "\n";
  for (const auto& [name, value] : object.items()) {
    text += fmt::format("{}{}  {}: ", separator, indent, Json(name).dump());
    separator = ",\n";
    if (name != "networks") {
      text += value.dump();
      continue;
    }
    const char* before = "[";
    for (const Json& network : value) text += std::exchange(before, ", ") + dump_by_field(network, indent + "  ");
    text += "]";
  }
  return text + "\n" + indent + "}";
}

// ---- reading

void require_format(const Json& json) {
  if (!json.is_object() || json.value("format", Json()) != kFormat) {
    throw std::invalid_argument(fmt::format("not a conelu model (\"format\" is not \"{}\")", kFormat));
  }
  const Json& version = member(json, "version");
  if (version != kVersion) {
    throw std::invalid_argument(
        fmt::format("version {} of the model format, this program reads version {}", shown(version), kVersion));
  }
}

Task read_task(const Json& json) {
  const Json& task = member(json, "task");
  if (task == "classification") return Task::classification;
  if (task == "regression") return Task::regression;
  throw std::invalid_argument(fmt::format("task: expected classification or regression, found {}", shown(task)));
}

std::vector<std::string> read_classes(const Json& json, Task task) {
  const Json& classes = member(json, "classes");
  if (task == Task::regression) {
    if (!classes.is_null()) fail_type("classes", "null for a regression", classes);
    return {};
  }
  std::vector<std::string> labels = strings(classes, "classes");
  if (labels.size() < 2) {
    throw std::invalid_argument(fmt::format("classes: expected at least 2 entries, found {}", labels.size()));
  }
  return labels;
}

TargetColumn read_target(const Json& json) {
  const auto found = json.find("target");
  if (found == json.end() || found->is_null()) return {};
  if (!found->is_object()) fail_type("target", "an object", *found);
  TargetColumn target;
  const Json& name = member(*found, "name", "target.");
  if (!name.is_null() && !name.is_string()) fail_type("target.name", "a text or null", name);
  if (name.is_string()) target.name = name.get<std::string>();
  const Json& position = member(*found, "position", "target.");
  if (!position.is_number_integer()) fail_type("target.position", "a whole number", position);
  target.position = position.get<Index>();
  return target;
}

Network read_network(const Json& json, std::size_t inputs, const std::string& path = "") {
  const Json& hidden = member(json, "hidden", path);
  if (!hidden.is_array()) fail_type(path + "hidden", "an array of rows", hidden);
  const std::size_t neurons = hidden.size();
  Network network;
  network.hidden.resize(static_cast<Index>(neurons), static_cast<Index>(inputs));
  for (std::size_t m = 0; m < neurons; ++m) {
    network.hidden.row(static_cast<Index>(m)) = vector(hidden[m], fmt::format("{}hidden[{}]", path, m), inputs);
  }
  network.hidden_bias = vector(member(json, "hidden_bias", path), path + "hidden_bias", neurons);
  network.output = vector(member(json, "output", path), path + "output", neurons);
  network.output_bias = number(member(json, "output_bias", path), path + "output_bias");
  return network;
}

RunRecord read_training(const Json& json, const std::string& path = "") {
  const Json& training = member(json, "training", path);
  try {
    return record_from_json(training);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}training: {}", path, error.what()));
  }
}

/// One for each of more than two classes, in their order.
void read_networks(const Json& json, Model& model) {
  const Json& networks = member(json, "networks");
  require_size(networks, "networks", model.classes.size());
  for (std::size_t k = 0; k < networks.size(); ++k) {
    const std::string path = fmt::format("networks[{}].", k);
    if (!networks[k].is_object()) fail_type(fmt::format("networks[{}]", k), "an object", networks[k]);
    if (const Json& label = member(networks[k], "class", path); label != model.classes[k]) {
      throw std::invalid_argument(
          fmt::format("{}class: expected {}, found {}", path, shown(Json(model.classes[k])), shown(label)));
    }
    model.networks.push_back(read_network(networks[k], model.features.size(), path));
    model.class_trainings.push_back(read_training(networks[k], path));
  }
}

Model read_model(const Json& json) {
  require_format(json);
  Model model;
  model.task = read_task(json);
  model.classes = read_classes(json, model.task);
  model.features = strings(member(json, "features"), "features");
  model.target = read_target(json);
  model.preprocessing = preprocessing_from_json(member(json, "preprocessing"), model.features);
  if (model.classes.size() > 2) {
    read_networks(json, model);
  } else {
    model.networks = {read_network(json, model.features.size())};
  }
  model.training = read_training(json);
  return model;
}

}  // namespace

std::string to_json(const Model& model) {
  try {
    return dump_by_field(to_json_object(model)) + "\n";
  } catch (const Json::exception&) {
    throw std::invalid_argument("a feature or class name is not UTF-8");
  }
}

Model model_from_json(const std::string& text) {
  try {
    return read_model(Json::parse(text));
  } catch (const Json::parse_error& error) {
    throw std::invalid_argument(error.byte > text.size()
                                    ? fmt::format("not JSON, or truncated: it ends at byte {}", text.size())
                                    : fmt::format("not JSON, or damaged, at byte {} of {}", error.byte, text.size()));
  } catch (const Json::exception& error) {
    throw std::invalid_argument(error.what());
  }
}

void save_model(const Model& model, const std::string& path) {
  std::string text;
  try {
    text = to_json(model);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("cannot write '{}': {}", path, error.what()));
  }
  write_file_atomically(path, text);
}

Model load_model(const std::string& path) {
  const std::string text = read_file(path);
  try {
    return model_from_json(text);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("'{}' is not a model file that can be used: {}", path, error.what()));
  }
}

}  // namespace conelu
