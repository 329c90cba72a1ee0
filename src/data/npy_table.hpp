#pragma once

#include "conelu/read_data.hpp"
#include "data/byte_stream.hpp"

namespace conelu {

/// The data set in a single two-dimensional array, read like a text table without a header: the target is its last
/// column or the one of the index given. See read_dataset.
Dataset read_npy_table(ByteStream& file, const ReadSettings& settings);

}  // namespace conelu
