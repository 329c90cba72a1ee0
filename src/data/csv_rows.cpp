#include "data/csv_rows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "data/delimiter.hpp"

namespace conelu {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

CsvRows::CsvRows(std::string begin, ByteStream* source, const std::string& path, const std::string& delimiter,
                 Quotes quotes)
    : buffer_(std::move(begin)), source_(source), path_(path), quotes_(quotes) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  std::string_view text = buffer_;
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (const std::size_t zero = text.substr(0, 4096).find('\0'); zero != std::string_view::npos) {
    throw std::invalid_argument(
        fmt::format("{}: is not a text file, as byte {} is zero; expected CSV in UTF-8, or .npz, .npy, IDX, CIFAR-10",
                    path, zero + static_cast<std::size_t>(text.data() - buffer_.data())));
  }
  delimiter_ = delimiter.empty() ? find_delimiter(text) : parse_delimiter(delimiter);
  for (const char c : {' ', '\t'}) is_blank_[static_cast<unsigned char>(c)] = delimiter_ == blanks || c != delimiter_;
  for (const char c : {'\n', '\r', delimiter_}) ends_plain_field_[static_cast<unsigned char>(c)] = true;
  if (delimiter_ == blanks) ends_plain_field_[static_cast<unsigned char>('\t')] = true;
  numbers_are_plain_ = std::string_view("-.0123456789").find(delimiter_) == std::string_view::npos;
  at_ = text.data();
  end_ = at_ + text.size();
}

bool CsvRows::next() {
  skip_blank_lines();
  if (at_ == end_) return false;
  line_ = lines_begun_;
  while (true) {
    const char* const begin = at_;
    count_ = 0;
    read_row();
    // A row that touches the end of the buffer may go on behind it.
    if (at_ != end_ || source_ == nullptr) return true;
    refill(begin);
    lines_begun_ = line_;
  }
}

void CsvRows::skip_blank_lines() {
  while (true) {
    skip_blanks();
    // What follows CR decides whether it ends a line alone.
    const bool is_cut = at_ == end_ || (*at_ == '\r' && at_ + 1 == end_);
    if (is_cut && refill(at_)) continue;
    if (at_ == end_ || !ends_line(*at_)) return;
    end_line();
  }
}

void CsvRows::read_row() {
  if (!unescaped_.empty()) unescaped_.clear();
  do {
    const ShortNumber begun = read_short_numbers();
    if (begun.end != end_ && *begun.end == '\n' && !std::isnan(begun.value)) {
      add_field({at_, static_cast<std::size_t>(begun.end - at_)}, begun.value);
      at_ = begun.end + 1;
      ++lines_begun_;
      return;
    }
    if (begun.end != at_) {
      finish_plain_field(begun);
    } else if (skip_blanks(); at_ != end_ && *at_ == '"' && quotes_ == Quotes::protect) {
      read_quoted_field();
    } else {
      finish_plain_field(scan_number());
    }
  } while (end_field());
}

inline void CsvRows::add_field(std::string_view text, double number) {
  if (count_ == fields_.size()) {
    fields_.resize(2 * count_ + 16);
    numbers_.resize(fields_.size());
  }
  fields_[count_] = text;
  numbers_[count_++] = number;
}

inline ShortNumber CsvRows::scan_number() const {
  return numbers_are_plain_ ? scan_short_number(at_, end_) : ShortNumber{at_, no_number};
}

/// Most fields are short numbers with a delimiter right behind each: a loop that does nothing else takes those. Returns
/// what it has seen of the next field, which is none.
ShortNumber CsvRows::read_short_numbers() {
  ShortNumber number = scan_number();
  if (delimiter_ == blanks) return number;
  // In variables of its own: members would be fetched and stored again for every field.
  const char* at = at_;
  const char* const end = end_;
  const char delimiter = delimiter_;
  std::string_view* field = fields_.data() + count_;
  double* value = numbers_.data() + count_;
  const std::string_view* const last = fields_.data() + fields_.size();
  while (field != last && number.end != end && *number.end == delimiter && !std::isnan(number.value)) {
    *field++ = {at, static_cast<std::size_t>(number.end - at)};
    *value++ = number.value;
    at = number.end + 1;
    number = scan_short_number(at, end);
  }
  at_ = at;
  count_ = static_cast<std::size_t>(field - fields_.data());
  return number;
}

/// `begun`: how much of the field is known to look like a number.
void CsvRows::finish_plain_field(ShortNumber begun) {
  const char* const begin = at_;
  const char* last = at_ = begun.end;
  if (!at_end_of_plain_field()) skip_blanks();
  if (!at_end_of_plain_field()) {  // a text after all
    while (!at_end_of_plain_field()) ++at_;
    last = at_;
    while (last != begin && is_blank_[static_cast<unsigned char>(last[-1])]) --last;
    begun.value = no_number;
  }
  add_field({begin, static_cast<std::size_t>(last - begin)}, begun.value);
}

void CsvRows::read_quoted_field() {
  const char* begin = ++at_;
  bool escapes = false;
  for (; at_ != end_; ++at_) {
    if (*at_ == '\n') ++lines_begun_;
    if (*at_ != '"') continue;
    if (at_ + 1 == end_ || at_[1] != '"') break;
    escapes = true;
    ++at_;
  }
  if (at_ == end_ && source_ != nullptr) return add_field({}, no_number);  // next() tries again with more
  if (at_ == end_) throw std::invalid_argument(fmt::format("{}, line {}: a quote is not closed", path_, line_));
  std::string_view field(begin, static_cast<std::size_t>(at_++ - begin));
  if (escapes) {
    std::string& text = unescaped_.emplace_back();
    for (std::size_t i = 0; i < field.size(); ++i) {
      text += field[i];
      if (field[i] == '"') ++i;
    }
    field = text;
  }
  add_field(field, no_number);
}

/// Steps over what ends a field; true if another field of the row follows.
bool CsvRows::end_field() {
  const char* const begin = at_;
  skip_blanks();
  if (at_ == end_) return false;
  if (ends_line(*at_)) {
    end_line();
    return false;
  }
  if (delimiter_ == blanks && at_ != begin) return true;
  if (*at_ == delimiter_) {
    ++at_;
    return true;
  }
  throw std::invalid_argument(
      fmt::format("{}, line {}: text follows the closing quote of field {}", path_, line_, count_));
}

void CsvRows::end_line() {
  if (*at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n') ++at_;
  ++at_;
  ++lines_begun_;
}

/// Moves what begins at `kept` to the front and reads on behind it; `at_` is there then. False at the end of the file.
bool CsvRows::refill(const char* kept) {
  if (source_ == nullptr) return false;
  constexpr std::size_t least = std::size_t{1} << 16;
  const auto size = static_cast<std::size_t>(end_ - kept);
  std::memmove(buffer_.data(), kept, size);
  if (buffer_.size() < size + least) buffer_.resize(std::max(2 * size, size + least));
  const std::size_t got = source_->read(buffer_.data() + size, buffer_.size() - size);
  if (size + got < buffer_.size()) source_ = nullptr;
  at_ = buffer_.data();
  end_ = at_ + size + got;
  return got > 0;
}

}  // namespace conelu
