#pragma once

#include <string>
#include <vector>

namespace conelu::tool {

/// A file that an option names for writing; empty: not asked for.
struct OutputFile {
  std::string option;
  std::string path;
};

/// Throws std::invalid_argument naming option and path if a file cannot be written there, before hours are spent on its
/// contents: no such directory, no permission, a directory, an input of the run or the same file twice.
void check_outputs(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs);

/// All of the text to stdout, or std::invalid_argument saying why not (a full disk, say).
void print_result(const std::string& text);

}  // namespace conelu::tool
