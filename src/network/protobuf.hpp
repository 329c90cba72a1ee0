#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace conelu {

/// One message of Google's wire format, written field by field: a key (field number and type) and the value, either a
/// number in groups of seven bits or a length and that many bytes.
class ProtobufMessage {
 public:
  void add_number(int field, std::uint64_t value) {
    add_varint(static_cast<std::uint64_t>(field) << 3);
    add_varint(value);
  }
  void add_bytes(int field, std::string_view value) {
    add_varint(static_cast<std::uint64_t>(field) << 3 | 2);
    add_varint(value.size());
    bytes_ += value;
  }
  void add_message(int field, const ProtobufMessage& message) { add_bytes(field, message.bytes_); }

  const std::string& bytes() const { return bytes_; }

 private:
  void add_varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace conelu
