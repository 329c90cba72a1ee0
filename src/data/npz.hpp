#pragma once

#include <string>
#include <string_view>

#include "conelu/read_data.hpp"

namespace conelu {

/// The data set in the bytes of a .npz file; `path` is for messages. See read_dataset.
Dataset read_npz(std::string_view bytes, const std::string& path, const ReadSettings& settings);

}  // namespace conelu
