#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "output.hpp"
#include "usage.hpp"

namespace conelu::tool {
namespace {

struct HelpOptions {
  std::string command;
  bool markdown = false;
};

constexpr const char* kIntroduction = R"(# Command line

<!-- Printed by `conelu help --markdown`; a test compares the two. Do not edit. -->

```text
conelu COMMAND ARGUMENTS [OPTIONS]
```

Options and arguments come in any order; `--option VALUE` and `--option=VALUE` are the same. `conelu help COMMAND`, or
`conelu COMMAND --help`, prints what follows for one command, and `conelu --version` the version. Results go to stdout;
notes, warnings, errors and the progress line to stderr. Colours and the progress line are for terminals only
(`NO_COLOR` and `TERM=dumb` turn colours off). Files are written beside their name first and take it when they are whole.

)";

constexpr const char* kConfig = R"(
## Options in a file

Every command takes `--config FILE`, a JSON object whose keys are the command's options without their dashes (`_` will do
for `-`) and its arguments, such as `DATA`. Options on the command line come before those of the file.

```json
{"DATA": "points.csv", "beta": 1e-3, "eps": {"x1": 0.2, "x2": 0.1}, "standardize": true, "na": ["?", "NA"]}
```

Switches are `true` or `false`, lists are lists or texts with commas. A key that the command does not know, a value of
the wrong type and a file that is not JSON are errors that name file and key, or file, line and byte. Paths are relative
to where the command is run, as on the command line.

## Exit codes

| code | meaning |
|---|---|
| 0 | done, also if the tolerance was not met: `status` says so, and a warning goes to stderr |
| 1 | internal error |
| 2 | bad input or usage; the message names the file, row, column or option |
| 3 | `train --strict`: the status is not `optimal` |
| 130 | interrupted by Ctrl-C; what there was by then was written or printed |
)";

/// For a cell of a table: a bar would end it.
std::string in_cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

std::string option_row(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += fmt::format("{}`-{}`", names.empty() ? "" : ", ", name);
  for (const std::string& name : option.get_lnames()) {
    const std::string value = option.get_option_text().empty() ? "" : " " + option.get_option_text();
    names += fmt::format("{}`--{}{}`", names.empty() ? "" : ", ", name, value);
  }
  if (names.empty()) names = fmt::format("`{}`", option.get_name(true));
  return fmt::format("| {} | {} | {} |\n", in_cell(names), in_cell(option.get_description()),
                     in_cell(option.get_default_str()));
}

std::string option_table(const std::string& title, const std::vector<const CLI::Option*>& options) {
  if (options.empty()) return "";
  std::string table = fmt::format("\n| {} | | default |\n|---|---|---|\n", title);
  for (const CLI::Option* option : options) table += option_row(*option);
  return table;
}

std::string command_section(const CLI::App& command) {
  std::string arguments;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) arguments += " " + option->get_name(true);
  }
  std::string section = fmt::format("\n## conelu {}\n\n{}.\n\n```text\nconelu {}{} [OPTIONS]\n```\n",
                                    command.get_name(), command.get_description(), command.get_name(), arguments);
  section += option_table("argument", command.get_options([](const CLI::Option* o) { return o->get_positional(); }));
  for (const std::string& group : groups_in_order(command)) {
    section += option_table(group, command.get_options([&](const CLI::Option* o) {
      return o->get_group() == group && o->nonpositional();
    }));
  }
  if (!command.get_footer().empty()) section += fmt::format("\n```text\n{}\n```\n", command.get_footer());
  return section;
}

std::string markdown(const CLI::App& tool) {
  std::string text = kIntroduction;
  const auto commands = tool.get_subcommands({});
  text += "| command | |\n|---|---|\n";
  for (const CLI::App* command : commands) {
    text += fmt::format("| [`{0}`](#conelu-{0}) | {1} |\n", command->get_name(), command->get_description());
  }
  for (const CLI::App* command : commands) text += command_section(*command);
  return text + kConfig;
}

int run(const HelpOptions& options, CLI::App& tool) {
  if (options.markdown) {
    print_result(markdown(tool));
  } else if (options.command.empty()) {
    print_result(tool.get_formatter()->make_help(&tool, "conelu", CLI::AppFormatMode::Normal));
  } else {
    print_result(find_command(tool, options.command).help("conelu"));
  }
  return done;
}

}  // namespace

Command add_help(CLI::App& tool) {
  const auto options = std::make_shared<HelpOptions>();
  CLI::App& command = *tool.add_subcommand("help", "Explain a command, or print all of this as a document");
  command.allow_extras();
  command.add_option("COMMAND", options->command, "the command to explain")->default_str("all, in a line each");
  command.add_flag("--markdown", options->markdown, "print docs/cli.md, the help of all commands");
  return {&command, [options, &tool] { return run(*options, tool); }};
}

}  // namespace conelu::tool
