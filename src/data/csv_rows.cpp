#include "data/csv_rows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace conelu {
namespace {

bool ends_line(char c) { return c == '\n' || c == '\r'; }

/// Removes the first line that is not blank from `text` and counts each delimiter in it, outside quotes.
std::array<Index, 3> count_delimiters(std::string_view& text, const std::array<char, 3>& delimiters) {
  std::array<Index, 3> counts{};
  bool quoted = false, blank = true;
  std::size_t i = 0;
  for (; i < text.size() && (quoted || blank || !ends_line(text[i])); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] != ' ' && !ends_line(text[i])) blank = false;
    for (std::size_t k = 0; k < delimiters.size(); ++k) counts[k] += !quoted && text[i] == delimiters[k];
  }
  text.remove_prefix(i);
  return counts;
}

char find_delimiter(std::string_view text) {
  // Commas come last: they may be decimal commas or part of a name in a file that is delimited otherwise.
  constexpr std::array<char, 3> delimiters = {'\t', ';', ','};
  const auto first = count_delimiters(text, delimiters);
  const auto second = count_delimiters(text, delimiters);
  for (std::size_t k = 0; k < delimiters.size(); ++k) {
    if (first[k] > 0 && first[k] == second[k]) return delimiters[k];
  }
  if (*std::max_element(first.begin(), first.end()) == 0) return ',';
  return delimiters[static_cast<std::size_t>(std::max_element(first.begin(), first.end()) - first.begin())];
}

}  // namespace

CsvRows::CsvRows(std::string_view bytes, const std::string& path) : path_(path) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
  if (bytes.substr(0, 4096).find('\0') != std::string_view::npos) {
    throw std::invalid_argument(fmt::format("{}: is not a text file; expected CSV in UTF-8, or .npz", path));
  }
  delimiter_ = find_delimiter(bytes);
  at_ = bytes.data();
  end_ = at_ + bytes.size();
}

bool CsvRows::next() {
  fields_.clear();
  unescaped_.clear();
  while (at_ != end_ && (is_blank(*at_) || ends_line(*at_))) ends_line(*at_) ? end_line() : void(++at_);
  if (at_ == end_) return false;
  line_ = lines_begun_;
  do {
    while (at_ != end_ && is_blank(*at_)) ++at_;
    at_ != end_&&* at_ == '"' ? read_quoted_field() : read_plain_field();
  } while (end_field());
  return true;
}

void CsvRows::read_plain_field() {
  const char* begin = at_;
  while (at_ != end_ && *at_ != delimiter_ && !ends_line(*at_)) ++at_;
  const char* last = at_;
  while (last != begin && is_blank(last[-1])) --last;
  fields_.emplace_back(begin, static_cast<std::size_t>(last - begin));
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
  fields_.push_back(field);
  while (at_ != end_ && is_blank(*at_)) ++at_;
}

/// Steps over what ends a field; true if another field of the row follows.
bool CsvRows::end_field() {
  if (at_ == end_) return false;
  if (ends_line(*at_)) {
    end_line();
    return false;
  }
  if (*at_ == delimiter_) {
    ++at_;
    return true;
  }
  throw std::invalid_argument(
      fmt::format("{}, line {}: text follows the closing quote of field {}", path_, line_, fields_.size()));
}

void CsvRows::end_line() {
  if (*at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n') ++at_;
  ++at_;
  ++lines_begun_;
}

}  // namespace conelu
