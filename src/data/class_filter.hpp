#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace conelu {

/// The labels whose rows are wanted. If all are numbers, 1 and 1.0 are the same one; beside a text, 7 and 007 are two.
class ClassFilter {
 public:
  /// None: all rows are wanted.
  explicit ClassFilter(const std::vector<std::string>& classes);

  bool wants(std::string_view label);

  /// The first wanted label that no row had, in a sentence about what is wrong; empty if there is none.
  std::string problem() const;

 private:
  std::vector<std::string> classes_;
  std::vector<std::optional<double>> numbers_;  // of these, where labels are compared as such
  std::vector<bool> seen_;
};

}  // namespace conelu
