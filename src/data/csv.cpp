#include "data/csv.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "data/csv_layout.hpp"
#include "data/csv_rows.hpp"
#include "data/file.hpp"
#include "data/target.hpp"
#include "data/text.hpp"
#include "data/weights.hpp"

namespace conelu {
namespace {

CsvLayout find_layout(std::string_view bytes, const std::string& path, const ReadSettings& settings) {
  CsvRows rows(bytes, path);
  std::vector<std::string> first, second;
  if (!rows.next()) throw std::invalid_argument(fmt::format("{}: is empty", path));
  first.assign(rows.fields().begin(), rows.fields().end());
  if (rows.next()) second.assign(rows.fields().begin(), rows.fields().end());
  CsvLayout layout = choose_layout(first, second, settings, path);
  if (layout.has_header() && second.empty()) {
    throw std::invalid_argument(fmt::format("{}: has a header but no rows of data", path));
  }
  return layout;
}

/// One pass over the rows, value by value into growing columns.
class CsvReader {
 public:
  CsvReader(std::string_view bytes, const std::string& path, const ReadSettings& settings)
      : path_(path),
        settings_(settings),
        layout_(find_layout(bytes, path, settings)),
        rows_(bytes, path),
        target_(settings) {}

  Dataset read() {
    rows_.next();
    const std::size_t columns = rows_.fields().size();
    const Index first_line = rows_.line();
    for (bool more = layout_.has_header() ? rows_.next() : true; more; more = rows_.next()) {
      if (rows_.fields().size() != columns) {
        throw std::invalid_argument(fmt::format("{}, line {}: has {} fields, expected {} as in line {}", path_,
                                                rows_.line(), rows_.fields().size(), columns, first_line));
      }
      ++samples_;
      read_row();
    }
    return finish();
  }

 private:
  void read_row() {
    for (const std::size_t column : layout_.features) features_.push_back(number(column));
    if (layout_.weights) weights_.push_back(number(*layout_.weights));
    if (layout_.target) {
      const std::string problem = target_.add(rows_.fields()[*layout_.target]);
      if (!problem.empty() && settings_.target_required) fail(*layout_.target, problem);
    }
  }

  double number(std::size_t column) const {
    const std::string_view text = rows_.fields()[column];
    const auto value = parse_number(text);
    if (!value) fail(column, text.empty() ? "the field is empty, expected a number" : not_a_number(text));
    if (!std::isfinite(*value)) fail(column, not_finite(*value));
    return *value;
  }

  std::string not_a_number(std::string_view text) const {
    std::string problem = quoted(text) + " is not a number";
    if (text.find(',') != std::string_view::npos) problem += " (decimals need a point, not a comma)";
    if (samples_ == 1 && !layout_.has_header()) {
      problem += "; the line is no header either, as other features in it are numbers";
    }
    return problem;
  }

  [[noreturn]] void fail(std::size_t column, const std::string& problem) const {
    throw std::invalid_argument(
        fmt::format("{}, line {} (row {}), {}: {}", path_, rows_.line(), samples_, layout_.describe(column), problem));
  }

  Dataset finish() {
    Dataset data;
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    data.X = Eigen::Map<const RowMajor>(features_.data(), samples_, static_cast<Index>(layout_.features.size()));
    data.features = layout_.feature_names;
    if (layout_.weights) {
      data.weights = Eigen::Map<const Vector>(weights_.data(), samples_);
      check_weights(data.weights, samples_, fmt::format("{}, {}", path_, layout_.describe(*layout_.weights)));
    } else if (!settings_.weights.empty()) {
      data.weights = read_weights(settings_.weights);
      check_weights(data.weights, samples_, settings_.weights);
    }
    if (layout_.target) {
      if (layout_.has_header()) data.target = layout_.names[*layout_.target];
      const std::string problem = target_.move_to(data);
      if (!problem.empty() && settings_.target_required) {
        throw std::invalid_argument(fmt::format("{}, {}: {}", path_, layout_.describe(*layout_.target), problem));
      }
    }
    return data;
  }

  const std::string& path_;
  const ReadSettings& settings_;
  const CsvLayout layout_;
  CsvRows rows_;
  Target target_;
  std::vector<double> features_;  ///< row after row
  std::vector<double> weights_;
  Index samples_ = 0;
};

std::string as_field(const std::string& text) {
  if (text.find_first_of("\",;\t\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) field.append(c == '"' ? 2 : 1, c);
  return field + '"';
}

std::string target_name(const Dataset& data) {
  std::string name = data.target.empty() ? "y" : data.target;
  while (std::find(data.features.begin(), data.features.end(), name) != data.features.end()) name += '_';
  return name;
}

}  // namespace

Dataset read_csv(std::string_view bytes, const std::string& path, const ReadSettings& settings) {
  return CsvReader(bytes, path, settings).read();
}

void write_csv(const std::string& path, const Dataset& data) {
  std::string text;
  const auto append = [&text](const std::string& field) {
    if (!text.empty() && text.back() != '\n') text += ',';
    text += field;
  };
  for (const std::string& name : data.features) append(as_field(name));
  if (data.y.size() > 0) append(as_field(target_name(data)));
  text += '\n';
  for (Index k = 0; k < data.samples(); ++k) {
    for (Index j = 0; j < data.X.cols(); ++j) append(format_number(data.X(k, j)));
    if (data.y.size() > 0) {
      const bool labelled = !data.classes.empty();
      append(labelled ? as_field(data.classes[static_cast<std::size_t>(data.class_of(k))]) : format_number(data.y[k]));
    }
    text += '\n';
  }
  write_file_atomically(path, text);
}

}  // namespace conelu
