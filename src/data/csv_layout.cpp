#include "data/csv_layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

#include "data/csv_header.hpp"
#include "data/text.hpp"
#include "data/weights.hpp"

namespace conelu {
namespace {

/// The steps of choose_layout: what they share, and the layout as it grows.
class LayoutChoice {
 public:
  LayoutChoice(const std::vector<std::string>& first, const ReadSettings& settings, const std::string& path)
      : columns_(first.size()), first_(first), settings_(settings), path_(path) {}

  void read_names(const std::vector<std::string>& header) {
    layout_.names = header;
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (header[i].empty()) layout_.names[i] = fmt::format("column {}", i + 1);
      const auto [other, is_new] = column_of_.try_emplace(layout_.names[i], i);
      if (!is_new) {
        fail(fmt::format("columns {} and {} have the same name {}{}", other->second + 1, i + 1, in_quotes(header[i]),
                         settings_.header ? "" : "; if the first row is data, say so with --no-header"));
      }
    }
  }

  void choose_weights() {
    if (settings_.weights.empty()) return;
    layout_.weights = find(settings_.weights);
    if (!layout_.weights && !names_weights_file(settings_.weights)) fail_to_find("weights", settings_.weights);
  }

  void choose_dropped() {
    dropped_.assign(columns_, false);
    for (const std::string& setting : settings_.drop) {
      const auto column = find(setting);
      if (column) dropped_[*column] = true;
      // A file for prediction need not hold what nobody reads.
      if (!column && settings_.expected_features.empty()) fail_to_find("dropped", setting);
    }
    if (layout_.weights && dropped_[*layout_.weights]) fail("the weights are in a dropped column");
  }

  void choose_categorical() {
    layout_.categorical.assign(columns_, false);
    for (const std::string& setting : settings_.categorical) {
      const auto column = find(setting);
      if (column) layout_.categorical[*column] = true;
      if (!column && settings_.expected_features.empty()) fail_to_find("categorical", setting);
    }
  }

  void choose_target_and_features() {
    if (expected_by_name()) {
      choose_expected_features();
      choose_target_beside_features();
    } else {
      choose_target_by_position();
      choose_remaining_features();
    }
  }

  /// Labels may be text, but a text above numbers is more likely the name of a column whose others are called by years.
  void refuse_doubtful_header(const std::vector<std::string>& second) const {
    const bool undecided = !settings_.header && !layout_.has_header() && settings_.expected_features.empty();
    if (!undecided || settings_.task == Task::regression || !layout_.target || *layout_.target >= second.size()) return;
    const std::string& text = first_[*layout_.target];
    const bool missing = text.empty() || looks_missing(text) ||
                         std::find(settings_.missing.begin(), settings_.missing.end(), text) != settings_.missing.end();
    if (missing || parse_number(text) || !parse_number(second[*layout_.target])) return;
    fail(fmt::format(
        "the target of the first row is {}, that of the next one the number {}; if the first row names the columns, say "
        "so with --header, and if both are labels, with --no-header",
        in_quotes(text), second[*layout_.target]));
  }

  CsvLayout finish() {
    if (layout_.target && layout_.target == layout_.weights) fail("the target and the weights are the same column");
    if (layout_.target && dropped_[*layout_.target]) {
      fail(fmt::format("the target, {}, is a dropped column", layout_.describe(*layout_.target)));
    }
    if (layout_.features.empty() && std::count(dropped_.begin(), dropped_.end(), true) > 0) {
      fail(fmt::format("--drop leaves none of its {} columns for features", columns_));
    }
    if (layout_.features.empty()) {
      fail(fmt::format(
          "has {} column(s) in its first row, {}, which leaves none for features; expected columns separated by comma, "
          "semicolon or tab, by bars or blanks, or as --delimiter says",
          columns_, in_quotes(first_[0])));
    }
    if (settings_.target_required && !layout_.target) {
      const bool alone = columns_ == layout_.features.size();
      fail(fmt::format("has no target: no column but the {} features of the model{}", layout_.features.size(),
                       alone ? "" : " is last, and --target names none of the others"));
    }
    return layout_;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw std::invalid_argument(fmt::format("{}: {}", path_, problem));
  }

  [[noreturn]] void fail_to_find(const char* role, const std::string& setting) const {
    const std::string range = fmt::format("0 to {}, or -{} to -1 from the end", columns_ - 1, columns_);
    if (parse_integer(setting)) fail(fmt::format("there is no {} column {}; columns are {}", role, setting, range));
    if (!layout_.has_header()) {
      fail(fmt::format("there is no {} column {}, as the file has no header; give an index, {}", role,
                       in_quotes(setting), range));
    }
    fail(fmt::format("there is no {} column {}; the columns are {}", role, in_quotes(setting),
                     listed(layout_.names, 15)));
  }

  std::optional<std::size_t> find(const std::string& setting) const {
    const auto named = column_of_.find(setting);
    return named != column_of_.end() ? named->second : column_by_index(setting, columns_);
  }

