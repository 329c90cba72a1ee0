#pragma once

#include <cstdlib>

#include "conelu/read_data.hpp"
#include "fuzz/memory_file.hpp"

namespace conelu::fuzz {

/// Reads the bytes as a file. They may be refused, with std::invalid_argument; whatever else happens is a finding. So
/// is a data set that does not hold together.
inline void read(const std::uint8_t* bytes, std::size_t size, const ReadSettings& settings) {
  const MemoryFile file(bytes, size);
  try {
    const Dataset data = read_dataset(file.path(), settings);
    const auto n = static_cast<std::size_t>(data.X.rows()), d = static_cast<std::size_t>(data.X.cols());
    const bool whole = n > 0 && d > 0 && data.X.allFinite() && data.features.size() == d &&
                       (data.y.size() == data.X.rows() || (!settings.target_required && data.y.size() == 0)) &&
                       (data.weights.size() == 0 || data.weights.size() == data.X.rows());
    if (!whole) std::abort();
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace conelu::fuzz
