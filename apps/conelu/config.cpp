#include "config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <system_error>

#include "usage.hpp"

namespace conelu::tool {
namespace {

using nlohmann::json;

class ConfigFile {
 public:
  ConfigFile(CLI::App& command, std::string path) : command_(command), path_(std::move(path)) {}

  void apply() {
    for (const CLI::Option* option : command_.get_options()) {
      if (option->count() > 0) typed_.insert(option);
    }
    const json object = parse(read());
    if (!object.is_object())
      fail(fmt::format("is {}, expected an object such as {{\"beta\": 0.001}}", kind_of(object)));
    for (const auto& [key, value] : object.items()) set(key, value);
    check_exclusions();
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw UsageError(fmt::format("--config: '{}' {}", path_, problem));
  }
  [[noreturn]] void fail(const std::string& key, const std::string& problem) const {
    throw UsageError(fmt::format("--config: '{}', key \"{}\": {}", path_, key, problem));
  }

  std::string read() const {
    errno = 0;
    std::ifstream file(path_, std::ios::binary);
    std::ostringstream text;
    if (file) text << file.rdbuf();  // of a directory nothing can be read
    if (!file || (text.str().empty() && errno != 0)) {
      fail(fmt::format("cannot be read: {}", std::generic_category().message(errno)));
    }
    return text.str();
  }

  json parse(const std::string& text) const {
    std::set<std::string> keys;
    const auto watch = [&](int depth, json::parse_event_t event, json& parsed) {
      if (depth == 1 && event == json::parse_event_t::key && !keys.insert(parsed.get<std::string>()).second) {
        fail(parsed.get<std::string>(), "is there twice");
      }
      return true;
    };
    try {
      return json::parse(text, watch);
    } catch (const json::parse_error& error) {
      const std::size_t byte = std::min(error.byte, text.size());
      const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n');
      const std::string message = error.what();
      const std::size_t reason = message.find(": ");  // after "[json.exception...] parse error at line 1, column 2"
      fail(fmt::format("is not JSON at line {}, byte {}: {}", line, error.byte,
                       reason == std::string::npos ? message : message.substr(reason + 2)));
    } catch (const json::out_of_range& error) {  // 1e999, which it does not place
      const std::string message = error.what();
      fail("holds a number that is too large: " + message.substr(message.find("] ") + 2));
    }
  }

  static std::string kind_of(const json& value) {
    if (value.is_array()) return "a list";
    if (value.is_object()) return "an object";
    if (value.is_null()) return "null";
    return fmt::format("{} {}", value.is_boolean() ? "the truth value" : "the " + std::string(value.type_name()),
                       value.dump(-1, ' ', false, json::error_handler_t::replace));
  }

  /// The option's name as the command knows it. Settings and records write _ where options have -.
  std::string name_of(const std::string& key) const {
    std::vector<std::string> names;
    for (const CLI::Option* option : command_.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        if (name != "help" && name != "config") names.push_back(name);
      }
      if (option->get_positional()) names.push_back(option->get_name(true));
    }
    std::string name = key;
    if (std::find(names.begin(), names.end(), name) == names.end()) std::replace(name.begin(), name.end(), '_', '-');
    if (std::find(names.begin(), names.end(), name) != names.end()) return name;
    const std::string near = nearest(name, names);
    fail(key, fmt::format("conelu {} has no such option{}", command_.get_name(),
                          near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
  }

  void set(const std::string& key, const json& value) {
    const std::string name = name_of(key);
    CLI::Option* option = command_.get_option_no_throw("--" + name);
    if (option == nullptr) option = command_.get_option(name);
    const std::string text = text_of(key, *option, value);
    const auto typed = [&](const CLI::Option* other) { return typed_.count(other) > 0; };
    const auto excluded = option->get_excludes();
    if (typed(option) || std::any_of(excluded.begin(), excluded.end(), typed)) return;
    if (option->count() > 0) fail(key, "its option is there twice");
    const bool flag = option->get_expected_min() == 0;
    if (flag && text == "false" && !excluded.empty()) return;  // says no more than its absence
    try {
      option->add_result(flag ? option->get_flag_value(name, text) : text);
      option->run_callback();
    } catch (const CLI::Error& error) {
      const std::string message = error.what();
      const std::string prefix = option->get_name() + ": ";
      fail(key, message.starts_with(prefix) ? message.substr(prefix.size()) : message);
    }
  }

  /// What would have been typed. Throws UsageError for a type that the option cannot take.
  std::string text_of(const std::string& key, const CLI::Option& option, const json& value) const {
    const std::string& hint = option.get_option_text();
    if (option.get_expected_min() == 0) {
      if (!value.is_boolean()) fail(key, fmt::format("expected true or false, not {}", kind_of(value)));
      return value.get<bool>() ? "true" : "false";
    }
    if (hint == "NUMBER" || hint == "COUNT") {
      if (!value.is_number()) fail(key, fmt::format("expected a number, not {}", kind_of(value)));
      return value.dump();
    }
    if (value.is_string() || value.is_number()) return plain(value);
    const bool list = hint.find(",...") != std::string::npos;
    const bool map = hint.find("NAME=") != std::string::npos;
    if ((value.is_array() && list) || (value.is_object() && map)) return joined(key, value);
    fail(key, fmt::format("expected a text or a number{}{}, not {}", list ? ", or a list of them" : "",
                          map ? ", or an object of names with numbers" : "", kind_of(value)));
  }

  static std::string plain(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

  std::string joined(const std::string& key, const json& parts) const {
    std::string text;
    for (const auto& [name, part] : parts.items()) {
      if (!part.is_string() && !part.is_number()) {
        fail(key, fmt::format("a part of it is {}, expected a text or a number", kind_of(part)));
      }
      text += (text.empty() ? "" : ",") + (parts.is_object() ? name + "=" : "") + plain(part);
    }
    if (text.empty()) fail(key, "is empty; leave it out instead");
    return text;
  }

  /// CLI11 looked at what was typed only.
  void check_exclusions() const {
    for (const CLI::Option* option : command_.get_options()) {
      for (const CLI::Option* other : option->get_excludes()) {
        if (option->count() == 0 || other->count() == 0) continue;
        fail(fmt::format("asks for both {} and {}; one of them is possible", option->get_name(), other->get_name()));
      }
    }
  }

  CLI::App& command_;
  const std::string path_;
  std::set<const CLI::Option*> typed_;
};

}  // namespace

void add_config_option(CLI::App& command) {
  command
      .add_option("--config", CLI::callback_t(),
                  "a JSON file with options of this command, named as here without the dashes; those that are typed "
                  "come first")
      ->option_text("FILE");
}

void apply_config(CLI::App& command) {
  const CLI::Option* option = command.get_option_no_throw("--config");
  if (option != nullptr && option->count() > 0) ConfigFile(command, option->results().front()).apply();
}

}  // namespace conelu::tool