  /// Names decide, unless the model has none of its own and the file does not use its default ones either.
  bool expected_by_name() const {
    const auto& expected = settings_.expected_features;
    if (!layout_.has_header() || expected.empty()) return false;
    return expected != default_feature_names(expected.size()) ||
           std::any_of(expected.begin(), expected.end(),
                       [&](const std::string& name) { return column_of_.contains(name); });
  }

  void choose_expected_features() {
    std::vector<std::string> missing;
    for (const std::string& name : settings_.expected_features) {
      const auto found = column_of_.find(name);
      if (found == column_of_.end()) {
        missing.push_back(name);
      } else {
        layout_.features.push_back(found->second);
      }
    }
    if (!missing.empty()) {
      fail(fmt::format("lacks {} of the {} features of the model: {}; the columns are {}", missing.size(),
                       settings_.expected_features.size(), listed(missing, 5), listed(layout_.names, 15)));
    }
    layout_.feature_names = settings_.expected_features;
  }

  /// The column asked for; or else the one that the model knows by name; or else the only one that is not a feature; or
  /// else the last one, if it is not a feature.
  void choose_target_beside_features() {
    std::vector<bool> taken(columns_, false);
    for (const std::size_t column : layout_.features) taken[column] = true;
    if (layout_.weights) taken[*layout_.weights] = true;
    for (std::size_t i = 0; i < columns_; ++i) taken[i] = taken[i] || dropped_[i];

    std::optional<std::size_t> target;
    if (!settings_.target.empty()) {
      target = find(settings_.target);
      if (!target && settings_.target_required) fail_to_find("target", settings_.target);
    } else if (const auto known = column_of_.find(settings_.expected_target);
               known != column_of_.end() && !taken[known->second]) {
      target = known->second;
    } else if (std::count(taken.begin(), taken.end(), false) == 1) {
      target = static_cast<std::size_t>(std::find(taken.begin(), taken.end(), false) - taken.begin());
    } else {
      target = columns_ - 1;
    }
    if (target && !taken[*target]) layout_.target = target;
    if (target && taken[*target] && !dropped_[*target] && settings_.target_required && !settings_.target.empty()) {
      fail(fmt::format("the target, {}, is a feature of the model", layout_.describe(*target)));
    }
  }

  void choose_target_by_position() {
    std::vector<bool> taken = dropped_;
    if (layout_.weights) taken[*layout_.weights] = true;
    layout_.target = target_by_position(settings_, taken);
    const auto named = column_of_.find(settings_.target);
    if (named != column_of_.end()) layout_.target = named->second;
    if (!layout_.target && !settings_.target.empty() && settings_.target_required) {
      fail_to_find("target", settings_.target);
    }
  }

  void choose_remaining_features() {
    for (std::size_t i = 0; i < columns_; ++i) {
      if (i != layout_.target && i != layout_.weights && !dropped_[i]) layout_.features.push_back(i);
    }
    const std::size_t expected = settings_.expected_features.size();
    if (expected > 0 && layout_.features.size() != expected) {
      const auto dropped = std::count(dropped_.begin(), dropped_.end(), true);
      fail(fmt::format("has {} columns{}; expected the {} features of the model, and one more if there is a target",
                       columns_, dropped > 0 ? fmt::format(", of which {} are dropped", dropped) : "", expected));
    }
    if (expected > 0) {
      layout_.feature_names = settings_.expected_features;
    } else if (layout_.has_header()) {
      for (const std::size_t column : layout_.features) layout_.feature_names.push_back(layout_.names[column]);
    } else {
      layout_.feature_names = default_feature_names(layout_.features.size());
    }
  }

  std::size_t columns_;
  const std::vector<std::string>& first_;
  const ReadSettings& settings_;
  const std::string& path_;
  std::unordered_map<std::string, std::size_t> column_of_;
  std::vector<bool> dropped_;
  CsvLayout layout_;
};

}  // namespace

std::string CsvLayout::describe(std::size_t column) const {
  return has_header() ? fmt::format("column {} ({})", column + 1, in_quotes(names[column]))
                      : fmt::format("column {}", column + 1);
}

TargetColumn CsvLayout::target_column() const {
  if (!target) return {};
  const auto before = std::count_if(features.begin(), features.end(), [&](std::size_t i) { return i < *target; });
  return {has_header() ? names[*target] : std::string(), static_cast<Index>(before)};
}

CsvLayout choose_layout(const std::vector<std::string>& first, const std::vector<std::string>& second,
                        const ReadSettings& settings, const std::string& path) {
  LayoutChoice choice(first, settings, path);
  if (settings.header ? *settings.header : is_header(first, second, settings)) choice.read_names(first);
  choice.choose_weights();
  choice.choose_dropped();
  choice.choose_categorical();
  choice.choose_target_and_features();
  choice.refuse_doubtful_header(second);
  return choice.finish();
}

}  // namespace conelu
