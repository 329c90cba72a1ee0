#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conelu/linear_algebra.hpp"
#include "data/text.hpp"

namespace conelu {

/// Class labels in whatever coding a file uses, on their way to -1 and +1, or to 0, 1, 2, ... if there are more than
/// two.
///
/// Labels are numbers if all of them are: then 1 and 1.0 are the same one and the order is that of the numbers.
/// Numbers beyond 2^53 are not told apart as such, so there only those that are written alike are the same. Otherwise
/// labels are text, 7 and 007 are two, and they are ordered as text. The later of two is +1. With expected classes (a
/// model's) those decide, and some of them may be absent.
class Labels {
 public:
  explicit Labels(const std::vector<std::string>& expected = {});

  void add(std::string_view text);
  /// Adds a label that came before, written in the same way; false if it is none.
  bool add_again(std::string_view text);

  /// What keeps the labels added so far from being classes; empty if nothing does.
  std::string problem() const;

  // The following two ask for labels without a problem.
  std::vector<std::string> classes() const;  ///< in their order, as first written
  Vector coded() const;

 private:
  /// A way of writing a label; whether 1 and 1.0 are one class is known when all labels are.
  struct Kind {
    std::string text;
    std::optional<double> number;
    std::size_t first;  ///< the sample that brought it, counted from 1
  };

  std::optional<std::size_t> known_kind_of(std::string_view text) const;
  std::size_t kind_of(std::string_view text);
  void add_kind(std::string_view text, std::size_t first);
  std::string problem_with_expected() const;
  std::string problem_with_count() const;
  bool all_numbers() const;
  static bool precedes(const Kind& a, const Kind& b, bool numbers);
  std::vector<std::vector<std::size_t>> groups() const;  ///< the kinds of each class, in their order

  std::size_t expected_;  ///< how many of the kinds are a model's
  std::vector<Kind> kinds_;
  TextMap<std::size_t> kind_of_text_;
  std::unordered_map<double, std::size_t> expected_numbers_;  ///< the kind of each; empty if a model's classes are text
  std::deque<std::uint32_t> samples_;  ///< the kind of each; a vector would move them again and again while it grows
};

}  // namespace conelu
