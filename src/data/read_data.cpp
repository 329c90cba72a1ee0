#include "conelu/read_data.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "data/csv.hpp"
#include "data/file.hpp"
#include "data/npz.hpp"
#include "data/text.hpp"

namespace conelu {
namespace {

/// A class that only rows of weight 0 belong to is not there.
void check_every_class_weighs(const Dataset& data, const std::string& path) {
  if (data.weights.size() == 0) return;
  std::vector<bool> weighs(data.classes.size(), false);
  for (Index k = 0; k < data.samples(); ++k) {
    if (data.weights(k) > 0) weighs[static_cast<std::size_t>(data.class_of(k))] = true;
  }
  const auto missing = std::find(weighs.begin(), weighs.end(), false);
  if (missing == weighs.end()) return;
  throw std::invalid_argument(
      fmt::format("{}: classification needs rows of every class, but every row with label {} has weight 0", path,
                  quoted(data.classes[static_cast<std::size_t>(missing - weighs.begin())])));
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
  if (training && settings.expected_classes.empty()) check_every_class_weighs(data, path);
  return data;
}

}  // namespace conelu
