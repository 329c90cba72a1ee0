#pragma once

#include <string>
#include <string_view>

namespace conelu {

/// What stands for runs of blanks and tabs between fields.
constexpr char blanks = ' ';

/// The delimiter that the first rows of a text table agree on: tab, semicolon, bar, comma; or blanks, if it is none of
/// these or if the fields between tabs are themselves several numbers with blanks between them.
char find_delimiter(std::string_view text);

/// The delimiter that a setting names: one character, `tab`, `blanks` or `comma`, `semicolon`, `bar`. Throws
/// std::invalid_argument.
char parse_delimiter(const std::string& setting);

}  // namespace conelu
