#include "conelu/read_data.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <string_view>

#include "data/csv.hpp"
#include "data/file.hpp"
#include "data/npz.hpp"

namespace conelu {
namespace {

/// A class that only rows of weight 0 belong to is not there.
void check_both_classes_weigh(const Dataset& data, const std::string& path) {
  if (data.weights.size() == 0) return;
  for (const double sign : {-1.0, 1.0}) {
    const bool present = ((data.y.array() == sign) && (data.weights.array() > 0)).any();
    if (!present) {
      throw std::invalid_argument(
          fmt::format("{}: classification needs two classes, but every row with label '{}' has weight 0", path,
                      data.classes[sign > 0 ? 1 : 0]));
    }
  }
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadSettings& settings) {
  const std::string bytes = read_file(path);
  const bool is_archive = path.ends_with(".npz") || bytes.starts_with("PK\x03\x04");
  if (bytes.starts_with("\x93NUMPY")) {
    throw std::invalid_argument(fmt::format("{}: holds a single array; expected a .npz with X and y, or CSV", path));
  }
  const Dataset data = is_archive ? read_npz(bytes, path, settings) : read_csv(bytes, path, settings);
  const bool training = settings.task == Task::classification && settings.target_required;
  if (training && settings.expected_classes.empty()) check_both_classes_weigh(data, path);
  return data;
}

}  // namespace conelu
