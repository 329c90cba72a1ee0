#pragma once

#include "conelu/read_data.hpp"
#include "data/byte_stream.hpp"

namespace conelu {

/// The data set in a .npz file. See read_dataset.
Dataset read_npz(ByteStream& file, const ReadSettings& settings);

}  // namespace conelu
