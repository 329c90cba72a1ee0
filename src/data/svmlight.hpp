#pragma once

#include <string>
#include <string_view>

#include "conelu/read_data.hpp"
#include "data/byte_stream.hpp"

namespace conelu {

/// Whether the first rows of a text read `label index:value ...`.
bool looks_like_svmlight(std::string_view text);

/// The data set in such a text: `begin`, its first bytes, and the rest of `source`, if that is not null. A comment
/// begins with #. What is not mentioned is 0. See read_dataset.
Dataset read_svmlight(std::string begin, ByteStream* source, const std::string& path, const ReadSettings& settings);

}  // namespace conelu
