#pragma once

#include <string>

#include "conelu/read_data.hpp"
#include "data/byte_stream.hpp"

namespace conelu {

/// The data set in a text table: `begin`, its first bytes, and the rest of `source`, if that is not null. `path` is
/// for messages. See read_dataset.
Dataset read_csv(std::string begin, ByteStream* source, const std::string& path, const ReadSettings& settings);

}  // namespace conelu
