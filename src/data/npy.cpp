#include "data/npy.hpp"

#include <fmt/core.h>

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "conelu/read_data.hpp"
#include "data/byte_stream.hpp"
#include "data/file.hpp"
#include "data/text.hpp"

namespace conelu {
namespace {

constexpr bool little_endian = std::endian::native == std::endian::little;
constexpr std::size_t long_double = sizeof(long double);  // NumPy's longdouble, on machines like this one

template <class Number>
Number load_item(const char* at, bool swapped) {
  char bytes[sizeof(Number)];
  std::memcpy(bytes, at, sizeof bytes);
  if (swapped) std::reverse(bytes, bytes + sizeof bytes);
  Number number;
  std::memcpy(&number, bytes, sizeof bytes);
  return number;
}

/// What follows "'key':" in the Python dictionary of the header; empty if the key is not there.
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(fmt::format("'{}'", key));
  if (at == std::string_view::npos) return {};
  const std::size_t colon = header.find(':', at);
  const std::size_t value = header.find_first_not_of(' ', colon + 1);
  return colon == std::string_view::npos || value == std::string_view::npos ? std::string_view() : header.substr(value);
}

void append_utf8(std::string& text, std::uint32_t point) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xc0 | point >> 6);
    put(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    put(0xe0 | point >> 12);
    put(0x80 | (point >> 6 & 0x3f));
    put(0x80 | (point & 0x3f));
  } else {
    put(0xf0 | (point >> 18 & 0x07));
    put(0x80 | (point >> 12 & 0x3f));
    put(0x80 | (point >> 6 & 0x3f));
    put(0x80 | (point & 0x3f));
  }
}

/// Of valid UTF-8.
std::u32string code_points(std::string_view text) {
  std::u32string points;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) == 0x80 && !points.empty()) {
      points.back() = points.back() << 6 | (byte & 0x3f);
    } else {
      points += static_cast<char32_t>(byte < 0x80   ? byte
                                      : byte < 0xe0 ? byte & 0x1f
                                      : byte < 0xf0 ? byte & 0x0f
                                                    : byte & 0x07);
    }
  }
  return points;
}

