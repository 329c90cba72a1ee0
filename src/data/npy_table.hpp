#pragma once

#include <string>
#include <string_view>

#include "conelu/read_data.hpp"

namespace conelu {

/// The data set in a single two-dimensional array, read like a text table without a header: the target is its last
/// column or the one of the index given. See read_dataset.
Dataset read_npy_table(std::string_view bytes, const std::string& path, const ReadSettings& settings);

}  // namespace conelu
