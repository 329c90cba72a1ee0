#include "data/zip_writer.hpp"

#include <zlib.h>

#include <cstdint>
#include <stdexcept>

namespace conelu {
namespace {

/// Little-endian.
std::string number(std::uint64_t value, int width) {
  std::string bytes;
  for (int i = 0; i < width; ++i) bytes += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  return bytes;
}

}  // namespace

// The fields of APPNOTE.TXT 4.3.7, 4.3.12 and 4.3.16, in their order.

void ZipWriter::add(std::string_view name, std::string_view content) {
  if (members_.size() + content.size() >= 0xffff0000) {
    throw std::invalid_argument("a zip archive of more than 4 GB is not supported");
  }
  const auto checksum = ::crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
  constexpr std::uint64_t kVersion = 20, kFirstOfJanuary1980 = 0x0021;
  const std::string common = number(kVersion, 2) + number(0, 2 + 2 + 2) + number(kFirstOfJanuary1980, 2) +
                             number(checksum, 4) + number(content.size(), 4) + number(content.size(), 4) +
                             number(name.size(), 2) + number(0, 2);
  directory_ +=
      "PK\x01\x02" + number(kVersion, 2) + common + number(0, 2 + 2 + 2) + number(0, 4) + number(members_.size(), 4);
  directory_ += name;
  members_ += "PK\x03\x04" + common;
  members_ += name;
  members_ += content;
  ++count_;
}

std::string ZipWriter::bytes() const {
  return members_ + directory_ + "PK\x05\x06" + number(0, 4) + number(count_, 2) + number(count_, 2) +
         number(directory_.size(), 4) + number(members_.size(), 4) + number(0, 2);
}

}  // namespace conelu
