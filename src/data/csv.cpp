#include "data/csv.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "data/class_filter.hpp"
#include "data/csv_column.hpp"
#include "data/csv_layout.hpp"
#include "data/csv_rows.hpp"
#include "data/encoding.hpp"
#include "data/missing_values.hpp"
#include "data/row_blocks.hpp"
#include "data/target.hpp"
#include "data/text.hpp"
#include "data/weights.hpp"

namespace conelu {
namespace {

constexpr double missing_value = std::numeric_limits<double>::quiet_NaN();

/// A table names columns of text, a model the features that they become.
ReadSettings with_columns(ReadSettings settings) {
  settings.expected_features = columns_of(settings.expected_features, settings.expected_encodings);
  return settings;
}

bool any_is_number(const std::vector<std::string>& texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [](const std::string& text) { return parse_number(text).has_value(); });
}

/// One pass over the rows, value by value into blocks; then the matrix, once its columns are known.
class CsvReader {
 public:
  CsvReader(std::string begin, ByteStream* source, const std::string& path, const ReadSettings& settings)
      : path_(path),
        given_(settings),
        settings_(with_columns(settings)),
        missing_may_be_numbers_(any_is_number(settings.missing)),
        rows_(std::move(begin), source, path, settings.delimiter),
        filter_(settings.classes),
        target_(settings) {}

  Dataset read() {
    read_first_rows();
    while (rows_.next()) read_row(rows_.fields(), rows_.numbers(), rows_.line());
    if (blocks_->rows() == 0) fail_without_rows();
    return finish();
  }

 private:
  struct FirstRow {
    std::vector<std::string> fields;
    Index line = 0;
  };

  FirstRow next_row() {
    if (!rows_.next()) return {};
    return {{rows_.fields().begin(), rows_.fields().end()}, rows_.line()};
  }

  /// What the first two rows look like decides how they and all others are read.
  void read_first_rows() {
    const FirstRow first = next_row();
    if (first.fields.empty()) throw std::invalid_argument(fmt::format("{}: is empty", path_));
    const FirstRow second = next_row();
    columns_ = first.fields.size();
    first_line_ = first.line;
    layout_ = choose_layout(first.fields, second.fields, settings_, path_);
    if (layout_.has_header() && second.fields.empty()) {
      throw std::invalid_argument(fmt::format("{}: has a header but no rows of data", path_));
    }
    if (layout_.has_header() && settings_.expected_features.empty()) check_names(first.line);
    make_columns();
    if (!layout_.has_header()) read_row(first);
    if (!second.fields.empty()) read_row(second);
  }

  void read_row(const FirstRow& row) {
    const std::vector<std::string_view> fields(row.fields.begin(), row.fields.end());
    read_row(fields, std::vector<double>(fields.size(), missing_value), row.line);
  }

  void check_names(Index line) const {
    for (std::size_t column = 0; column < columns_; ++column) {
      if (is_utf8(layout_.names[column])) continue;
      throw std::invalid_argument(
          fmt::format("{}, line {}, {}: the name is {}", path_, line, layout_.describe(column), not_utf8));
    }
  }

  void make_columns() {
    const bool known = !settings_.expected_features.empty();
    for (std::size_t j = 0; j < layout_.features.size(); ++j) {
      const Encoding* encoding = find_encoding(settings_.expected_encodings, layout_.feature_names[j]);
      const bool categorical = layout_.categorical[layout_.features[j]] && !known;
      features_.emplace_back(encoding == nullptr ? nullptr : &encoding->levels, categorical, known);
    }
    blocks_.emplace(features_.size());
  }

  /// `numbers`: what is known already of the fields, or NaN.
  void read_row(std::span<const std::string_view> fields, std::span<const double> numbers, Index line) {
    if (fields.size() != columns_) {
      throw std::invalid_argument(fmt::format("{}, line {}: has {} field{}, expected {} as in line {}", path_, line,
                                              fields.size(), fields.size() == 1 ? "" : "s", columns_, first_line_));
    }
    ++seen_;
    current_line_ = line;
    if (settings_.missing_policy == MissingPolicy::drop && lacks_value(fields)) return;
    if (layout_.target && !filter_.wants(fields[*layout_.target])) return;
    double* row = blocks_->add_row();
    const bool all_known = take_numbers(numbers, row) && all_numeric();
    for (std::size_t j = 0; j < features_.size() && !all_known; ++j) {
      const bool known = features_[j].is_numeric() && !missing_may_be_numbers_ && !std::isnan(row[j]);
      if (!known) row[j] = value(j, fields[layout_.features[j]], line);
    }
    if (layout_.weights) weights_.push_back(weight(fields[*layout_.weights], line));
    if (layout_.target) {
      const std::string_view text = fields[*layout_.target];
      const std::string problem = target_.add(is_missing(text) ? std::string_view() : text);
      if (!problem.empty() && settings_.target_required) fail(*layout_.target, line, problem);
    }
  }

