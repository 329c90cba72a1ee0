#pragma once

#include <string>

#include "conelu/linear_algebra.hpp"

namespace conelu {

/// True if a `weights` setting that is no column can only mean a file: one is there, or it is written like one.
bool names_weights_file(const std::string& setting);

/// Sample weights from a file of their own: a one-dimensional .npy, or text with one number per line.
Vector read_weights(const std::string& path);

/// Throws std::invalid_argument that begins with `name` unless there are `samples` finite numbers, none negative and
/// not all of them zero.
void check_weights(const Vector& weights, Index samples, const std::string& name);

}  // namespace conelu
