#pragma once

#include <cstddef>
#include <string>

#include "data/byte_stream.hpp"

namespace conelu {

/// The bytes of a file in any order. They stay in the file, unless they must be unpacked or come from a pipe.
class SeekableBytes {
 public:
  /// `file` must outlive this and must not have been read, or everything that was must have been put back.
  explicit SeekableBytes(ByteStream& file)
      : file_(file),
        in_memory_(file.can_seek() ? std::string() : file.read_rest()),
        size_(file.can_seek() ? file.file_size() : in_memory_.size()) {}

  std::size_t size() const { return size_; }
  const std::string& path() const { return file_.path(); }

  /// Fills `count` bytes from position `at`; all of them must be there.
  void read(std::size_t at, char* to, std::size_t count) const {
    if (file_.can_seek()) {
      file_.read_at(at, to, count);
    } else {
      in_memory_.copy(to, count, at);
    }
  }

  std::string read(std::size_t at, std::size_t count) const {
    std::string bytes(count, '\0');
    read(at, bytes.data(), count);
    return bytes;
  }

 private:
  const ByteStream& file_;
  std::string in_memory_;
  std::size_t size_;
};

}  // namespace conelu