/// All that comes before the data of a file in C order.
std::string preamble(const std::string& type, const std::vector<std::size_t>& shape) {
  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': {}, }}",
                                   little_endian ? '<' : '>', type, to_string(shape));
  // Header and preamble together are a multiple of 64 bytes, so that the data can be mapped.
  header.append(63 - (npy_magic.size() + 4 + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes(npy_magic);
  bytes += {'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  return bytes + header;
}

template <class Numbers>
std::size_t bytes_of(const Numbers& numbers) {
  return static_cast<std::size_t>(numbers.size()) * sizeof(double);
}

}  // namespace

void NpyArray::fail(const std::string& problem) const {
  throw std::invalid_argument(fmt::format("{}: {}", name_, problem));
}

NpyArray::NpyArray(ByteSource& source, const std::string& name) : source_(source), name_(name) {
  std::string begin(10, '\0');
  begin.resize(source.read(begin.data(), begin.size()));
  if (begin.empty()) fail("is empty");
  if (!begin.starts_with(npy_magic)) fail("is not a NumPy array (it does not begin with \\x93NUMPY)");
  if (begin.size() < 10) fail(fmt::format("is truncated in its header, at byte {}", begin.size()));
  const int version = static_cast<unsigned char>(begin[6]);
  if (version < 1 || version > 3) fail(fmt::format("has version {} of the .npy format; 1 to 3 are known", version));
  if (version > 1) {
    begin.resize(12);
    const std::size_t size = 10 + source.read(begin.data() + 10, 2);
    if (size < 12) fail(fmt::format("is truncated in its header, at byte {}", size));
  }
  const std::size_t length = version == 1 ? load_item<std::uint16_t>(begin.data() + 8, !little_endian)
                                          : load_item<std::uint32_t>(begin.data() + 8, !little_endian);
  std::string header(std::min(length, source.most_left()), '\0');
  header.resize(source.read(header.data(), header.size()));
  if (header.size() < length) {
    fail(fmt::format("is truncated in its header, at byte {}; it should end at {}", begin.size() + header.size(),
                     begin.size() + length));
  }
  parse_header(header);
  // Nothing needs no room, however long its other dimensions are.
  if (std::find(shape_.begin(), shape_.end(), std::size_t{0}) != shape_.end()) return;
  data_size_ = item_size_;
  bool overflow = false;
  for (const std::size_t extent : shape_) overflow |= __builtin_mul_overflow(data_size_, extent, &data_size_);
  if (overflow) fail_as_truncated("more than 2^64");
  if (data_size_ > source.most_left()) fail_as_truncated(std::to_string(data_size_));
}

void NpyArray::fail_as_truncated(const std::string& needed) {
  const std::size_t there = data_read_ + skip_rest(source_);
  fail(fmt::format("is truncated: shape {} needs {} bytes, {} are there", to_string(shape_), needed, there));
}

void NpyArray::parse_header(std::string_view header) {
  const std::string_view descr = value_of(header, "descr");
  const std::string_view order = value_of(header, "fortran_order");
  std::string_view shape = value_of(header, "shape");
  if (descr.empty() || order.empty() || !shape.starts_with('(')) {
    fail(fmt::format("has a damaged header: expected {} bytes with descr, fortran_order and shape, not {}",
                     header.size(), in_quotes(header)));
  }

  if (!descr.starts_with('\'')) fail("has a structured type; expected plain numbers");
  parse_type(std::string(descr.substr(1, descr.find('\'', 1) - 1)));
  column_major_ = order.starts_with("True");

  shape = shape.substr(1, shape.find(')') - 1);
  while (!shape.empty()) {
    const std::size_t comma = std::min(shape.find(','), shape.size());
    std::string_view digits = shape.substr(0, comma);
    while (digits.starts_with(' ')) digits.remove_prefix(1);
    const auto length = parse_integer(digits);
    if (!digits.empty() && (!length || *length < 0)) fail("has a damaged shape " + in_quotes(shape));
    if (!digits.empty()) shape_.push_back(static_cast<std::size_t>(*length));
    shape.remove_prefix(std::min(comma + 1, shape.size()));
  }
}

void NpyArray::parse_type(const std::string& type) {
  const std::string_view digits = std::string_view(type).substr(std::min<std::size_t>(type.size(), 2));
  item_size_ = static_cast<std::size_t>(std::max<std::ptrdiff_t>(parse_integer(digits).value_or(0), 0));
  kind_ = type.size() > 1 ? type[1] : '?';
  if (kind_ == 'O') {
    fail("holds pickled Python objects; expected numbers or text (convert with .astype(float) or .astype(str) before "
         "saving)");
  }
  if (kind_ == 'c') fail(fmt::format("holds complex numbers ({}); expected real ones", type));
  const bool known = kind_ == 'f' ? item_size_ == 2 || item_size_ == 4 || item_size_ == 8 || item_size_ == long_double
                     : kind_ == 'i' || kind_ == 'u' ? item_size_ <= 8 && std::has_single_bit(item_size_)
                     : kind_ == 'b'                 ? item_size_ == 1
                                                    : is_text() && item_size_ > 0;
  const bool overflow = kind_ == 'U' && __builtin_mul_overflow(item_size_, std::size_t{4}, &item_size_);
  if (!known || overflow) {
    fail(fmt::format("has type {}; expected floats, integers or booleans", in_quotes(type)));
  }
  swapped_ = type[0] == (little_endian ? '>' : '<');
}

std::optional<std::size_t> NpyArray::length() const {
  const bool column = shape_.size() == 2 && shape_[1] == 1;
  return shape_.size() == 1 || column ? std::optional(shape_[0]) : std::nullopt;
}

Vector NpyArray::vector() {
  if (!length()) fail(fmt::format("has shape {}; expected one dimension, one number per sample", to_string(shape_)));
  require_numbers();
  Vector result(static_cast<Index>(*length()));
  read_numbers(result.data(), *length());
  expect_end();
  return result;
}

Matrix NpyArray::matrix() {
  if (shape_.size() != 2) {
    fail(fmt::format("has shape {}; expected two dimensions, samples in rows", to_string(shape_)));
  }
  require_numbers();
  const auto rows = static_cast<Index>(shape_[0]), columns = static_cast<Index>(shape_[1]);
  Matrix result(rows, columns);
  if (column_major_ || rows <= 1 || columns <= 1) {  // as the matrix has them
    read_numbers(result.data(), static_cast<std::size_t>(result.size()));
  } else {
    const Index most = std::clamp<Index>((1 << 15) / columns, 1, rows);
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> some(most, columns);
    for (Index first = 0; first < rows; first += most) {
      const Index count = std::min(most, rows - first);
      read_numbers(some.data(), static_cast<std::size_t>(count * columns));
      result.middleRows(first, count) = some.topRows(count);
    }
  }
  expect_end();
  return result;
}

void NpyArray::require_numbers() const {
  if (is_text()) fail("holds text; expected numbers");
}

void NpyArray::read_numbers(double* to, std::size_t count) {
  std::vector<char> bytes(std::min<std::size_t>(count, 1 << 13) * item_size_);
  while (count > 0) {
    const std::size_t some = std::min(count, bytes.size() / item_size_);
    read_items(bytes.data(), some);
    convert(bytes.data(), to, some);
    to += some;
    count -= some;
  }
}

void NpyArray::read_items(char* to, std::size_t count) {
  const std::size_t got = source_.read(to, count * item_size_);
  data_read_ += got;
  if (got < count * item_size_) fail_as_truncated(std::to_string(data_size_));
}

void NpyArray::expect_end() {
  if (const std::size_t more = skip_rest(source_)) fail(fmt::format("has {} bytes more than its shape needs", more));
}

void NpyArray::convert(const char* from, double* to, std::size_t count) {
  constexpr double exact = 0x1p53;  // integers up to here are doubles, too
  const bool integers = kind_ != 'f' && item_size_ == 8;
  const auto fill = [&](auto load) {
    for (std::size_t i = 0; i < count; ++i) {
      to[i] = static_cast<double>(load(from + i * item_size_, swapped_));
      rounded_ |= integers && std::fabs(to[i]) >= exact;
    }
  };
  switch (kind_ == 'b' ? 'u' : kind_) {
    case 'f':
      if (item_size_ == long_double && long_double != 8) fill(load_item<long double>);
      if (item_size_ == 8) fill(load_item<double>);
      if (item_size_ == 4) fill(load_item<float>);
      if (item_size_ == 2) fill(load_item<Eigen::half>);
      break;
    case 'i':
      if (item_size_ == 8) fill(load_item<std::int64_t>);
      if (item_size_ == 4) fill(load_item<std::int32_t>);
      if (item_size_ == 2) fill(load_item<std::int16_t>);
      if (item_size_ == 1) fill(load_item<std::int8_t>);
      break;
    case 'u':
      if (item_size_ == 8) fill(load_item<std::uint64_t>);
      if (item_size_ == 4) fill(load_item<std::uint32_t>);
      if (item_size_ == 2) fill(load_item<std::uint16_t>);
      if (item_size_ == 1) fill(load_item<std::uint8_t>);
      break;
  }
}

std::vector<std::string> NpyArray::texts() {
  if (!is_text()) fail("holds numbers; expected text");
  if (shape_.size() != 1) fail(fmt::format("has shape {}; expected one dimension", to_string(shape_)));
  std::vector<std::string> result(shape_[0]);
  std::string item(item_size_, '\0');
  for (std::string& text : result) {
    read_items(item.data(), 1);
    if (kind_ == 'S') {
      text = item.substr(0, item.find('\0'));
      continue;
    }
    for (std::size_t at = 0; at < item.size(); at += 4) {
      const auto point = load_item<std::uint32_t>(item.data() + at, swapped_);
      if (point == 0) break;
      append_utf8(text, point);
    }
  }
  expect_end();
  return result;
}

std::string to_string(const std::vector<std::size_t>& shape) {
  std::string result = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) result += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return result + (shape.size() == 1 ? ",)" : ")");
}