  /// The features' numbers, or NaN; whether all of them are known.
  bool take_numbers(std::span<const double> numbers, double* row) const {
    bool unknown = false;
    for (std::size_t j = 0; j < features_.size(); ++j) {
      row[j] = numbers[layout_.features[j]];
      unknown |= std::isnan(row[j]);
    }
    return !unknown;
  }

  /// Whether numbers are all that a row may hold from now on. Asks the columns until they are.
  bool all_numeric() {
    const auto is_numeric = [](const CsvColumn& column) { return column.is_numeric(); };
    all_numeric_ =
        all_numeric_ || (!missing_may_be_numbers_ && std::all_of(features_.begin(), features_.end(), is_numeric));
    return all_numeric_;
  }

  bool is_missing(std::string_view text) const {
    return text.empty() ||
           std::find(settings_.missing.begin(), settings_.missing.end(), text) != settings_.missing.end();
  }

  bool lacks_value(std::span<const std::string_view> fields) const {
    const auto lacks = [&](std::size_t column) { return is_missing(fields[column]); };
    return std::any_of(layout_.features.begin(), layout_.features.end(), lacks) ||
           (layout_.weights && lacks(*layout_.weights)) ||
           (layout_.target && settings_.target_required && lacks(*layout_.target));
  }

  double value(std::size_t j, std::string_view text, Index line) {
    if (is_missing(text)) {
      if (settings_.missing_policy == MissingPolicy::mean) return missing_value;
      fail_missing(layout_.features[j], line, text);
    }
    try {
      return features_[j].add(text, line);
    } catch (const std::invalid_argument& error) {
      const Index at = features_[j].line_at_fault().value_or(line);
      fail(layout_.features[j], at, error.what() + advice(at == line ? text : features_[j].first_text(), at));
    }
  }

  double weight(std::string_view text, Index line) const {
    if (is_missing(text)) fail_missing(*layout_.weights, line, text);
    const auto value = parse_number(text);
    if (!value) fail(*layout_.weights, line, in_quotes(text) + " is not a number");
    if (!std::isfinite(*value)) fail(*layout_.weights, line, not_finite(*value));
    return *value;
  }

  std::string advice(std::string_view text, Index line) const {
    if (looks_missing(text)) return fmt::format("; if it stands for a missing value, say so with --na '{}'", text);
    const bool first = line == first_line_ && !layout_.has_header();
    return first ? "; the line is no header either, as other features in it are numbers" : "";
  }

  [[noreturn]] void fail_missing(std::size_t column, Index line, std::string_view text) const {
    fail(column, line,
         text.empty()
             ? "the field is empty, expected a value (--na-policy says what to do with rows like this)"
             : in_quotes(text) + " stands for a missing value (--na-policy says what to do with rows like this)");
  }

  [[noreturn]] void fail(std::size_t column, Index line, const std::string& problem) const {
    // A fault may be found late, in an earlier row than the one that is being read.
    const std::string row = line == current_line_ ? fmt::format(" (row {})", seen_) : "";
    throw std::invalid_argument(
        fmt::format("{}, line {}{}, {}: {}", path_, line, row, layout_.describe(column), problem));
  }

  [[noreturn]] void fail_without_rows() const {
    throw std::invalid_argument(fmt::format("{}: none of the {} rows is left: {}", path_, seen_,
                                            settings_.classes.empty() ? "each lacks a value"
                                                                      : "none has a label that --classes asks for, or "
                                                                        "those that do lack a value"));
  }

  Dataset finish() {
    Dataset data;
    data.encodings = given_.expected_encodings;
    if (given_.expected_features.empty()) name_features(data);
    if (!given_.expected_features.empty()) data.features = given_.expected_features;
    data.missing = settings_.missing;
    fill_matrix(data);
    if (settings_.missing_policy == MissingPolicy::mean) {
      data.fill = given_.expected_fill;
      fill_missing_values(data, path_);
    }
    finish_weights(data);
    finish_target(data);
    return data;
  }

