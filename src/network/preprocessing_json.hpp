#pragma once

#include <string>
#include <vector>

#include "conelu/preprocessing.hpp"
#include "network/model_json.hpp"

namespace conelu {

/// `center` and `scale` (an array or null), `encodings` (objects of column, first and levels), and where there are any
/// `missing` (tokens and fill) and `target` (center and scale).
Json preprocessing_to_json(const Preprocessing& preprocessing);

/// Throws std::invalid_argument naming a field that is missing, of the wrong type, or does not fit the features.
Preprocessing preprocessing_from_json(const Json& json, const std::vector<std::string>& features);

}  // namespace conelu
