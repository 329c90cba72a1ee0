#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conelu/linear_algebra.hpp"

namespace conelu {

/// Class labels in whatever coding a file uses, on their way to -1 and +1.
///
/// Labels are numbers if all of them are: then 1 and 1.0 are the same one and the larger is +1. Otherwise they are text
/// and the one that sorts later is +1. With expected classes (a model's) those two decide, and one of them may be
/// absent.
class Labels {
 public:
  explicit Labels(const std::vector<std::string>& expected = {});

  void add(std::string_view text);

  /// What keeps the labels added so far from being two classes; empty if nothing does.
  std::string problem() const;

  // The following two ask for labels without a problem.
  std::vector<std::string> classes() const;  ///< {negative, positive}, as first written
  Vector coded() const;

 private:
  struct Kind {
    std::string text;
    std::optional<double> number;
    std::size_t first;  ///< the sample that brought it, counted from 1
  };

  std::size_t kind_of(std::string_view text);
  bool first_is_positive() const;

  bool expected_;
  std::vector<Kind> kinds_;
  std::vector<unsigned char> samples_;  ///< the kind of each sample
};

}  // namespace conelu
