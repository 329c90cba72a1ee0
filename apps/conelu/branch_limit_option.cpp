#include "branch_limit_option.hpp"

#include <limits>

#include "usage.hpp"

namespace conelu::tool {

CLI::Option* add_branch_limit(CLI::App& command, long& branches, const std::string& questions) {
  return add_number(command, "--branch-limit", branches, 0L, std::numeric_limits<long>::max(),
                    "parts of the ball to look at for " + questions +
                        "; unlike --time-limit it leads to the same on every machine")
      ->default_str("no limit");
}

}  // namespace conelu::tool
