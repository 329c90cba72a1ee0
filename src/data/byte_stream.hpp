#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace conelu {

/// The bytes of a file from front to back; those of a gzipped file come unpacked, however many parts it has.
///
/// Throws std::invalid_argument naming the path and the reason: not there, a directory, no permission; of a damaged or
/// truncated gzip file also the byte where unpacking ended.
class ByteStream {
 public:
  explicit ByteStream(const std::string& path);
  ~ByteStream();
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  /// Fills up to `size` bytes; fewer only at the end, none after it.
  std::size_t read(char* to, std::size_t size);

  /// `bytes` and what is left of the stream.
  std::string read_rest(std::string bytes);

 private:
  struct File;

  std::string path_;
  std::unique_ptr<File> file_;
};

}  // namespace conelu
