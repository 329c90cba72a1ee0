#pragma once

#include <functional>
#include <string>
#include <vector>

namespace conelu::test {

struct ProcessResult {
  int exit_code = -1;  ///< as a shell has it: 128 + number if a signal ended it
  std::string out;
  std::string err;
};

/// Runs the real tool with both streams piped.
ProcessResult run_tool(const std::vector<std::string>& arguments, const std::string& stdout_file = "");

/// Runs the real tool on a terminal of its own (stdin, stdout and stderr; 100 columns). `keys` is called with all
/// output so far whenever there is more of it and returns what to type; "\x03" is Ctrl-C.
ProcessResult run_tool_on_terminal(const std::vector<std::string>& arguments,
                                   const std::function<std::string(const std::string&)>& keys = {});

}  // namespace conelu::test
