#include "data/text.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>

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

std::string quoted(std::string_view text) {
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
  for (std::size_t i = 0; i < texts.size() && i < limit; ++i) result += (i > 0 ? ", " : "") + quoted(texts[i]);
  if (texts.size() > limit) result += fmt::format(" and {} more", texts.size() - limit);
  return result;
}

std::vector<std::string> default_feature_names(std::size_t count) {
  std::vector<std::string> names(count);
  for (std::size_t i = 0; i < count; ++i) names[i] = fmt::format("x{}", i + 1);
  return names;
}

}  // namespace conelu
