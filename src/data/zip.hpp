#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/byte_source.hpp"
#include "data/seekable_bytes.hpp"

namespace conelu {

/// The members of a zip archive, stored or deflated; what a .npz file is.
///
/// Follows the central directory (APPNOTE.TXT 4.3.12), as local headers may leave sizes out. Archives beyond 4 GB and
/// encrypted ones are refused.
class ZipArchive {
 public:
  /// `file` must outlive the archive. Throws std::invalid_argument that begins with its path.
  explicit ZipArchive(ByteStream& file);

  std::vector<std::string> names() const;
  bool contains(std::string_view name) const { return find(name) != nullptr; }

  /// A member's content, unpacked while it is read; the archive must outlive it. Whoever reads it to its end knows that
  /// its checksum is right. Opening and reading throw std::invalid_argument naming the member.
  std::unique_ptr<ByteSource> open(std::string_view name) const;

 private:
  class Content;
  struct Member {
    std::string name;
    unsigned method, flags;
    std::uint32_t checksum;
    std::size_t packed_size, size, header_offset;
  };

  const Member* find(std::string_view name) const;
  void read_directory(std::size_t at, std::size_t count);
  /// Where the bytes of a member begin.
  std::size_t begin_of(const Member& member) const;
  void require(std::size_t at, std::size_t size) const;
  std::string part(std::size_t at, std::size_t size) const;
  [[noreturn]] void fail(const std::string& problem) const;
  [[noreturn]] void fail(const Member& member, const std::string& problem) const;

  SeekableBytes bytes_;
  std::vector<Member> members_;
};

}  // namespace conelu
