#include "data/file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

namespace conelu {
namespace {

[[noreturn]] void fail(const char* action, const std::string& path, const std::string& reason) {
  throw std::invalid_argument(fmt::format("cannot {} '{}': {}", action, path, reason));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  bool valid() const { return number_ >= 0; }
  bool close() {
    const int number = number_;
    number_ = -1;
    return ::close(number) == 0;
  }

 private:
  int number_;
};

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// The file a chain of links ends at: renaming over a link would replace the link instead.
std::string link_target(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string target = resolved;
  std::free(resolved);
  return target;
}

void write_directly(const std::string& path, std::string_view bytes) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.valid() || !write_all(file.number(), bytes)) fail("write", path, last_error());
}

}  // namespace

std::string last_error() { return std::generic_category().message(errno); }

std::string read_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) fail("read", path, last_error());
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) fail("read", path, last_error());
  if (S_ISDIR(status.st_mode)) fail("read", path, "it is a directory, not a file");

  // A pipe reports size 0 and grows the buffer as it goes.
  std::string bytes;
  std::size_t used = 0;
  while (true) {
    const std::size_t expected = static_cast<std::size_t>(status.st_size) + 1;
    if (used == bytes.size()) bytes.resize(std::max({expected, 2 * used, std::size_t{1} << 16}));
    const ssize_t got = ::read(file.number(), bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path, last_error());
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  bytes.resize(used);
  return bytes;
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (path.empty()) fail("write", path, "the name is empty");
  if (exists && S_ISDIR(status.st_mode)) fail("write", path, "it is a directory, not a file");
  if (exists && !S_ISREG(status.st_mode)) return write_directly(path, bytes);
  // A rename needs rights to the directory only; a file made read-only is meant to stay as it is.
  if (exists && ::access(path.c_str(), W_OK) != 0) fail("write", path, last_error());

  const std::string target = link_target(path);
  std::string temporary = target + ".XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.valid()) fail("write", path, last_error());

  const mode_t mask = ::umask(0);  // mkostemp makes private files; a result should be as readable as any other
  ::umask(mask);
  const mode_t mode = exists ? status.st_mode & 07777 : 0666 & ~mask;
  const bool complete = ::fchmod(file.number(), mode) == 0 && write_all(file.number(), bytes) &&
                        ::fsync(file.number()) == 0 && file.close() &&
                        std::rename(temporary.c_str(), target.c_str()) == 0;
  if (!complete) {
    const std::string reason = last_error();
    ::unlink(temporary.c_str());
    fail("write", path, reason);
  }
}

}  // namespace conelu
