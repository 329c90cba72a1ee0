#include "data/csv_column.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace conelu {
namespace {

constexpr std::size_t levels_listed = 10;

bool has_decimal_comma(std::string_view text) {
  std::string with_point(text);
  const std::size_t comma = with_point.find(',');
  if (comma == std::string::npos) return false;
  with_point[comma] = '.';
  return parse_number(with_point).has_value();
}

}  // namespace

CsvColumn::CsvColumn(const std::vector<std::string>* levels, bool categorical, bool numeric)
    : kind_(levels != nullptr || categorical ? Kind::levels
            : numeric                        ? Kind::numbers
                                             : Kind::unknown),
      fixed_(levels != nullptr),
      any_text_(levels != nullptr || categorical) {
  if (levels == nullptr) return;
  levels_ = *levels;
  for (std::size_t i = 0; i < levels_.size(); ++i) number_of_.emplace(levels_[i], i);
}

double CsvColumn::add(std::string_view text, Index line) {
  if (kind_ == Kind::numbers) return number(text);
  if (kind_ == Kind::unknown) {
    kind_ = parse_number(text) ? Kind::numbers : Kind::levels;
    first_line_ = line;
    if (kind_ == Kind::numbers) return number(text);
  }
  return level(text, line);
}

double CsvColumn::number(std::string_view text) const {
  const auto value = parse_long_number(text);
  if (!value) {
    throw std::invalid_argument(
        in_quotes(text) + " is not a number" +
        (text.find(',') != std::string_view::npos ? " (decimals need a point, not a comma)" : ""));
  }
  if (!std::isfinite(*value)) throw std::invalid_argument(not_finite(*value));
  return *value;
}

double CsvColumn::level(std::string_view text, Index line) {
  const auto known = number_of_.find(text);
  if (known != number_of_.end()) return static_cast<double>(known->second);
  if (fixed_) {
    throw std::invalid_argument(fmt::format("{} is none of the levels that the model knows: {}", in_quotes(text),
                                            listed(levels_, levels_listed)));
  }
  if (!any_text_ && parse_number(text)) {
    line_at_fault_ = first_line_;
    std::string problem = in_quotes(levels_[0]) + " is not a number";
    if (levels_[0].find(',') != std::string::npos) problem += " (decimals need a point, not a comma)";
    throw std::invalid_argument(fmt::format("{}, as {} in line {} is", problem, in_quotes(text), line));
  }
  if (!any_text_ && has_decimal_comma(text)) number(text);
  if (!is_utf8(text)) throw std::invalid_argument(fmt::format("{} is {}", in_quotes(text), not_utf8));
  number_of_.emplace(text, levels_.size());
  levels_.emplace_back(text);
  return static_cast<double>(levels_.size() - 1);
}

std::vector<std::string> CsvColumn::levels() const {
  std::vector<std::string> sorted(levels_.size());
  const std::vector<Index> position = positions();
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[static_cast<std::size_t>(position[i])] = levels_[i];
  return sorted;
}

std::vector<Index> CsvColumn::positions() const {
  std::vector<std::size_t> order(levels_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto is_finite = [](const std::string& text) { return std::isfinite(parse_number(text).value_or(NAN)); };
  const bool numbers = std::all_of(levels_.begin(), levels_.end(), is_finite);
  if (!fixed_) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return numbers ? *parse_number(levels_[a]) < *parse_number(levels_[b]) : levels_[a] < levels_[b];
    });
  }
  std::vector<Index> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<Index>(i);
  return position;
}

}  // namespace conelu
