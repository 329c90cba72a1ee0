#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conelu/read_data.hpp"

namespace conelu {

/// Which column of a text table is what.
struct CsvLayout {
  std::vector<std::string> names;     ///< of all columns; empty if the file has no header
  std::vector<std::size_t> features;  ///< columns, in the order of the data set
  std::vector<std::string> feature_names;
  std::optional<std::size_t> target;
  std::optional<std::size_t> weights;
  std::vector<bool> categorical;  ///< of all columns: those that hold categories even where they are numbers

  bool has_header() const { return !names.empty(); }
  /// Where others will find the target.
  TargetColumn target_column() const;
  /// For messages: number, counted from 1, and name if there is one.
  std::string describe(std::size_t column) const;
};

/// Decides from the first two rows (the second may be empty) and the settings. Throws std::invalid_argument that begins
/// with `path`.
CsvLayout choose_layout(const std::vector<std::string>& first, const std::vector<std::string>& second,
                        const ReadSettings& settings, const std::string& path);

}  // namespace conelu
