#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conelu/read_data.hpp"
#include "data/class_filter.hpp"
#include "data/target.hpp"

namespace conelu {

/// What formats without names of columns have in common: a label for each sample, weights in a file of their own, and
/// features that are known by their number.
class SampleList {
 public:
  SampleList(const std::string& path, const ReadSettings& settings);

  /// Takes in the next sample; false if its label is not wanted. `where` names the sample in messages.
  bool add(std::string_view label, const std::string& where);

  /// Names and counts features: those expected, or x1, x2, ...
  void set_matrix(Matrix X);

  /// Without labels, if the file has none, or with those that were added.
  Dataset finish(bool labelled);

  [[noreturn]] void fail(const std::string& problem) const;

 private:
  std::string path_;
  const ReadSettings& settings_;
  ClassFilter filter_;
  Target target_;
  Dataset data_;
};

}  // namespace conelu
