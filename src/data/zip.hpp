#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace conelu {

/// The members of a zip archive that is in memory, stored or deflated; what a .npz file is.
///
/// Follows the central directory (APPNOTE.TXT 4.3.12), as local headers may leave sizes out. Archives beyond 4 GB and
/// encrypted ones are refused.
class ZipArchive {
 public:
  /// `bytes` must outlive the archive. Throws std::invalid_argument that begins with `path`.
  ZipArchive(std::string_view bytes, const std::string& path);

  std::vector<std::string> names() const;
  bool contains(std::string_view name) const { return find(name) != nullptr; }

  /// A member's content, checked against its checksum: inside the archive if it is stored there as it is, else inside
  /// `unpacked`. Throws std::invalid_argument naming the member.
  std::string_view extract(std::string_view name, std::string& unpacked) const;

 private:
  struct Member {
    std::string name;
    unsigned method, flags;
    std::uint32_t checksum;
    std::size_t packed_size, size, header_offset;
  };

  const Member* find(std::string_view name) const;
  void read_directory(std::size_t at, std::size_t count);
  std::string_view packed(const Member& member) const;
  std::string inflated(std::string_view packed, const Member& member) const;
  /// `size` bytes of the archive from `at`, which must all be there.
  std::string_view part(std::size_t at, std::size_t size) const;
  [[noreturn]] void fail(const std::string& problem) const;

  std::string_view bytes_;
  std::string path_;
  std::vector<Member> members_;
};

}  // namespace conelu
