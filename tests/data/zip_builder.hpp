#pragma once

#include <zlib.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace conelu {

/// Makes zip archives byte by byte after APPNOTE.TXT, so that the reader is judged by the format and not by itself.
class ZipBuilder {
 public:
  enum class Method { stored = 0, deflated = 8 };

  /// `zip64` writes the local header as numpy.savez does: sizes in an extra field only, the directory as usual.
  ZipBuilder& add(const std::string& name, const std::string& content, Method method = Method::stored,
                  bool zip64 = false) {
    const std::string packed = method == Method::deflated ? deflated(content) : content;
    const auto checksum = static_cast<std::uint32_t>(
        ::crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
    const std::string extra =
        zip64 ? number(1, 2) + number(16, 2) + number(content.size(), 8) + number(packed.size(), 8) : std::string();
    const auto sizes = [&](bool hidden) {
      return number(checksum, 4) + number(hidden ? 0xffffffff : packed.size(), 4) +
             number(hidden ? 0xffffffff : content.size(), 4) + number(name.size(), 2);
    };
    const std::string versions = number(20, 2) + number(flags, 2) + number(static_cast<int>(method), 2) + number(0, 4);
    directory_ += "PK\x01\x02" + number(20, 2) + versions + sizes(false) + number(0, 2 + 2 + 2 + 2 + 4) +
                  number(members_.size(), 4) + name;
    members_ += "PK\x03\x04" + versions + sizes(zip64) + number(extra.size(), 2) + name + extra + packed;
    ++count_;
    return *this;
  }

  std::string bytes(const std::string& comment = "") const {
    return members_ + directory_ + "PK\x05\x06" + number(0, 4) + number(count_, 2) + number(count_, 2) +
           number(directory_.size(), 4) + number(members_.size(), 4) + number(comment.size(), 2) + comment;
  }

  unsigned flags = 0;

 private:
  static std::string number(std::uint64_t value, int width) {
    std::string bytes;
    for (int i = 0; i < width; ++i)
      bytes += static_cast<char>(static_cast<unsigned char>(i < 8 ? value >> (8 * i) : 0));
    return bytes;
  }

  static std::string deflated(const std::string& content) {
    std::string packed(content.size() + 1000, '\0');
    z_stream stream{};
    if (::deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    if (::deflate(&stream, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("deflate did not finish");
    packed.resize(stream.total_out);
    ::deflateEnd(&stream);
    return packed;
  }

  std::string members_, directory_;
  std::size_t count_ = 0;
};

}  // namespace conelu
