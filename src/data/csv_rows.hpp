#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "conelu/linear_algebra.hpp"

namespace conelu {

/// The rows of a text table, one after another in a single pass.
///
/// The delimiter (tab, semicolon or comma) is the one that the first two rows agree on. Fields come without surrounding
/// blanks and quotes, with "" inside quotes read as ". Skips a UTF-8 byte order mark and blank lines; lines may end in
/// LF, CRLF or CR.
class CsvRows {
 public:
  /// `bytes` must outlive the rows. Throws std::invalid_argument, as next() does, beginning with `path`.
  CsvRows(std::string_view bytes, const std::string& path);

  /// Moves to the next row; false at the end.
  bool next();

  /// Valid until the next call of next().
  const std::vector<std::string_view>& fields() const { return fields_; }
  /// Where the row begins, counted from 1.
  Index line() const { return line_; }
  char delimiter() const { return delimiter_; }

 private:
  void read_quoted_field();
  void read_plain_field();
  bool end_field();
  void end_line();
  bool is_blank(char c) const { return c == ' ' || (c == '\t' && delimiter_ != '\t'); }

  const char* at_;
  const char* end_;
  std::string path_;
  char delimiter_ = ',';
  Index line_ = 0;
  Index lines_begun_ = 1;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unescaped_;  ///< owns the fields of this row that had "" in them
};

}  // namespace conelu
