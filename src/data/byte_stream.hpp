#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "data/byte_source.hpp"

namespace conelu {

/// Deflate cannot make bytes more than this many times fewer.
constexpr std::size_t deflate_ratio = 1032;

/// The bytes of a file from front to back; those of a gzipped file come unpacked, however many parts it has.
///
/// Throws std::invalid_argument naming the path and the reason: not there, a directory, no permission; of a damaged or
/// truncated gzip file also the byte where unpacking ended.
class ByteStream final : public ByteSource {
 public:
  explicit ByteStream(const std::string& path);
  ~ByteStream() override;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  std::size_t read(char* to, std::size_t size) override;
  /// Reads a pipe into memory, as only its end tells.
  std::size_t most_left() override;

  /// Bytes that were read already, to be read again before all others.
  void put_back(std::string bytes);

  /// All that is left.
  std::string read_rest();

  /// Fills `size` bytes from position `at` of the file, wherever reading is; only if it can_seek().
  void read_at(std::size_t at, char* to, std::size_t size) const;
  /// Whether the bytes are in the file as they are: it is no gzipped one and no pipe.
  bool can_seek() const;
  /// Of the file on disk, packed or not; only if it is no pipe.
  std::size_t file_size() const;

  const std::string& path() const { return path_; }

 private:
  struct File;

  std::size_t read_file(char* to, std::size_t size);

  std::string path_;
  std::unique_ptr<File> file_;
  std::string returned_;           ///< what was put back
  std::size_t returned_used_ = 0;  ///< bytes of it that were read again
  std::size_t unpacked_ = 0;       ///< bytes that came from the file so far
  bool ended_ = false;             ///< whether the last of them has come
};

}  // namespace conelu
