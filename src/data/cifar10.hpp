#pragma once

#include "conelu/read_data.hpp"
#include "data/byte_stream.hpp"

namespace conelu {

/// The images in a file of CIFAR-10's binary version: a label from 0 to 9, then 32 x 32 bytes each of red,
/// green and blue. Features are the pixels of the three planes in that order. See read_dataset.
Dataset read_cifar10(ByteStream& file, const ReadSettings& settings);

}  // namespace conelu
