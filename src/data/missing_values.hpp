#pragma once

#include <string>

#include "conelu/dataset.hpp"

namespace conelu {

/// Puts `data.fill` where X holds NaN and remembers the places. An empty `fill` becomes the means of what is there.
/// Throws std::invalid_argument beginning with `where` if a feature has no value to take the mean of.
void fill_missing_values(Dataset& data, const std::string& where);

/// Undoes it: NaN again in the places remembered, which are forgotten, and no `fill`.
void empty_missing_cells(Dataset& data);

}  // namespace conelu
