#pragma once

#include <string>
#include <string_view>

#include "conelu/read_data.hpp"

namespace conelu {

/// The images in the bytes of a file of CIFAR-10's binary version: a label from 0 to 9, then 32 x 32 bytes each of red,
/// green and blue. Features are the pixels of the three planes in that order. See read_dataset.
Dataset read_cifar10(std::string_view bytes, const std::string& path, const ReadSettings& settings);

}  // namespace conelu
