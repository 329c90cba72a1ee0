#pragma once

#include <string>
#include <string_view>

#include "conelu/read_data.hpp"

namespace conelu {

/// Whether the bytes begin as an IDX file does: two zeros, a known type, and a number of dimensions.
bool looks_like_idx(std::string_view bytes);

/// The images in the bytes of an IDX file, as MNIST's, one a row. Their labels are in a file of their own: the one that
/// `settings.target` names, or else the one beside `path` with `labels` in place of `images` and idx1 of idx3. See
/// read_dataset.
Dataset read_idx(std::string_view bytes, const std::string& path, const ReadSettings& settings);

}  // namespace conelu
