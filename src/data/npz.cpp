#include "data/npz.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "data/class_filter.hpp"
#include "data/npy.hpp"
#include "data/target.hpp"
#include "data/text.hpp"
#include "data/weights.hpp"
#include "data/zip.hpp"

namespace conelu {
namespace {

class NpzReader {
 public:
  NpzReader(ByteStream& file, const ReadSettings& settings) : path_(file.path()), settings_(settings), archive_(file) {}

  Dataset read() {
    if (!settings_.expected_encodings.empty()) {
      fail(fmt::format("has no names of columns, but the model knows column {} as text",
                       in_quotes(settings_.expected_encodings[0].column)));
    }
    refuse_workbooks();
    read_features();
    read_weights();
    read_target();
    return std::move(data_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw std::invalid_argument(fmt::format("{}: {}", path_, problem));
  }

  std::string describe(const std::string& array) const { return fmt::format("{}, array {}", path_, array); }

  /// Their names end in .npy if NumPy has written them; it reads those of others, too.
  std::string member_of(const std::string& array) const {
    return archive_.contains(array + ".npy") ? array + ".npy" : array;
  }
  bool contains(const std::string& array) const { return archive_.contains(member_of(array)); }

  /// What `read` makes of an array.
  template <class Read>
  auto from_array(const std::string& array, Read&& read) const {
    const auto content = archive_.open(member_of(array));
    try {
      NpyArray values(*content, describe(array));
      return read(values);
    } catch (const std::invalid_argument&) {
      skip_rest(*content);  // a damaged member is called so, whatever it seems to hold
      throw;
    }
  }

  /// Before one number of the array is read: it may be packed, and far longer than it looks.
  void check_length(const std::string& array, const NpyArray& values, const char* what) const {
    if (values.length().value_or(data_.X.rows()) == static_cast<std::size_t>(data_.X.rows())) return;
    fail(fmt::format("array {} holds {} {}, but X has {} rows", array, *values.length(), what, data_.X.rows()));
  }

  [[noreturn]] void fail_to_find(const std::string& array, const char* meaning) const {
    std::vector<std::string> names = archive_.names();
    for (std::string& name : names) {
      if (name.ends_with(".npy")) name.resize(name.size() - 4);
    }
    fail(fmt::format("there is no array {} ({}); {}", in_quotes(array), meaning,
                     names.empty() ? "the file holds none" : "the file holds " + listed(names, 10)));
  }

  void refuse_workbooks() const {
    if (archive_.contains("xl/workbook.xml")) fail("is an Excel workbook; save its sheet as CSV and read that");
  }

  void read_features() {
    if (!contains("X")) fail_to_find("X", "the features, samples in rows");
    data_.X = from_array("X", [](NpyArray& values) { return values.matrix(); });
    if (data_.X.size() == 0)
      fail(fmt::format("array X has shape ({}, {}); expected at least one sample and one feature", data_.X.rows(),
                       data_.X.cols()));
    for (Index k = 0; k < data_.X.rows(); ++k) {
      for (Index j = 0; j < data_.X.cols(); ++j) {
        if (std::isfinite(data_.X(k, j))) continue;
        fail(fmt::format("X[{}, {}] (row {}, column {}): {}", k, j, k + 1, j + 1, not_finite(data_.X(k, j))));
      }
    }
    data_.features = settings_.expected_features;
    const auto columns = static_cast<std::size_t>(data_.X.cols());
    if (data_.features.empty()) data_.features = default_feature_names(columns);
    if (data_.features.size() != columns) {
      fail(fmt::format("X has {} columns; expected the {} features of the model", columns, data_.features.size()));
    }
  }

  void read_weights() {
    const std::string array = settings_.weights.empty() ? "weights" : settings_.weights;
    if (contains(array)) {
      data_.weights = from_array(array, [&](NpyArray& values) {
        check_length(array, values, "weights");
        return values.vector();
      });
      check_weights(data_.weights, data_.samples(), describe(array));
    } else if (!settings_.weights.empty()) {
      if (!names_weights_file(settings_.weights)) fail_to_find(array, "the weights");
      data_.weights = conelu::read_weights(settings_.weights);
      check_weights(data_.weights, data_.samples(), settings_.weights);
    }
  }

  void read_target() {
    const std::string array = settings_.target.empty() ? "y" : settings_.target;
    if (contains(array)) {
      const std::string problem = read_target_array(array);
      if (!problem.empty() && settings_.target_required) fail(fmt::format("array {}: {}", array, problem));
    } else if (settings_.target_required) {
      fail_to_find(array, "the target");
    }
  }

  /// What is wrong with the target, or nothing.
  std::string read_target_array(const std::string& array) {
    return from_array(array, [&](NpyArray& values) { return read_target_values(array, values); });
  }

  std::string read_target_values(const std::string& array, NpyArray& values) {
    check_length(array, values, "targets");
    Target target(settings_);
    ClassFilter filter(settings_.classes);
    std::vector<Index> wanted;
    Index count = 0;
    const auto add = [&](const auto& value) {
      ++count;
      if (!filter.wants(as_label(value))) return;
      wanted.push_back(count - 1);
      const std::string problem = target.add(value);
      if (!problem.empty() && settings_.target_required) {
        fail(fmt::format("{}[{}] (row {}): {}", array, count - 1, count, problem));
      }
    };
    if (values.is_text()) {
      for (const std::string& text : values.texts()) add(text);
    } else {
      const Vector numbers = values.vector();
      if (values.was_rounded() && settings_.task == Task::classification) {
        return "holds integers beyond 2^53, which are not told apart as numbers; save them as text";
      }
      for (const double value : numbers) add(value);
    }
    if (const std::string problem = filter.problem(); !problem.empty()) return problem;
    if (wanted.size() < static_cast<std::size_t>(count)) data_ = select_rows(data_, wanted);
    return target.move_to(data_);
  }

  std::string as_label(const std::string& text) const { return text; }
  std::string as_label(double value) const { return settings_.classes.empty() ? std::string() : format_number(value); }

  const std::string& path_;
  const ReadSettings& settings_;
  ZipArchive archive_;
  Dataset data_;
};

}  // namespace

Dataset read_npz(ByteStream& file, const ReadSettings& settings) { return NpzReader(file, settings).read(); }

}  // namespace conelu
