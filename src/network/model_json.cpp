#include "network/model_json.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace conelu {

Json array_of(const VectorView& values) { return std::vector<double>(values.begin(), values.end()); }

Json array_or_null(const Vector& values) { return values.size() == 0 ? Json() : array_of(values); }

void require_finite(const MatrixView& values, const char* field) {
  if (!values.allFinite()) throw std::invalid_argument(fmt::format("{} holds a number that is not finite", field));
}

const Json& member(const Json& object, const char* name, const std::string& path) {
  const auto found = object.find(name);
  if (found == object.end()) throw std::invalid_argument(fmt::format("the field {}{} is missing", path, name));
  return *found;
}

void fail_type(const std::string& field, const char* expected, const Json& value) {
  throw std::invalid_argument(fmt::format("{}: expected {}, found {}", field, expected, value.type_name()));
}

double number(const Json& value, const std::string& field) {
  if (!value.is_number()) fail_type(field, "a number", value);
  return value.get<double>();
}

void require_size(const Json& value, const std::string& field, std::size_t size) {
  if (!value.is_array()) fail_type(field, "an array", value);
  if (value.size() != size) {
    throw std::invalid_argument(fmt::format("{}: expected {} entries, found {}", field, size, value.size()));
  }
}

Vector vector(const Json& value, const std::string& field, std::size_t size) {
  require_size(value, field, size);
  Vector values(static_cast<Index>(size));
  for (std::size_t i = 0; i < size; ++i) {
    values(static_cast<Index>(i)) = number(value[i], fmt::format("{}[{}]", field, i));
  }
  return values;
}

Vector vector_or_nothing(const Json& value, const std::string& field, std::size_t size) {
  return value.is_null() ? Vector() : vector(value, field, size);
}

std::vector<std::string> strings(const Json& value, const std::string& field) {
  if (!value.is_array()) fail_type(field, "an array of texts", value);
  std::vector<std::string> texts;
  for (const Json& text : value) {
    if (!text.is_string()) fail_type(field, "an array of texts", text);
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

std::string shown(const Json& value) {
  return value.is_structured() ? fmt::format("an {}", value.type_name()) : value.dump();
}

}  // namespace conelu
