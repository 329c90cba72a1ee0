#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace conelu::tool {

/// --branch-limit, with the questions that it is for.
CLI::Option* add_branch_limit(CLI::App& command, long& branches, const std::string& questions);

}  // namespace conelu::tool
