#pragma once

#include <cstddef>

namespace conelu {

/// Bytes from front to back, wherever they come from.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Fills up to `size` bytes; fewer only at the end, none after it.
  virtual std::size_t read(char* to, std::size_t size) = 0;

  /// There are no more bytes than these, perhaps fewer: a header that promises more is no reason to ask for memory.
  virtual std::size_t most_left() = 0;
};

/// Reads what is left and returns how many bytes that were.
inline std::size_t skip_rest(ByteSource& source) {
  char some[4096];
  std::size_t count = 0;
  while (const std::size_t got = source.read(some, sizeof some)) count += got;
  return count;
}

}  // namespace conelu
