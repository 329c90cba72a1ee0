#include "data/byte_stream.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "data/file.hpp"

namespace conelu {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw std::invalid_argument(fmt::format("cannot read '{}': {}", path, reason));
}

/// Opens the file and makes sure that it is none of the kinds that zlib would say little about.
int open_file(const std::string& path) {
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) fail(path, last_error());
  struct stat status {};
  const bool known = ::fstat(number, &status) == 0;
  if (known && !S_ISDIR(status.st_mode)) return number;
  const std::string reason = known ? "it is a directory, not a file" : last_error();
  ::close(number);
  fail(path, reason);
}

}  // namespace

struct ByteStream::File {
  gzFile handle;  // passes what is not gzipped through
  ~File() { ::gzclose_r(handle); }
};

ByteStream::ByteStream(const std::string& path) : path_(path) {
  const int number = open_file(path);
  gzFile handle = ::gzdopen(number, "rb");
  if (handle == nullptr) {
    ::close(number);
    throw std::runtime_error("zlib cannot start");
  }
  file_ = std::make_unique<File>(handle);
  ::gzbuffer(handle, 1 << 18);
}

ByteStream::~ByteStream() = default;

std::size_t ByteStream::read(char* to, std::size_t size) {
  constexpr std::size_t largest = std::size_t{1} << 30;  // zlib counts in unsigned int
  std::size_t used = 0;
  while (used < size) {
    const int got = ::gzread(file_->handle, to + used, static_cast<unsigned>(std::min(size - used, largest)));
    int code = Z_OK;
    const char* text = ::gzerror(file_->handle, &code);
    if (code == Z_ERRNO) fail(path_, last_error());
    if (got < 0 || code != Z_OK) {
      std::string_view reason = text;  // "<fd:3>: invalid distance too far back"
      if (const std::size_t colon = reason.find(": "); colon != reason.npos) reason.remove_prefix(colon + 2);
      fail(path_, fmt::format("the gzip file is {} near byte {} ({})", code == Z_BUF_ERROR ? "truncated" : "damaged",
                              ::gzoffset(file_->handle), reason));
    }
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  return used;
}

std::string ByteStream::read_rest(std::string bytes) {
  // Of a plain file the size is known, which saves room for more.
  std::error_code unknown;
  const auto size = ::gzdirect(file_->handle) ? std::filesystem::file_size(path_, unknown) : 0;
  const std::size_t expected = unknown ? 0 : static_cast<std::size_t>(size) + 1;
  std::size_t used = bytes.size();
  while (true) {
    bytes.resize(std::max({expected > used ? expected : 2 * used, std::size_t{1} << 16}));
    const std::size_t got = read(bytes.data() + used, bytes.size() - used);
    used += got;
    if (used < bytes.size()) break;
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace conelu
