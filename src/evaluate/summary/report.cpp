#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "conelu/evaluation.hpp"
#include "data/file.hpp"

namespace conelu {
namespace {

using Json = nlohmann::ordered_json;

struct JsonWriter {
  Json& json;

  template <class T>
  void operator()(const std::string& name, const T& field) const {
    json[name] = field;
  }
  template <class T>
  void operator()(const std::string& name, const std::optional<T>& field) const {
    json[name] = field ? Json(*field) : Json(nullptr);
  }
  /// Of interest only if the radii differ.
  void operator()(const std::string& name, const std::optional<std::vector<double>>& field) const {
    if (field) json[name] = *field;
  }
};

std::string text(double value) { return fmt::format("{:.8g}", value); }
std::string text(bool value) { return value ? "yes" : "no"; }
std::string text(Index value) { return fmt::format("{}", value); }
std::string text(std::uint64_t value) { return fmt::format("{}", value); }
std::string text(const std::string& value) { return value; }

struct RowWriter {
  TableRows& rows;

  template <class T>
  void operator()(const std::string& name, const T& field) const {
    rows.emplace_back(name, text(field));
  }
  template <class T>
  void operator()(const std::string& name, const std::optional<T>& field) const {
    rows.emplace_back(name, field ? text(*field) : "-");
  }
  void operator()(const std::string& name, const std::optional<std::vector<double>>& field) const {
    if (field) rows.emplace_back(name, fmt::format("{:.6g}", fmt::join(*field, ", ")));
  }
};

}  // namespace

std::string to_json(const Evaluation& evaluation) {
  Json json = Json::object();
  Evaluation::visit(evaluation, JsonWriter{json});
  return json.dump(2) + "\n";
}

void save_evaluation(const Evaluation& evaluation, const std::string& path) {
  write_file_atomically(path, to_json(evaluation));
}

TableRows table_rows(const Evaluation& evaluation) {
  TableRows rows;
  Evaluation::visit(evaluation, RowWriter{rows});
  return rows;
}

}  // namespace conelu