std::string npy_bytes(const Matrix& values) {
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = values;
  const auto shape = {static_cast<std::size_t>(values.rows()), static_cast<std::size_t>(values.cols())};
  return preamble("f8", shape).append(reinterpret_cast<const char*>(rows.data()), bytes_of(rows));
}

std::string npy_bytes(const Vector& values) {
  return preamble("f8", {static_cast<std::size_t>(values.size())})
      .append(reinterpret_cast<const char*>(values.data()), bytes_of(values));
}

std::string npy_bytes(const std::vector<std::string>& texts) {
  std::vector<std::u32string> points;
  std::size_t longest = 1;  // there is no type of length 0
  for (const std::string& text : texts) {
    points.push_back(code_points(text));
    longest = std::max(longest, points.back().size());
  }
  std::string bytes = preamble(fmt::format("U{}", longest), {texts.size()});
  for (std::u32string& text : points) {
    text.resize(longest, U'\0');
    bytes.append(reinterpret_cast<const char*>(text.data()), text.size() * sizeof(char32_t));
  }
  return bytes;
}

Matrix read_npy(const std::string& path) {
  ByteStream file(path);
  return NpyArray(file, path).matrix();
}

void write_npy(const std::string& path, const Matrix& values) { write_file_atomically(path, npy_bytes(values)); }

}  // namespace conelu
