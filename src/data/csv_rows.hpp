#pragma once

#include <array>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conelu/linear_algebra.hpp"
#include "data/byte_stream.hpp"
#include "data/short_number.hpp"

namespace conelu {

/// The rows of a text table, one after another in a single pass that holds little more than one row in memory.
///
/// Fields come without surrounding blanks and quotes, with "" inside quotes read as ". Skips a UTF-8 byte order mark
/// and blank lines; lines may end in LF, CRLF or CR.
class CsvRows {
 public:
  enum class Quotes { protect, are_plain };

  /// The table in `begin`, which must be its first bytes, and the rest of `source`, if there is one. Without a
  /// delimiter, find_delimiter chooses one. Throws std::invalid_argument, as next() does, beginning with `path`.
  CsvRows(std::string begin, ByteStream* source, const std::string& path, const std::string& delimiter = "",
          Quotes quotes = Quotes::protect);

  /// Moves to the next row; false at the end.
  bool next();

  /// Valid until the next call of next().
  std::span<const std::string_view> fields() const { return {fields_.data(), count_}; }
  /// What each field spells if that is a short decimal number, which is known once the field's end is; NaN otherwise:
  /// then parse_number says.
  std::span<const double> numbers() const { return {numbers_.data(), count_}; }
  /// Where the row begins, counted from 1.
  Index line() const { return line_; }
  char delimiter() const { return delimiter_; }

 private:
  void skip_blank_lines();
  void read_row();
  void read_quoted_field();
  ShortNumber scan_number() const;
  ShortNumber read_short_numbers();
  void finish_plain_field(ShortNumber begun);
  void add_field(std::string_view text, double number);
  bool at_end_of_plain_field() const { return at_ == end_ || ends_plain_field_[static_cast<unsigned char>(*at_)]; }
  bool end_field();
  void end_line();
  bool refill(const char* kept);
  void skip_blanks() {
    while (at_ != end_ && is_blank_[static_cast<unsigned char>(*at_)]) ++at_;
  }

  std::string buffer_;
  ByteStream* source_;  ///< null once it is at its end
  const char* at_;
  const char* end_;
  std::string path_;
  char delimiter_;
  Quotes quotes_;
  bool numbers_are_plain_;  ///< no delimiter stands inside a number
  std::array<bool, 256> is_blank_{};
  std::array<bool, 256> ends_plain_field_{};
  Index line_ = 0;
  Index lines_begun_ = 1;
  std::size_t count_ = 0;  ///< fields of this row; there is room for more
  std::vector<std::string_view> fields_;
  std::vector<double> numbers_;
  std::deque<std::string> unescaped_;  ///< owns the fields of this row that had "" in them
};

}  // namespace conelu
