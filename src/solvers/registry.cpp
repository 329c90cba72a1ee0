#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "conelu/solvers.hpp"

namespace conelu {

const std::vector<std::string>& solver_names() {
  static const std::vector<std::string> names = {"interior-point", "working-set"};
  return names;
}

std::unique_ptr<Solver> make_solver(const std::string& name, const InteriorPointSettings& settings) {
  if (name == "interior-point") return std::make_unique<InteriorPoint>(settings);
  if (name == "working-set") return std::make_unique<WorkingSet>(settings);
  throw std::invalid_argument(
      fmt::format("solver: unknown name '{}', expected one of {}", name, fmt::join(solver_names(), ", ")));
}

}  // namespace conelu
