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
  const auto& expected = settings.expected_features;
  return wanted(settings.target) || wanted(settings.weights) || std::any_of(expected.begin(), expected.end(), wanted);
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

  const auto weights = column_by_index(settings.weights, first.size());
  const auto target = target_by_position(settings, weights, first.size());
  std::vector<std::string> features;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (i != target && i != weights) features.push_back(first[i]);
  }
  const auto is_number = [](const std::string& text) { return parse_number(text).has_value(); };
  const auto is_text = [&](const std::string& text) { return !text.empty() && !is_number(text); };
  if (std::any_of(features.begin(), features.end(), is_text)) {
    return std::none_of(features.begin(), features.end(), is_number);
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

std::optional<std::size_t> target_by_position(const ReadSettings& settings, std::optional<std::size_t> weights,
                                              std::size_t count) {
  const std::size_t others = count - (weights ? 1 : 0);
  const std::size_t expected = settings.expected_features.size();
  if (others == 0 || (expected > 0 && others <= expected)) return std::nullopt;
  if (!settings.target.empty()) return column_by_index(settings.target, count);
  return weights == count - 1 ? count - 2 : count - 1;
}

}  // namespace conelu
