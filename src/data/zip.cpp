#include "data/zip.hpp"

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <stdexcept>

#include "data/text.hpp"

namespace conelu {
namespace {

constexpr std::string_view local_signature = "PK\x03\x04", member_signature = "PK\x01\x02",
                           end_signature = "PK\x05\x06";
constexpr std::size_t local_size = 30, member_size = 46, end_size = 22;
constexpr std::size_t longest_comment = 0xffff;  // behind the record at the end
constexpr unsigned stored = 0, deflated = 8;
constexpr std::uint32_t beyond_4_gb = 0xffffffff;

std::uint32_t number(std::string_view bytes, std::size_t at, int width) {
  std::uint32_t value = 0;
  for (int i = width - 1; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

}  // namespace

/// The content of one member, a little of which is in memory at a time.
class ZipArchive::Content final : public ByteSource {
 public:
  Content(const ZipArchive& archive, const Member& member)
      : archive_(archive), member_(member), next_(archive.begin_of(member)), packed_left_(member.packed_size) {
    if (member.method != deflated) return;
    if (::inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::runtime_error("zlib cannot start");
    packed_.resize(std::min<std::size_t>(packed_left_, 1 << 16));
  }
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;
  ~Content() override {
    if (member_.method == deflated) ::inflateEnd(&stream_);
  }

  std::size_t read(char* to, std::size_t size) override {
    const std::size_t wanted = std::min(size, most_left());
    if (member_.method == deflated) {
      inflate(to, wanted);
    } else {
      take(to, wanted);
    }
    checksum_ = ::crc32_z(checksum_, reinterpret_cast<const Bytef*>(to), wanted);
    used_ += wanted;
    if (most_left() == 0) check();
    return wanted;
  }

  std::size_t most_left() override { return member_.size - used_; }

 private:
  void take(char* to, std::size_t size) {
    archive_.bytes_.read(next_, to, size);
    next_ += size;
    packed_left_ -= size;
  }

  void inflate(char* to, std::size_t size) {
    while (size > 0) {
      if (stream_.avail_in == 0) refill();
      const auto room = static_cast<uInt>(std::min<std::size_t>(size, 1 << 30));  // zlib counts in unsigned int
      stream_.next_out = reinterpret_cast<Bytef*>(to);
      stream_.avail_out = room;
      const int result = ::inflate(&stream_, Z_NO_FLUSH);
      const std::size_t got = room - stream_.avail_out;
      to += got;
      size -= got;
      const bool ended = result == Z_STREAM_END || (got == 0 && stream_.avail_in == 0 && packed_left_ == 0);
      if ((result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) || (ended && size > 0)) {
        archive_.fail(member_, "is damaged: it does not inflate");
      }
    }
  }

  void refill() {
    const std::size_t size = std::min(packed_.size(), packed_left_);
    take(packed_.data(), size);
    stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
    stream_.avail_in = static_cast<uInt>(size);
  }

  void check() const {
    if (checksum_ != member_.checksum) archive_.fail(member_, "is damaged: its checksum does not match");
  }

  const ZipArchive& archive_;
  const Member& member_;
  std::size_t next_, packed_left_;  ///< bytes in the archive that were not looked at yet
  std::size_t used_ = 0;
  uLong checksum_ = 0;
  z_stream stream_{};
  std::string packed_;
};

void ZipArchive::fail(const std::string& problem) const {
  throw std::invalid_argument(fmt::format("{}: {}", bytes_.path(), problem));
}

void ZipArchive::fail(const Member& member, const std::string& problem) const {
  fail(fmt::format("member {} {}", in_quotes(member.name), problem));
}

void ZipArchive::require(std::size_t at, std::size_t size) const {
  if (at > bytes_.size() || size > bytes_.size() - at) fail("is damaged: its directory points beyond its end");
}

std::string ZipArchive::part(std::size_t at, std::size_t size) const {
  require(at, size);
  return bytes_.read(at, size);
}

ZipArchive::ZipArchive(ByteStream& file) : bytes_(file) {
  if (bytes_.size() == 0) fail("is empty");
  if (bytes_.size() < 2 || bytes_.read(0, 2) != "PK") fail("is not a zip archive, which a .npz file is");
  const std::size_t last = std::min(bytes_.size(), end_size + longest_comment);
  const std::string tail = bytes_.read(bytes_.size() - last, last);
  const std::size_t end = tail.rfind(end_signature);
  if (end == std::string::npos || tail.size() - end < end_size) {
    fail("is truncated: the zip archive has no directory at its end");
  }
  const std::string_view record = std::string_view(tail).substr(end, end_size);
  read_directory(number(record, 16, 4), number(record, 10, 2));
}

void ZipArchive::read_directory(std::size_t at, std::size_t count) {
  if (at == beyond_4_gb || count == 0xffff) fail("is a zip archive of more than 4 GB, which is not supported");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string entry = part(at, member_size);
    if (!entry.starts_with(member_signature)) fail("is damaged: its directory is not where it should be");
    Member member;
    member.flags = number(entry, 8, 2);
    member.method = number(entry, 10, 2);
    member.checksum = number(entry, 16, 4);
    member.packed_size = number(entry, 20, 4);
    member.size = number(entry, 24, 4);
    member.header_offset = number(entry, 42, 4);
    const std::size_t name_size = number(entry, 28, 2);
    member.name = part(at + member_size, name_size);
    if (std::max({member.packed_size, member.size, member.header_offset}) == beyond_4_gb) {
      fail(member, "has more than 4 GB, which is not supported");
    }
    at += member_size + name_size + number(entry, 30, 2) + number(entry, 32, 2);
    members_.push_back(std::move(member));
  }
}

std::vector<std::string> ZipArchive::names() const {
  std::vector<std::string> result;
  for (const Member& member : members_) result.push_back(member.name);
  return result;
}

const ZipArchive::Member* ZipArchive::find(std::string_view name) const {
  // Of several with one name the last counts, as in Python: archives are changed by adding to their end.
  const auto found = std::find_if(members_.rbegin(), members_.rend(), [&](const Member& m) { return m.name == name; });
  return found == members_.rend() ? nullptr : &*found;
}

std::unique_ptr<ByteSource> ZipArchive::open(std::string_view name) const {
  const Member* member = find(name);
  if (member == nullptr) fail(fmt::format("has no member {}", in_quotes(name)));
  if (member->flags & 1) fail(*member, "is encrypted");
  if (member->method != stored && member->method != deflated) {
    fail(*member, fmt::format("uses compression method {}; expected stored or deflated", member->method));
  }
  const bool fits = member->method == stored ? member->size == member->packed_size
                                             : member->size / deflate_ratio <= member->packed_size;
  if (!fits) fail(*member, "is damaged: its size in the directory cannot be");
  return std::make_unique<Content>(*this, *member);
}

std::size_t ZipArchive::begin_of(const Member& member) const {
  const std::string header = part(member.header_offset, local_size);
  if (!header.starts_with(local_signature)) fail(member, "is damaged");
  const std::size_t begin = member.header_offset + local_size + number(header, 26, 2) + number(header, 28, 2);
  require(begin, member.packed_size);
  return begin;
}

}  // namespace conelu
