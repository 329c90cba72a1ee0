#include "data/csv_header.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "data/text.hpp"

namespace conelu {
namespace {

bool holds_wanted_name(const std::vector<std::string>& row, const ReadSettings& settings) {
  const std::unordered_set<std::string_view> fields(row.begin(), row.end());
  const auto wanted = [&](const std::string& name) {
    return !name.empty() && !parse_number(name) && fields.contains(name);
  };
  const auto any_wanted = [&](const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), wanted);
  };
  return wanted(settings.target) || wanted(settings.weights) || any_wanted(settings.expected_features) ||
         any_wanted(settings.drop) || any_wanted(settings.categorical);
}

/// Names of columns differ; categories need not.
bool holds_equal_texts(const std::vector<std::string>& row) {
  return std::unordered_set<std::string_view>(row.begin(), row.end()).size() < row.size();
}

bool counts_up(const std::vector<std::string>& texts) {
  const auto start = texts.empty() ? std::nullopt : parse_integer(texts[0]);
  if (start != 0 && start != 1) return false;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i] != std::to_string(*start + static_cast<std::ptrdiff_t>(i))) return false;
  }
  return true;
}

}  // namespace

bool is_header(const std::vector<std::string>& first, const std::vector<std::string>& second,
               const ReadSettings& settings) {
  if (holds_wanted_name(first, settings)) return true;

  std::vector<bool> taken(first.size(), false);
  if (const auto weights = column_by_index(settings.weights, first.size())) taken[*weights] = true;
  for (const std::string& dropped : settings.drop) {
    if (const auto column = column_by_index(dropped, first.size())) taken[*column] = true;
  }
  const auto target = target_by_position(settings, taken);
  const auto is_missing = [&](const std::string& text) {
    return std::find(settings.missing.begin(), settings.missing.end(), text) != settings.missing.end();
  };
  std::vector<std::string> features;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (i != target && !taken[i] && !is_missing(first[i])) features.push_back(first[i]);
  }
  const auto is_number = [](const std::string& text) { return parse_number(text).has_value(); };
  const auto is_text = [&](const std::string& text) { return !text.empty() && !is_number(text); };
  if (std::any_of(features.begin(), features.end(), is_text)) {
    const bool categories = holds_equal_texts(first) && std::none_of(second.begin(), second.end(), is_number);
    return !categories && std::none_of(features.begin(), features.end(), is_number);
  }
  return target && *target < second.size() && is_text(first[*target]) && is_number(second[*target]) &&
         counts_up(features);
}

std::optional<std::size_t> column_by_index(const std::string& setting, std::size_t count) {
  const auto index = parse_integer(setting);
  const auto columns = static_cast<std::ptrdiff_t>(count);
  if (!index || *index < -columns || *index >= columns) return std::nullopt;
  return static_cast<std::size_t>(*index < 0 ? *index + columns : *index);
}

std::optional<std::size_t> target_by_position(const ReadSettings& settings, const std::vector<bool>& taken) {
  const auto others = static_cast<std::size_t>(std::count(taken.begin(), taken.end(), false));
  const std::size_t expected = settings.expected_features.size();
  if (others == 0 || (expected > 0 && others <= expected)) return std::nullopt;
  if (!settings.target.empty()) return column_by_index(settings.target, taken.size());
  if (expected > 0 && others == expected + 1 && settings.expected_target_position >= 0) {
    Index before = settings.expected_target_position;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      if (!taken[i] && before-- == 0) return i;
    }
  }
  const auto last = std::find(taken.rbegin(), taken.rend(), false);
  return static_cast<std::size_t>(taken.rend() - last) - 1;
}

}  // namespace conelu
