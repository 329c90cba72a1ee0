#include "output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace conelu::tool {
namespace {

namespace fs = std::filesystem;

std::string last_error() { return std::generic_category().message(errno); }

/// Tries what will be done later: a new file beside the path.
std::string problem_with(const std::string& path) {
  if (path.empty()) return "the name is empty";
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) return "it is a directory";
  if (fs::exists(status) && access(path.c_str(), W_OK) != 0) return last_error();
  if (fs::exists(status) && !fs::is_regular_file(status)) return {};  // a device or a pipe is written to directly
  std::string probe = path + ".XXXXXX";
  const int descriptor = mkstemp(probe.data());
  if (descriptor < 0) return last_error();
  close(descriptor);
  unlink(probe.c_str());
  return {};
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::weakly_canonical(a, ignored) == fs::weakly_canonical(b, ignored) &&
         (!fs::exists(a, ignored) || fs::is_regular_file(a, ignored));
}

}  // namespace

void check_outputs(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs) {
  std::vector<std::string> taken = inputs;
  for (const auto& [option, path] : outputs) {
    if (path.empty()) continue;
    if (const std::string problem = problem_with(path); !problem.empty()) {
      throw std::invalid_argument(fmt::format("{}: cannot write '{}': {}", option, path, problem));
    }
    for (const std::string& other : taken) {
      if (!other.empty() && same_file(path, other)) {
        throw std::invalid_argument(fmt::format("{}: '{}' is another file of this run, too", option, path));
      }
    }
    taken.push_back(path);
  }
}

void print_result(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw std::invalid_argument(fmt::format("cannot write to standard output: {}", last_error()));
  }
}

}  // namespace conelu::tool
