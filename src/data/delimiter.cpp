#include "data/delimiter.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "data/text.hpp"

namespace conelu {
namespace {

// Commas come last: they may be decimal commas or part of a name in a file that is delimited otherwise.
constexpr std::array<char, 4> candidates = {'\t', ';', '|', ','};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Removes the first line that is not blank from `text` and returns it, with what is in quotes cut out.
std::string take_line(std::string_view& text) {
  std::string line;
  bool quoted = false, blank = true;
  std::size_t i = 0;
  for (; i < text.size() && (quoted || blank || !ends_line(text[i])); ++i) {
    if (!is_blank(text[i]) && !ends_line(text[i])) blank = false;
    if (text[i] == '"') quoted = !quoted;
    if (!blank && !quoted) line += text[i];
  }
  text.remove_prefix(i);
  return line;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() && !is_blank(text[at])) ++at;
    if (at > begin) result.push_back(text.substr(begin, at - begin));
    while (at < text.size() && is_blank(text[at])) ++at;
  }
  return result;
}

/// True if one of the fields between tabs is several numbers with blanks between them.
bool holds_several_numbers(std::string_view line) {
  while (!line.empty()) {
    const std::size_t end = std::min(line.find('\t'), line.size());
    const auto parts = words(line.substr(0, end));
    const auto is_number = [](std::string_view part) { return parse_number(part).has_value(); };
    if (parts.size() > 1 && std::all_of(parts.begin(), parts.end(), is_number)) return true;
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return false;
}

}  // namespace

char find_delimiter(std::string_view text) {
  const std::string first = take_line(text);
  const std::string second = take_line(text);
  const auto count = [](const std::string& line, char c) { return std::count(line.begin(), line.end(), c); };
  for (const char c : candidates) {
    if (count(first, c) == 0 || count(first, c) != count(second, c)) continue;
    return c == '\t' && holds_several_numbers(first) ? blanks : c;
  }
  const auto most = std::max_element(candidates.begin(), candidates.end(),
                                     [&](char a, char b) { return count(first, a) < count(first, b); });
  if (count(first, *most) > 0) return *most;
  const std::size_t fields = words(first).size();
  return fields > 1 && (second.empty() || words(second).size() == fields) ? blanks : ',';
}

char parse_delimiter(const std::string& setting) {
  if (setting == "tab" || setting == "\\t") return '\t';
  if (setting == "blanks") return blanks;
  if (setting == "comma") return ',';
  if (setting == "semicolon") return ';';
  if (setting == "bar") return '|';
  const bool usable = setting.size() == 1 && setting[0] != '"' && !ends_line(setting[0]) && setting[0] != '\0';
  if (usable) return setting[0];
  throw std::invalid_argument(
      fmt::format("delimiter: {} cannot be one; expected one character (no quote), or tab, blanks, comma, semicolon, bar",
                  in_quotes(setting)));
}

}  // namespace conelu
