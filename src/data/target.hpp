#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conelu/read_data.hpp"
#include "data/labels.hpp"

namespace conelu {

/// The target as it comes out of a file, value by value: numbers in regression, labels in classification.
class Target {
 public:
  explicit Target(const ReadSettings& settings);

  // Both return what is wrong with the value, or nothing.
  std::string add(std::string_view text);
  std::string add(double value);

  /// Fills `y` and `classes`, or leaves them empty and returns what is wrong with the target as a whole.
  std::string move_to(Dataset& data);

 private:
  Task task_;
  Labels labels_;
  std::vector<double> values_;
  std::string first_problem_;
};

}  // namespace conelu
