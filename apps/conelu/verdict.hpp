#pragma once

#include <string>

#include "conelu/model.hpp"

namespace conelu::tool {

/// What the certificate says, in words, and no more than it says. Bounds are rounded to the safe side.
std::string verdict(const Model& model);

/// What to try if an attack leaves nothing but the zero network; empty if it does not.
std::string advice_on_zero_network(const RunRecord& record, bool bias);

}  // namespace conelu::tool
