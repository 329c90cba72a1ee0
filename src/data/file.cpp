#include "data/file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
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

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

/// The file a chain of links ends at, which need not exist: renaming over a link would replace the link instead.
std::string link_target(const std::string& path) {
  constexpr int kLongestChain = 40;  // as the system has it
  std::string target = path;
  std::array<char, PATH_MAX> text{};
  for (int link = 0; link < kLongestChain; ++link) {
    const ssize_t size = ::readlink(target.c_str(), text.data(), text.size());
    if (size < 0) return target;
    const std::string next(text.data(), static_cast<std::size_t>(size));
    target = next.starts_with('/') ? next : folder_of(target) + next;
  }
  fail("write", path, std::generic_category().message(ELOOP));
}

/// `like`: a file whose rights it gets, or null.
bool write_through(const Descriptor& file, std::string_view bytes, const struct stat* like) {
  return (like == nullptr || ::fchmod(file.number(), like->st_mode & 07777) == 0) && write_all(file.number(), bytes) &&
         ::fsync(file.number()) == 0;
}

/// Calls `create` with names beside `target` until one is not taken; empty if it fails for another reason.
template <class Create>
std::string name_beside(const std::string& target, Create create) {
  for (int attempt = 0;; ++attempt) {
    // Short: a longer name than the target's may be too long for the file system.
    const std::string name = fmt::format("{}.conelu-{}-{}", folder_of(target), ::getpid(), attempt);
    if (create(name)) return name;
    if (errno != EEXIST) return {};
  }
}

bool rename_or_remove(const std::string& name, const std::string& target) {
  if (std::rename(name.c_str(), target.c_str()) == 0) return true;
  const int reason = errno;
  ::unlink(name.c_str());
  errno = reason;
  return false;
}

/// The file gets a name when it is whole. Whoever is killed before leaves nothing: the system removes it.
bool write_nameless(const std::string& target, std::string_view bytes, const struct stat* like) {
  const std::string folder = folder_of(target);  // empty without a slash
  const Descriptor file(::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  if (!file.valid() || !write_through(file, bytes, like)) return false;
  const std::string number = fmt::format("/proc/self/fd/{}", file.number());
  const auto link = [&](const std::string& name) {
    return ::linkat(AT_FDCWD, number.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  // A link replaces no file; a rename does, but for a moment there are two names.
  if (link(target)) return true;
  const std::string name = errno == EEXIST ? name_beside(target, link) : "";
  return !name.empty() && rename_or_remove(name, target);
}

bool write_beside(const std::string& target, std::string_view bytes, const struct stat* like) {
  int number = -1;
  const std::string name = name_beside(target, [&](const std::string& path) {
    number = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    return number >= 0;
  });
  Descriptor file(number);
  if (!file.valid()) return false;
  if (write_through(file, bytes, like) && file.close()) return rename_or_remove(name, target);
  const int reason = errno;
  ::unlink(name.c_str());
  errno = reason;
  return false;
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

  const struct stat* like = exists ? &status : nullptr;
  const std::string target = link_target(path);
  // Whatever the first way lacks (some file systems know no files without a name, some places have no /proc), the
  // second one does without, or says what is wrong.
  if (write_nameless(target, bytes, like) || write_beside(target, bytes, like)) return;
  fail("write", path, last_error());
}

}  // namespace conelu
