#include "network/preprocessing_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "data/encoding.hpp"

namespace conelu {
namespace {

Json encodings_to_json(const std::vector<Encoding>& encodings) {
  Json list = Json::array();
  for (const Encoding& encoding : encodings) {
    list.push_back({{"column", encoding.column}, {"first", encoding.first}, {"levels", encoding.levels}});
  }
  return list;
}

/// The features of its levels must be there, under their names.
Encoding encoding_from_json(const Json& json, const std::string& field, const std::vector<std::string>& features) {
  if (!json.is_object()) fail_type(field, "an object", json);
  const std::string path = field + ".";
  const Json& column = member(json, "column", path);
  if (!column.is_string()) fail_type(path + "column", "a text", column);
  const Json& first = member(json, "first", path);
  if (!first.is_number_unsigned()) fail_type(path + "first", "a whole number of at least 0", first);
  Encoding encoding{column.get<std::string>(), 0, strings(member(json, "levels", path), path + "levels")};
  const auto begin = first.get<std::size_t>();
  if (encoding.levels.empty()) throw std::invalid_argument(path + "levels: expected at least one, found none");
  if (begin > features.size() || encoding.levels.size() > features.size() - begin) {
    throw std::invalid_argument(fmt::format("{}: has {} levels from feature {} on, but there are {} features", field,
                                            encoding.levels.size(), begin, features.size()));
  }
  for (std::size_t l = 0; l < encoding.levels.size(); ++l) {
    const std::string expected = encoded_name(encoding.column, encoding.levels[l]);
    if (features[begin + l] == expected) continue;
    throw std::invalid_argument(
        fmt::format("{}: feature {} is called {}, expected {}", field, begin + l, features[begin + l], expected));
  }
  encoding.first = static_cast<Index>(begin);
  return encoding;
}

std::vector<Encoding> encodings_from_json(const Json& json, const std::vector<std::string>& features) {
  if (json.is_null()) return {};
  if (!json.is_array()) fail_type("preprocessing.encodings", "an array", json);
  std::vector<Encoding> encodings;
  Index end = 0;  // of the one before
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string field = fmt::format("preprocessing.encodings[{}]", i);
    const Encoding& encoding = encodings.emplace_back(encoding_from_json(json[i], field, features));
    if (encoding.first < end) throw std::invalid_argument(field + ": begins before the one before it ends");
    end = encoding.first + static_cast<Index>(encoding.levels.size());
  }
  return encodings;
}

TargetScaling target_from_json(const Json& json) {
  if (!json.is_object()) fail_type("preprocessing.target", "an object", json);
  const TargetScaling target{number(member(json, "center", "preprocessing.target."), "preprocessing.target.center"),
                             number(member(json, "scale", "preprocessing.target."), "preprocessing.target.scale")};
  if (target.scale == 0) throw std::invalid_argument("preprocessing.target.scale: is 0");
  return target;
}

}  // namespace

Json preprocessing_to_json(const Preprocessing& preprocessing) {
  require_finite(preprocessing.center, "preprocessing.center");
  require_finite(preprocessing.scale, "preprocessing.scale");
  require_finite(preprocessing.fill, "preprocessing.missing.fill");
  Json json = {{"center", array_or_null(preprocessing.center)},
               {"scale", array_or_null(preprocessing.scale)},
               {"encodings", encodings_to_json(preprocessing.encodings)}};
  if (!preprocessing.missing.empty() || preprocessing.fill.size() > 0) {
    json["missing"] = {{"tokens", preprocessing.missing}, {"fill", array_or_null(preprocessing.fill)}};
  }
  if (const SeenFeatures& seen = preprocessing.seen; seen.mean.size() > 0) {
    for (const Vector* values : {&seen.mean, &seen.lowest, &seen.highest}) {
      require_finite(*values, "preprocessing.seen");
    }
    json["seen"] = {
        {"mean", array_of(seen.mean)}, {"lowest", array_of(seen.lowest)}, {"highest", array_of(seen.highest)}};
  }
  if (preprocessing.target) {
    json["target"] = {{"center", preprocessing.target->center}, {"scale", preprocessing.target->scale}};
  }
  return json;
}

Preprocessing preprocessing_from_json(const Json& json, const std::vector<std::string>& features) {
  if (!json.is_object()) fail_type("preprocessing", "an object", json);
  const std::size_t inputs = features.size();
  Preprocessing preprocessing;
  preprocessing.center = vector_or_nothing(member(json, "center"), "preprocessing.center", inputs);
  preprocessing.scale = vector_or_nothing(member(json, "scale"), "preprocessing.scale", inputs);
  if ((preprocessing.scale.array() == 0).any()) throw std::invalid_argument("preprocessing.scale: holds a 0");
  if (const auto found = json.find("encodings"); found != json.end()) {
    preprocessing.encodings = encodings_from_json(*found, features);
  }
  if (const auto found = json.find("missing"); found != json.end() && !found->is_null()) {
    if (!found->is_object()) fail_type("preprocessing.missing", "an object", *found);
    const std::string path = "preprocessing.missing.";
    preprocessing.missing = strings(member(*found, "tokens", path), path + "tokens");
    preprocessing.fill = vector_or_nothing(member(*found, "fill", path), path + "fill", inputs);
  }
  if (const auto found = json.find("seen"); found != json.end() && !found->is_null()) {
    if (!found->is_object()) fail_type("preprocessing.seen", "an object", *found);
    const std::string path = "preprocessing.seen.";
    const auto entries = [&](const char* name) {
      const Json& values = member(*found, name, path);
      return vector(values, path + name, values.size());
    };
    const SeenFeatures seen{entries("mean"), entries("lowest"), entries("highest")};
    // Of a model that somebody gave other features by hand it says nothing.
    const auto fits = [&](const Vector& values) { return values.size() == static_cast<Index>(inputs); };
    if (fits(seen.mean) && fits(seen.lowest) && fits(seen.highest)) preprocessing.seen = seen;
  }
  if (const auto found = json.find("target"); found != json.end() && !found->is_null()) {
    preprocessing.target = target_from_json(*found);
  }
  return preprocessing;
}

}  // namespace conelu
