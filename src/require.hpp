#pragma once

#include <stdexcept>
#include <string>

namespace conelu {

inline void require(bool condition, const std::string& message) {
  if (!condition) throw std::invalid_argument(message);
}

}  // namespace conelu
