#include "data/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "data/short_number.hpp"

namespace conelu {
namespace {

std::string_view without_plus(std::string_view text) {
  const bool signed_twice = text.size() > 1 && text[1] == '-';
  if (text.starts_with('+') && !signed_twice) text.remove_prefix(1);
  return text;
}

template <class Number>
std::errc convert(std::string_view text, Number& value) {
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return rest == text.data() + text.size() ? error : std::errc::invalid_argument;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  const char* const end = text.data() + text.size();
  const ShortNumber number = scan_short_number(text.data(), end);
  if (number.end == end && !std::isnan(number.value)) return number.value;
  return parse_long_number(text);
}

bool told_apart(std::optional<double> number) { return number && std::abs(*number) < 9007199254740992.0; }

std::optional<double> parse_long_number(std::string_view text) {
  text = without_plus(text);
  double value = 0;
  const std::errc error = convert(text, value);
  if (error == std::errc()) return value;
  if (error != std::errc::result_out_of_range) return std::nullopt;
  // The wider type tells 1e400 from 1e-400, which from_chars does not.
  long double wide = 0;
  if (convert(text, wide) != std::errc()) return std::nullopt;
  return static_cast<double>(wide);
}

std::optional<std::ptrdiff_t> parse_integer(std::string_view text) {
  std::ptrdiff_t value = 0;
  if (convert(without_plus(text), value) != std::errc()) return std::nullopt;
  return value;
}

std::string format_number(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end);
}

std::string not_finite(double value) {
  return fmt::format("{} where a finite number was expected", std::isnan(value) ? "NaN" : "infinity");
}

bool is_utf8(std::string_view text) {
  std::size_t more = 0;        // bytes that the character still has
  unsigned low = 0, high = 0;  // between which the next of them must be
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (more > 0) {
      if (byte < low || byte > high) return false;
      --more;
    } else if (byte >= 0x80) {
      if (byte < 0xc2 || byte > 0xf4) return false;
      more = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    }
    // Neither longer spellings than needed, nor halves of pairs, nor anything beyond U+10FFFF.
    low = byte == 0xe0 ? 0xa0 : byte == 0xf0 ? 0x90 : 0x80;
    high = byte == 0xed ? 0x9f : byte == 0xf4 ? 0x8f : 0xbf;
  }
  return more == 0;
}

bool looks_missing(std::string_view text) {
  constexpr std::string_view common[] = {"?", "NA", "N/A", "n/a", "na", "null", "NULL", "None", "none", "-", "."};
  return std::find(std::begin(common), std::end(common), text) != std::end(common);
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  const bool cut = text.size() > longest;
  const bool foreign = !is_utf8(text);
  std::string result = "'";
  for (const char c : cut ? text.substr(0, longest) : text) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte < 0x20 || byte == 0x7f || (foreign && byte >= 0x80) ? '?' : c;
  }
  return result + (cut ? "...'" : "'");
}

std::string listed(const std::vector<std::string>& texts, std::size_t limit) {
  std::string result;
  for (std::size_t i = 0; i < texts.size() && i < limit; ++i) result += (i > 0 ? ", " : "") + in_quotes(texts[i]);
  if (texts.size() > limit) result += fmt::format(" and {} more", texts.size() - limit);
  return result;
}

std::vector<std::string> default_feature_names(std::size_t count) {
  std::vector<std::string> names(count);
  for (std::size_t i = 0; i < count; ++i) names[i] = fmt::format("x{}", i + 1);
  return names;
}

}  // namespace conelu
