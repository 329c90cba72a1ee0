#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace conelu {

inline bool ends_line(char c) { return c == '\n' || c == '\r'; }

/// The number that the whole of `text` spells, whatever the locale; nothing if it spells none. Takes a leading plus,
/// `nan` and `inf`; what is too large for a double is an infinity, what is too small is 0.
std::optional<double> parse_number(std::string_view text);

/// The integer that the whole of `text` spells.
std::optional<std::ptrdiff_t> parse_integer(std::string_view text);

/// The shortest text that reads back as the same number.
std::string format_number(double value);

/// What to say about a value that is not finite.
std::string not_finite(double value);

/// In quotes and short enough for a message; bytes that would disturb a terminal become '?'.
std::string in_quotes(std::string_view text);

/// The first `limit` of them quoted and separated by commas, and how many there are beyond.
std::string listed(const std::vector<std::string>& texts, std::size_t limit);

/// x1, x2, ...: what features are called when nobody named them.
std::vector<std::string> default_feature_names(std::size_t count);

}  // namespace conelu
