#include "usage.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <sstream>

namespace conelu::tool {
namespace {

constexpr std::size_t kTextColumn = 26;
constexpr std::size_t kWidth = 80;

std::string paragraph(const std::string& left, const std::string& text) {
  std::string out = "  " + left;
  std::size_t column = out.size();
  if (column + 2 > kTextColumn) {
    out += "\n";
    column = 0;
  }
  out.append(kTextColumn - column, ' ');
  column = kTextColumn;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (column > kTextColumn && column + 1 + word.size() > kWidth) {
      out += "\n" + std::string(kTextColumn, ' ');
      column = kTextColumn;
    }
    if (column > kTextColumn) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out + "\n";
}

std::string names_of(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += fmt::format("{}-{}", names.empty() ? "" : ", ", name);
  for (const std::string& name : option.get_lnames()) names += fmt::format("{}--{}", names.empty() ? "" : ", ", name);
  return names;
}

/// Levenshtein's: insertions, deletions and replacements.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row.back();
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string best = nearest(word, candidates);
  return best.empty() ? "" : fmt::format("; did you mean {}?", best);
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    // A long beginning counts as near: --patt, --time.
    const bool begins = word.size() >= 4 && candidate.starts_with(word);
    // So does a beginning that was spelt out: --epsilon.
    const bool continues = candidate.size() >= 5 && word.starts_with(candidate);
    const std::size_t beginning = begins ? 1 : continues ? 2 : std::string::npos;
    const std::size_t distance = std::min(beginning, edit_distance(word, candidate));
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

void check_command(const CLI::App& tool) {
  const std::vector<std::string> left = tool.remaining();
  if (left.empty()) return;
  if (left.front().starts_with("-")) {
    throw UsageError(fmt::format("unknown option {}{}", left.front(), suggestion(left.front(), option_names(tool))));
  }
  find_command(tool, left.front());
}

const CLI::App& find_command(const CLI::App& tool, const std::string& name) {
  std::vector<std::string> commands;
  for (const CLI::App* command : tool.get_subcommands({})) {
    if (command->get_name() == name) return *command;
    commands.push_back(command->get_name());
  }
  throw UsageError(fmt::format("unknown command {}{}", name, suggestion(name, commands)));
}

std::vector<std::string> groups_in_order(const CLI::App& command) {
  std::vector<std::string> groups = command.get_groups();
  std::stable_partition(groups.begin(), groups.end(), [](const std::string& group) { return group != "Options"; });
  return groups;
}

void check_usage(const CLI::App& command) {
  const std::vector<std::string> left = command.remaining();
  for (const std::string& word : left) {
    if (!word.starts_with("-")) continue;
    const std::string name = word.substr(0, word.find('='));
    throw UsageError(fmt::format("unknown option {}{}", name, suggestion(name, option_names(command))));
  }
  if (!left.empty()) throw UsageError(fmt::format("unexpected argument {}", left.front()));
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() && option->count() == 0 && option->get_default_str().empty()) {
      throw UsageError(fmt::format("{} is missing: {}", option->get_name(true), option->get_description()));
    }
  }
}

CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& value,
                        const std::vector<std::string>& choices, const std::string& description) {
  const auto check = [choices](const std::string& text) {
    const bool known = std::find(choices.begin(), choices.end(), text) != choices.end();
    return known ? "" : fmt::format("must be one of {}, not {}", fmt::join(choices, ", "), text);
  };
  return app.add_option(name, value, description)->check(check);
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  std::string help = app->get_description() + "\n" + make_usage(app, name);
  const auto positionals = app->get_options([](const CLI::Option* option) { return option->get_positional(); });
  if (!positionals.empty()) help += make_group("Arguments", true, positionals);
  help += make_subcommands(app, mode);
  for (const std::string& group : groups_in_order(*app)) {
    const auto options = app->get_options(
        [&](const CLI::Option* option) { return option->get_group() == group && option->nonpositional(); });
    if (!options.empty()) help += make_group(group, false, options);
  }
  return app->get_footer().empty() ? help : help + "\n" + app->get_footer() + "\n";
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  std::string usage = "\nUsage: " + name;
  for (const CLI::Option* option : app->get_options()) {
    if (option->get_positional()) usage += " " + option->get_name(true);
  }
  if (!app->get_subcommands({}).empty()) usage += " COMMAND";
  return usage + " [OPTIONS]\n";
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  std::string left = is_positional ? option->get_name(true) : names_of(*option);
  if (!is_positional && !option->get_option_text().empty()) left += " " + option->get_option_text();
  std::string text = option->get_description();
  if (!option->get_default_str().empty()) text += fmt::format(" (default: {})", option->get_default_str());
  return paragraph(left, text);
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return paragraph(command->get_name(), command->get_description());
}

}  // namespace conelu::tool
