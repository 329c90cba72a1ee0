#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conelu/read_data.hpp"

namespace conelu {

/// Whether the first of two rows (the second may be empty) names the columns instead of being data.
///
/// It does if it holds a name that the settings ask for, or if no feature in it is a number. Text in the target alone
/// makes no header, as labels may be text, unless the features count up from 0 or 1, as columns do that nobody named. A
/// row that mixes numbers and text is data: a typing error in the first row must not pass as a header. So is a row in
/// which a text comes twice, if the next one holds no number either: both are categories.
bool is_header(const std::vector<std::string>& first, const std::vector<std::string>& second,
               const ReadSettings& settings);

/// The column of `count` that `setting` selects by index, negative ones from the end.
std::optional<std::size_t> column_by_index(const std::string& setting, std::size_t count);

/// The target in a table without names: the column of that index; or else where the model had it, if there is one column
/// more than the features expected; or else the last one that is not taken for weights or dropped; none if all columns are
/// needed for the features expected.
std::optional<std::size_t> target_by_position(const ReadSettings& settings, const std::vector<bool>& taken);

}  // namespace conelu
