#pragma once

#include <string_view>

#include "conelu/read_data.hpp"
#include "data/byte_stream.hpp"

namespace conelu {

/// Whether the bytes begin as an IDX file does: two zeros, a known type, and a number of dimensions.
bool looks_like_idx(std::string_view bytes);

/// The images in an IDX file, as MNIST's, one a row. Their labels are in a file of their own: the one that
/// `settings.target` names, or else the one beside it with `labels` in place of `images` and idx1 of idx3. See
/// read_dataset.
Dataset read_idx(ByteStream& file, const ReadSettings& settings);

}  // namespace conelu
