#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

namespace conelu::tool {

/// A command line that cannot be meant; the reader is pointed to --help.
class UsageError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Help with one option a paragraph: names and value on the left, text and default on the right, 80 columns.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
};

/// Throws UsageError for a word that is no command, suggesting the nearest.
void check_command(const CLI::App& tool);

/// The command of that name. Throws UsageError suggesting the nearest if there is none.
const CLI::App& find_command(const CLI::App& tool, const std::string& name);

/// Groups of options as help shows them: the one that holds --help, which every command has, comes last.
std::vector<std::string> groups_in_order(const CLI::App& command);

/// Throws UsageError for arguments left over, suggesting the nearest option, and for positionals that are missing and
/// have no default.
void check_usage(const CLI::App& command);

/// The candidate that takes the fewest edits to reach, or nothing if all are far away.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

/// What is wrong with a number outside its range, or nothing. Infinite limits are left unsaid; NaN is in no range.
template <class T>
std::string range_problem(const std::string& text, T lowest, T highest, bool open = false) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (is_number && (open ? lowest < value && value < highest : lowest <= value && value <= highest)) return {};
  const bool above = std::is_unsigned_v<T> || lowest > std::numeric_limits<T>::lowest();
  const bool below = highest < std::numeric_limits<T>::max();
  std::string range = std::is_integral_v<T> ? "a whole number" : "a number";
  if (above && below) {
    range += fmt::format(" between {} and {}", lowest, highest);
  } else if (above) {
    range += fmt::format(" {} {}", open ? "above" : "of at least", lowest);
  }
  return fmt::format("must be {}, not {}", range, text);
}

/// An option whose value must lie in [lowest, highest], or strictly between them if `open`.
template <class T>
CLI::Option* add_number(CLI::App& app, const std::string& name, T& value, T lowest, T highest,
                        const std::string& description, bool open = false) {
  const auto check = [=](const std::string& text) { return range_problem(text, lowest, highest, open); };
  return app.add_option(name, value, description)
      ->option_text(std::is_integral_v<T> ? "COUNT" : "NUMBER")
      ->capture_default_str()
      ->check(check);
}

/// An option whose value is one of a few words.
CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& value,
                        const std::vector<std::string>& choices, const std::string& description);

}  // namespace conelu::tool
