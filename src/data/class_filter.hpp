#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace conelu {

/// The labels whose rows are wanted; 1 and 1.0 are the same one.
class ClassFilter {
 public:
  /// None: all rows are wanted.
  explicit ClassFilter(const std::vector<std::string>& classes) : classes_(classes), seen_(classes.size(), false) {}

  bool wants(std::string_view label);

  /// The first wanted label that no row had, in a sentence about what is wrong; empty if there is none.
  std::string problem() const;

 private:
  std::vector<std::string> classes_;
  std::vector<bool> seen_;
};

}  // namespace conelu
