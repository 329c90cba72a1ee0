#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conelu/linear_algebra.hpp"

namespace conelu {

using Json = nlohmann::ordered_json;

// ---- writing

Json array_of(const VectorView& values);
Json array_or_null(const Vector& values);
void require_finite(const MatrixView& values, const char* field);

// ---- reading: all throw std::invalid_argument that names the field and what was expected

/// `path` leads to the object, as in "networks[2]."; messages name fields with it.
const Json& member(const Json& object, const char* name, const std::string& path = "");
[[noreturn]] void fail_type(const std::string& field, const char* expected, const Json& value);
double number(const Json& value, const std::string& field);
void require_size(const Json& value, const std::string& field, std::size_t size);
Vector vector(const Json& value, const std::string& field, std::size_t size);
Vector vector_or_nothing(const Json& value, const std::string& field, std::size_t size);
std::vector<std::string> strings(const Json& value, const std::string& field);

/// A value for a message; of arrays and objects, which may be as large and as deep as a file, only that they are.
std::string shown(const Json& value);

}  // namespace conelu
