#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conelu/linear_algebra.hpp"
#include "data/byte_source.hpp"

namespace conelu {

/// The first bytes of every .npy file.
constexpr std::string_view npy_magic = "\x93NUMPY";

/// One array in NumPy's file format, converted while it is read: it is in memory once.
///
/// Every member function throws std::invalid_argument that begins with `name` if the array is not of the kind it asks
/// for.
class NpyArray {
 public:
  /// Reads the header; `source` must outlive the array. `name` is what messages call it. Accepts versions 1 to 3 of the
  /// format.
  NpyArray(ByteSource& source, const std::string& name);

  /// Of an array with one dimension, or with two of which the second has length 1; nothing for others.
  std::optional<std::size_t> length() const;
  /// True for fixed-length text (`U` and `S`), which has no numbers in it but may hold labels.
  bool is_text() const { return kind_ == 'U' || kind_ == 'S'; }

  // Each of these reads the source to its end, which can be done once.

  /// A two-dimensional array of floats, integers or booleans.
  Matrix matrix();
  /// The same for one dimension, or for two of which the second has length 1.
  Vector vector();
  /// A one-dimensional array of text, as UTF-8.
  std::vector<std::string> texts();

  /// After reading: whether there were integers that a double cannot hold.
  bool was_rounded() const { return rounded_; }

 private:
  void parse_header(std::string_view header);
  void parse_type(const std::string& type);
  void require_numbers() const;
  void read_numbers(double* to, std::size_t count);
  void convert(const char* from, double* to, std::size_t count);
  void read_items(char* to, std::size_t count);
  void expect_end();
  [[noreturn]] void fail(const std::string& problem) const;
  [[noreturn]] void fail_as_truncated(const std::string& needed);

  ByteSource& source_;
  std::string name_;
  std::vector<std::size_t> shape_;
  char kind_ = 'f';  ///< NumPy's letter: f, i, u, b, U, S
  std::size_t item_size_ = 8;
  bool swapped_ = false;  ///< bytes in the other order than this machine's
  bool column_major_ = false;
  std::size_t data_size_ = 0;  ///< bytes that the shape needs
  std::size_t data_read_ = 0;
  bool rounded_ = false;
};

/// Shape as NumPy prints it, such as (3, 4).
std::string to_string(const std::vector<std::size_t>& shape);

/// The bytes of a .npy file that holds `values` as float64 in C order.
std::string npy_bytes(const Matrix& values);
/// The same with one dimension.
std::string npy_bytes(const Vector& values);
/// The same for UTF-8 text, as NumPy's fixed-length type `U`.
std::string npy_bytes(const std::vector<std::string>& texts);

}  // namespace conelu
