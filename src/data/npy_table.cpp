#include "data/npy_table.hpp"

#include <fmt/core.h>

#include <algorithm>
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

/// Some rows and columns. Columns in their order, of all rows, need no second matrix.
Matrix part_of(Matrix table, const std::vector<Index>& rows, const std::vector<Index>& columns) {
  const bool in_place =
      static_cast<Index>(rows.size()) == table.rows() && std::is_sorted(columns.begin(), columns.end());
  if (!in_place) return table(rows, columns);
  for (std::size_t j = 0; j < columns.size(); ++j) table.col(static_cast<Index>(j)) = table.col(columns[j]);
  table.conservativeResize(Eigen::NoChange, static_cast<Index>(columns.size()));
  return table;
}

}  // namespace

Dataset read_npy_table(ByteStream& file, const ReadSettings& settings) {
  const std::string& path = file.path();
  Matrix table = NpyArray(file, path).matrix();
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
  const Vector weights =
      layout.weights ? Vector(table(wanted, static_cast<Index>(*layout.weights))) : Vector();
  samples.set_matrix(part_of(std::move(table), wanted, {layout.features.begin(), layout.features.end()}));
  Dataset data = samples.finish(layout.target.has_value());
  data.target_position = layout.target_column().position;
  if (layout.weights) {
    data.weights = weights;
    check_weights(data.weights, data.samples(), fmt::format("{}, {}", path, layout.describe(*layout.weights)));
  }
  return data;
}

}  // namespace conelu
