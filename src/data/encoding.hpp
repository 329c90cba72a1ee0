#pragma once

#include <string>
#include <vector>

#include "conelu/dataset.hpp"

namespace conelu {

/// What the feature of a level is called.
std::string encoded_name(const std::string& column, const std::string& level);

/// The columns that these features are read from: the names of features, with those of an encoding as one.
std::vector<std::string> columns_of(const std::vector<std::string>& features, const std::vector<Encoding>& encodings);

/// Of that column, or null.
const Encoding* find_encoding(const std::vector<Encoding>& encodings, const std::string& column);

}  // namespace conelu
