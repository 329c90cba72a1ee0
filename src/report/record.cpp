#include "conelu/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "data/file.hpp"
#include "report/record_json.hpp"

namespace conelu {

using Json = nlohmann::ordered_json;

namespace {

bool fits(const Json& value, double) { return value.is_number() || value.is_null(); }
bool fits(const Json& value, std::int64_t) { return value.is_number_integer(); }
bool fits(const Json& value, std::uint64_t) { return value.is_number_unsigned(); }
bool fits(const Json& value, const std::string&) { return value.is_string(); }
bool fits(const Json& value, const std::vector<double>&) {
  return value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& v) { return v.is_number(); });
}

template <class T>
void read_field(const Json& value, const char* name, T& field) {
  if (!fits(value, field)) {
    throw std::invalid_argument(fmt::format("{} has the wrong type ({})", name, value.type_name()));
  }
  if constexpr (std::is_same_v<T, double>) {
    // JSON has no NaN; null stands for it.
    field = value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
  } else {
    field = value.get<T>();
  }
}

void read_field(const Json& value, const char* name, Phases& phases) {
  if (!value.is_object())
    throw std::invalid_argument(fmt::format("{} has the wrong type ({})", name, value.type_name()));
  Phases::visit(phases, [&](const char* part, double& field) {
    if (const auto found = value.find(part); found != value.end()) read_field(*found, part, field);
  });
}

template <class T>
void read_field(const Json& value, const char* name, std::optional<T>& field) {
  read_field(value, name, field.emplace());
}

struct Writer {
  Json& json;

  template <class T>
  void operator()(const char* name, const T& field) const {
    json[name] = field;
  }
  void operator()(const char* name, const Phases& phases) const {
    Json parts = Json::object();
    Phases::visit(phases, Writer{parts});
    json[name] = std::move(parts);
  }
  template <class T>
  void operator()(const char* name, const std::optional<T>& field) const {
    if (field) json[name] = *field;
  }
};

}  // namespace

Json to_json_object(const RunRecord& record) {
  Json json = Json::object();
  RunRecord::visit(record, Writer{json});
  return json;
}

RunRecord record_from_json(const Json& json) {
  if (!json.is_object()) throw std::invalid_argument("not a JSON object");
  RunRecord record;
  RunRecord::visit(record, [&](const char* name, auto& field) {
    if (const auto found = json.find(name); found != json.end()) read_field(*found, name, field);
  });
  return record;
}

std::string to_json(const RunRecord& record) { return to_json_object(record).dump(2) + "\n"; }

void save_record(const RunRecord& record, const std::string& path) { write_file_atomically(path, to_json(record)); }

}  // namespace conelu
