#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conelu/dataset.hpp"
#include "data/text.hpp"

namespace conelu {

/// A feature's column in a text table: numbers, or texts that become the numbers of their levels in order of
/// appearance. The first value decides which.
class CsvColumn {
 public:
  /// `levels` are a model's; with them or with `categorical` the column holds levels, whatever they look like. With
  /// `numeric`, numbers.
  CsvColumn(const std::vector<std::string>* levels, bool categorical, bool numeric);

  /// The number that stands for a cell; throws std::invalid_argument with what is wrong with it, and `line_at_fault`
  /// says where if that is an earlier line.
  double add(std::string_view text, Index line);

  /// Every cell from now on must be a number.
  bool is_numeric() const { return kind_ == Kind::numbers; }
  bool is_encoded() const { return kind_ == Kind::levels; }
  std::optional<Index> line_at_fault() const { return line_at_fault_; }
  /// Of the levels, the one that came first; there must be one.
  const std::string& first_text() const { return levels_.front(); }

  /// The levels in the order that their features shall have, and the position there of each number given out.
  std::vector<std::string> levels() const;
  std::vector<Index> positions() const;

 private:
  enum class Kind { unknown, numbers, levels };

  double number(std::string_view text) const;
  double level(std::string_view text, Index line);

  Kind kind_;
  bool fixed_;     ///< the levels are a model's
  bool any_text_;  ///< levels may look like numbers
  std::vector<std::string> levels_;
  TextMap<std::size_t> number_of_;
  Index first_line_ = 0;
  std::optional<Index> line_at_fault_;
};

}  // namespace conelu
