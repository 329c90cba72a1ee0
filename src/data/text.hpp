#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace conelu {

inline bool ends_line(char c) { return c == '\n' || c == '\r'; }

/// The number that the whole of `text` spells, whatever the locale; nothing if it spells none. Takes a leading plus,
/// `nan` and `inf`; what is too large for a double is an infinity, what is too small is 0.
std::optional<double> parse_number(std::string_view text);
/// True for a number whose neighbours among the integers are other doubles: one below 2^53.
bool told_apart(std::optional<double> number);
/// parse_number, for texts that scan_short_number has seen already.
std::optional<double> parse_long_number(std::string_view text);

/// The integer that the whole of `text` spells.
std::optional<std::ptrdiff_t> parse_integer(std::string_view text);

/// The shortest text that reads back as the same number.
std::string format_number(double value);

/// Texts that people write where they have no value.
bool looks_missing(std::string_view text);

/// What to say about a value that is not finite.
std::string not_finite(double value);

/// Whether these bytes are text in UTF-8, the only kind that model files hold.
bool is_utf8(std::string_view text);
inline constexpr std::string_view not_utf8 = "not text in UTF-8; save the file as UTF-8";

/// In quotes and short enough for a message; bytes that would disturb a terminal become '?'.
std::string in_quotes(std::string_view text);

/// The first `limit` of them quoted and separated by commas, and how many there are beyond.
std::string listed(const std::vector<std::string>& texts, std::size_t limit);

/// Lets a map from std::string look up a std::string_view without making a string of it.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

/// x1, x2, ...: what features are called when nobody named them.
std::vector<std::string> default_feature_names(std::size_t count);

}  // namespace conelu
