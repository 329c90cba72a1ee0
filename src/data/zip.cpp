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
constexpr unsigned stored = 0, deflated = 8;
constexpr std::uint32_t beyond_4_gb = 0xffffffff;

std::uint32_t number(std::string_view bytes, std::size_t at, int width) {
  std::uint32_t value = 0;
  for (int i = width - 1; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

}  // namespace

void ZipArchive::fail(const std::string& problem) const {
  throw std::invalid_argument(fmt::format("{}: {}", path_, problem));
}

std::string_view ZipArchive::part(std::size_t at, std::size_t size) const {
  if (at > bytes_.size() || size > bytes_.size() - at) fail("is damaged: its directory points beyond its end");
  return bytes_.substr(at, size);
}

ZipArchive::ZipArchive(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {
  if (bytes.empty()) fail("is empty");
  if (!bytes.starts_with("PK")) fail("is not a zip archive, which a .npz file is");
  const std::size_t end = bytes.rfind(end_signature);
  if (end == std::string_view::npos || bytes.size() - end < end_size) {
    fail("is truncated: the zip archive has no directory at its end");
  }
  const std::string_view record = bytes.substr(end, end_size);
  read_directory(number(record, 16, 4), number(record, 10, 2));
}

void ZipArchive::read_directory(std::size_t at, std::size_t count) {
  if (at == beyond_4_gb || count == 0xffff) fail("is a zip archive of more than 4 GB, which is not supported");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view entry = part(at, member_size);
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
      fail(fmt::format("member {} has more than 4 GB, which is not supported", in_quotes(member.name)));
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
  const auto found = std::find_if(members_.begin(), members_.end(), [&](const Member& m) { return m.name == name; });
  return found == members_.end() ? nullptr : &*found;
}

std::string_view ZipArchive::extract(std::string_view name, std::string& unpacked) const {
  const Member* member = find(name);
  if (member == nullptr) fail(fmt::format("has no member {}", in_quotes(name)));
  if (member->flags & 1) fail(fmt::format("member {} is encrypted", in_quotes(name)));
  std::string_view content;
  if (member->method == stored) {
    content = packed(*member);
  } else if (member->method == deflated) {
    content = unpacked = inflated(packed(*member), *member);
  } else {
    fail(fmt::format("member {} uses compression method {}; expected stored or deflated", in_quotes(name),
                     member->method));
  }
  const auto checksum = ::crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
  if (content.size() != member->size || checksum != member->checksum) {
    fail(fmt::format("member {} is damaged: its checksum does not match", in_quotes(name)));
  }
  return content;
}

std::string_view ZipArchive::packed(const Member& member) const {
  const std::string_view header = part(member.header_offset, local_size);
  if (!header.starts_with(local_signature)) fail(fmt::format("member {} is damaged", in_quotes(member.name)));
  const std::size_t skipped = local_size + number(header, 26, 2) + number(header, 28, 2);
  return part(member.header_offset + skipped, member.packed_size);
}

std::string ZipArchive::inflated(std::string_view packed, const Member& member) const {
  // Deflate cannot do better than 1032 to 1: a larger promise is damage, not a reason to ask for memory.
  if (member.size / 1032 > packed.size()) fail(fmt::format("member {} is damaged", in_quotes(member.name)));
  std::string content(member.size, '\0');
  z_stream stream{};
  if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::runtime_error("zlib cannot start");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(content.data());
  stream.avail_out = static_cast<uInt>(content.size());
  const int result = ::inflate(&stream, Z_FINISH);
  ::inflateEnd(&stream);
  if (result != Z_STREAM_END) fail(fmt::format("member {} is damaged: it does not inflate", in_quotes(member.name)));
  content.resize(stream.total_out);
  return content;
}

}  // namespace conelu