  void name_features(Dataset& data) const {
    for (std::size_t j = 0; j < features_.size(); ++j) {
      const std::string& name = layout_.feature_names[j];
      if (!features_[j].is_encoded()) {
        data.features.push_back(name);
        continue;
      }
      const Encoding encoding{name, static_cast<Index>(data.features.size()), features_[j].levels()};
      if (encoding.levels.empty()) fail_without_values(name);
      check_levels(j, encoding);
      check_for_missing(j, encoding);
      for (const std::string& level : encoding.levels) data.features.push_back(encoded_name(name, level));
      data.encodings.push_back(encoding);
    }
  }

  /// Ids and names are different in nearly every row.
  void check_levels(std::size_t j, const Encoding& encoding) const {
    const std::size_t column = layout_.features[j];
    const std::size_t levels = encoding.levels.size();
    if (layout_.categorical[column] || levels <= 10 || 2 * levels <= static_cast<std::size_t>(blocks_->rows())) return;
    throw std::invalid_argument(fmt::format(
        "{}, {}: {} different texts in {} rows, such as {}, can hardly be categories; leave the column out with "
        "--drop {}, or insist with --categorical",
        path_, layout_.describe(column), levels, blocks_->rows(), in_quotes(encoding.levels[0]),
        layout_.has_header() ? layout_.names[column] : std::to_string(column)));
  }

  /// A column that says nothing but NA is no column of categories.
  void check_for_missing(std::size_t j, const Encoding& encoding) const {
    const std::size_t column = layout_.features[j];
    if (layout_.categorical[column] || encoding.levels.size() > 1 || !looks_missing(encoding.levels[0])) return;
    throw std::invalid_argument(
        fmt::format("{}, {}: every value is {}; expected numbers or categories. Leave the column out with --drop {}",
                    path_, layout_.describe(column), in_quotes(encoding.levels[0]),
                    layout_.has_header() ? layout_.names[column] : std::to_string(column)));
  }

  /// A column of text becomes as many columns as it has levels.
  void fill_matrix(Dataset& data) {
    std::vector<std::vector<Index>> positions;
    for (const CsvColumn& feature : features_) positions.push_back(feature.positions());
    data.X = blocks_->drain(static_cast<Index>(data.features.size()), [&](auto&& X, const RowBlocks::Block& rows) {
      Index a = 0;
      for (std::size_t j = 0; j < features_.size(); ++j) {
        const auto values = rows.col(static_cast<Index>(j));
        if (!features_[j].is_encoded()) {
          X.col(a++) = values;
          continue;
        }
        const auto levels = static_cast<Index>(positions[j].size());
        X.middleCols(a, levels).setZero();
        for (Index k = 0; k < values.size(); ++k) {
          if (std::isnan(values[k])) {
            X.row(k).segment(a, levels).setConstant(missing_value);
          } else {
            X(k, a + positions[j][static_cast<std::size_t>(values[k])]) = 1;
          }
        }
        a += levels;
      }
    });
  }

  [[noreturn]] void fail_without_values(const std::string& name) const {
    throw std::invalid_argument(
        fmt::format("{}: every value of {} is missing, so there is no mean", path_, in_quotes(name)));
  }

  void finish_weights(Dataset& data) const {
    if (layout_.weights) {
      data.weights = Eigen::Map<const Vector>(weights_.data(), static_cast<Index>(weights_.size()));
      check_weights(data.weights, data.samples(), fmt::format("{}, {}", path_, layout_.describe(*layout_.weights)));
    } else if (!settings_.weights.empty()) {
      data.weights = read_weights(settings_.weights);
      check_weights(data.weights, data.samples(), settings_.weights);
    }
  }

  void finish_target(Dataset& data) {
    if (!layout_.target) return;
    const auto [name, position] = layout_.target_column();
    data.target = name;
    data.target_position = position;
    std::string problem = filter_.problem();
    if (problem.empty()) problem = target_.move_to(data);
    if (!problem.empty() && settings_.target_required) {
      throw std::invalid_argument(fmt::format("{}, {}: {}", path_, layout_.describe(*layout_.target), problem));
    }
  }

  const std::string& path_;
  const ReadSettings& given_;
  const ReadSettings settings_;
  const bool missing_may_be_numbers_;
  CsvRows rows_;
  ClassFilter filter_;
  Target target_;
  CsvLayout layout_;
  std::size_t columns_ = 0;
  Index first_line_ = 0;
  Index current_line_ = 0;
  Index seen_ = 0;  ///< rows, up to the current one
  std::vector<CsvColumn> features_;
  bool all_numeric_ = false;
  std::optional<RowBlocks> blocks_;
  std::vector<double> weights_;
};

}  // namespace

Dataset read_csv(std::string begin, ByteStream* source, const std::string& path, const ReadSettings& settings) {
  return CsvReader(std::move(begin), source, path, settings).read();
}

}  // namespace conelu
