#include "data/npy_table.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "data/csv_layout.hpp"
#include "data/npy.hpp"
#include "data/sample_list.hpp"
#include "data/text.hpp"
#include "data/weights.hpp"

namespace conelu {
namespace {

void check_finite(const Matrix& table, const std::string& path) {
  for (Index k = 0; k < table.rows(); ++k) {
    for (Index j = 0; j < table.cols(); ++j) {
      if (std::isfinite(table(k, j))) continue;
      throw std::invalid_argument(
          fmt::format("{}, row {}, column {}: {}", path, k + 1, j + 1, not_finite(table(k, j))));
    }
  }
}

}  // namespace

Dataset read_npy_table(std::string_view bytes, const std::string& path, const ReadSettings& settings) {
  const Matrix table = NpyArray::parse(bytes, path).matrix();
  if (table.size() == 0) {
    throw std::invalid_argument(fmt::format("{}: has shape ({}, {}); expected at least one sample and one feature",
                                            path, table.rows(), table.cols()));
  }
  check_finite(table, path);
  const std::vector<std::string> numbers(static_cast<std::size_t>(table.cols()), "0");
  ReadSettings nameless = settings;
  nameless.header = false;
  const CsvLayout layout = choose_layout(numbers, {}, nameless, path);

  ReadSettings rest = settings;
  if (layout.weights) rest.weights.clear();
  SampleList samples(path, rest);
  std::vector<Index> wanted;
  for (Index k = 0; k < table.rows(); ++k) {
    const auto label = [&] { return format_number(table(k, static_cast<Index>(*layout.target))); };
    if (!layout.target || samples.add(label(), fmt::format("row {}", k + 1))) wanted.push_back(k);
  }
  std::vector<Index> columns(layout.features.begin(), layout.features.end());
  samples.set_matrix(table(wanted, columns));
  Dataset data = samples.finish(layout.target.has_value());
  data.target_position = layout.target_column().position;
  if (layout.weights) {
    data.weights = table(wanted, static_cast<Index>(*layout.weights));
    check_weights(data.weights, data.samples(), fmt::format("{}, {}", path, layout.describe(*layout.weights)));
  }
  return data;
}

}  // namespace conelu
