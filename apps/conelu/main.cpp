#include <fmt/format.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <new>
#include <stdexcept>
#include <vector>

#include "command.hpp"
#include "conelu/version.hpp"
#include "config.hpp"
#include "terminal.hpp"
#include "usage.hpp"

namespace conelu::tool {
namespace {

void complain(const std::string& where, const std::string& message) {
  fmt::print(stderr, "{} {}\n", paint(Colour::red, where + ":", stderr), message);
}

/// Matrices of a few megabytes come and go with every pattern. Memory that is handed back each time has to be cleared by
/// the system each time, which takes as long as the work on it.
void keep_freed_memory() {
#if defined(__GLIBC__)
  constexpr int kMegabyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);  // the largest that is allowed
  mallopt(M_TRIM_THRESHOLD, 256 * kMegabyte);
#endif
}

/// CLI11 says "--beta: 1 required FLOAT missing" and "--beta: At Most 1 required but received 2".
std::string in_our_words(const CLI::ParseError& error) {
  const std::string message = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return message;
  const std::string option = message.substr(0, message.find(':'));
  if (message.ends_with("missing")) return option + " needs a value";
  return message.find("At Most 1") != message.npos ? option + " is given more than once" : message;
}

int run(int argc, char** argv) {
  keep_freed_memory();
  CLI::App tool("Convex training of one-hidden-layer ReLU networks, with proofs attached.", "conelu");
  tool.formatter(std::make_shared<HelpFormatter>());
  tool.set_version_flag("--version", std::string("conelu ") + version(), "Print the version");
  tool.get_help_ptr()->description("Print this help");
  tool.footer("New here? Run `conelu demo`. Help on a command: `conelu help train`.");
  tool.require_subcommand(0, 1);
  tool.allow_extras();  // check_usage says more about them
  std::vector<Command> commands = {add_train(tool),    add_cv(tool),       add_baseline(tool), add_predict(tool),
                                   add_evaluate(tool), add_attack(tool),   add_certify(tool),  add_export(tool),
                                   add_info(tool),     add_patterns(tool), add_demo(tool)};
  for (const Command& command : commands) add_config_option(*command.options);
  commands.push_back(add_help(tool));

  std::string where = "conelu";
  try {
    tool.parse(argc, argv);
    check_command(tool);
    for (const Command& command : commands) {
      if (!command.options->parsed()) continue;
      where += " " + command.options->get_name();
      apply_config(*command.options);
      check_usage(*command.options);
      return command.run();
    }
    fmt::print(stderr, "{}", tool.help());
    return bad_input;
  } catch (const CLI::Success& request) {  // --help and --version
    return tool.exit(request);
  } catch (const CLI::ParseError& error) {
    for (const CLI::App* parsed : tool.get_subcommands()) where = "conelu " + parsed->get_name();
    complain(where, fmt::format("{}\nRun `{} --help` for all options.", in_our_words(error), where));
    return bad_input;
  } catch (const UsageError& error) {
    complain(where, fmt::format("{}\nRun `{} --help` for all options.", error.what(), where));
    return bad_input;
  } catch (const std::invalid_argument& error) {
    complain(where, error.what());
    return bad_input;
  } catch (const std::bad_alloc&) {
    complain(where, "out of memory; fewer patterns (--pattern-count) need less");
    return internal_error;
  } catch (const std::exception& error) {
    complain(where, fmt::format("internal error: {}. Please report it with the command you ran.", error.what()));
    return internal_error;
  }
}

}  // namespace
}  // namespace conelu::tool

int main(int argc, char** argv) { return conelu::tool::run(argc, argv); }
