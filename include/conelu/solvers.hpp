#pragma once

#include <memory>
#include <string>
#include <vector>

#include "conelu/export.hpp"
#include "conelu/interior_point.hpp"
#include "conelu/working_set.hpp"

namespace CONELU_API conelu {

/// Names of all solvers. What every one of them must do is tested over this list.
const std::vector<std::string>& solver_names();

/// Throws std::invalid_argument listing the known names, or naming the setting that is out of range.
std::unique_ptr<Solver> make_solver(const std::string& name, const InteriorPointSettings& settings = {});

}  // namespace conelu
