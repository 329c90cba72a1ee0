#pragma once

#include <string>

#include "conelu/model.hpp"

namespace conelu::tool {

enum class Ink { ascii, unicode, colour };

/// A classifier of the square [-2, 2]^2 as text: its two regions, lighter where the score is below 1 in size, and the
/// samples on top.
std::string draw_regions(const Model& model, const Dataset& samples, Ink ink);

}  // namespace conelu::tool
