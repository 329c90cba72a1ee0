#include "data/text.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <cstdint>

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

/// Numbers such as -12.5, which most are, in a few nanoseconds: whole numbers below 2^53 and powers of ten up to 10^22
/// are exact, so that one division gives the double nearest to the decimal number (Clinger 1990). Others: nothing.
std::optional<double> parse_short_number(std::string_view text) {
  constexpr double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  if (end - at < 1 || end - at > 16) return std::nullopt;
  std::uint64_t digits = 0;
  const char* point = nullptr;
  for (const char* c = at; c != end; ++c) {
    const auto digit = static_cast<unsigned>(*c - '0');
    if (digit < 10) {
      digits = 10 * digits + digit;
    } else if (*c == '.' && point == nullptr) {
      point = c;
    } else {
      return std::nullopt;
    }
  }
  const std::ptrdiff_t count = end - at - (point != nullptr ? 1 : 0);
  if (count < 1 || count > 15) return std::nullopt;
  const double value = static_cast<double>(digits) / powers[point != nullptr ? end - point - 1 : 0];
  return negative ? -value : value;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  if (const auto value = parse_short_number(text)) return value;
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

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  const bool cut = text.size() > longest;
  std::string result = "'";
  for (const char c : cut ? text.substr(0, longest) : text) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte < 0x20 || byte == 0x7f ? '?' : c;
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
