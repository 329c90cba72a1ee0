#include "data/byte_stream.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <utility>
#include <vector>

#include "data/file.hpp"

namespace conelu {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw std::invalid_argument(fmt::format("cannot read '{}': {}", path, reason));
}

/// Opens the file and makes sure that it is none of the kinds that zlib would say little about.
int open_file(const std::string& path, struct stat& status) {
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) fail(path, last_error());
  const bool known = ::fstat(number, &status) == 0;
  if (known && !S_ISDIR(status.st_mode)) return number;
  const std::string reason = known ? "it is a directory, not a file" : last_error();
  ::close(number);
  fail(path, reason);
}

}  // namespace

struct ByteStream::File {
  int number;     // its descriptor
  gzFile handle;  // passes what is not gzipped through
  bool regular;
  std::size_t size;  // on disk, if it is a regular file
  ~File() { ::gzclose_r(handle); }
};

ByteStream::ByteStream(const std::string& path) : path_(path) {
  struct stat status {};
  const int number = open_file(path, status);
  gzFile handle = ::gzdopen(number, "rb");
  if (handle == nullptr) {
    ::close(number);
    throw std::runtime_error("zlib cannot start");
  }
  file_.reset(new File{number, handle, S_ISREG(status.st_mode), static_cast<std::size_t>(status.st_size)});
  ::gzbuffer(handle, 1 << 18);
}

ByteStream::~ByteStream() = default;

void ByteStream::put_back(std::string bytes) {
  returned_ = std::move(bytes) + returned_.substr(returned_used_);
  returned_used_ = 0;
}

std::size_t ByteStream::read(char* to, std::size_t size) {
  const std::size_t count = returned_.copy(to, size, returned_used_);
  returned_used_ += count;
  return count + read_file(to + count, size - count);
}

std::size_t ByteStream::read_file(char* to, std::size_t size) {
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
    if (got == 0) {
      ended_ = true;
      break;
    }
    used += static_cast<std::size_t>(got);
  }
  unpacked_ += used;
  return used;
}

std::size_t ByteStream::most_left() {
  if (!file_->regular) {
    if (!ended_) put_back(read_rest());
    return returned_.size() - returned_used_;
  }
  const std::size_t most = ::gzdirect(file_->handle) ? file_->size : file_->size * deflate_ratio;
  return returned_.size() - returned_used_ + (most > unpacked_ ? most - unpacked_ : 0);
}

std::string ByteStream::read_rest() {
  std::string bytes;
  if (can_seek()) bytes.reserve(most_left());
  std::vector<char> piece(1 << 18);
  while (const std::size_t got = read(piece.data(), piece.size())) bytes.append(piece.data(), got);
  return bytes;
}

void ByteStream::read_at(std::size_t at, char* to, std::size_t size) const {
  while (size > 0) {
    const ssize_t got = ::pread(file_->number, to, size, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail(path_, got < 0 ? last_error() : fmt::format("it ends at byte {} while it is read", at));
    at += static_cast<std::size_t>(got);
    to += got;
    size -= static_cast<std::size_t>(got);
  }
}

bool ByteStream::can_seek() const { return file_->regular && ::gzdirect(file_->handle); }

std::size_t ByteStream::file_size() const { return file_->size; }

}  // namespace conelu
