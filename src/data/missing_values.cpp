#include "data/missing_values.hpp"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "data/text.hpp"

namespace conelu {
namespace {

double mean_of_present(const Dataset& data, Index a, const std::string& where) {
  // Step by step: a sum could overflow where the mean does not.
  double mean = 0, count = 0;
  for (const double value : data.X.col(a)) {
    if (!std::isnan(value)) mean += (value / (count + 1) - mean / (count + 1)), ++count;
  }
  if (count > 0) return mean;
  throw std::invalid_argument(fmt::format("{}: every value of {} is missing, so there is no mean", where,
                                          in_quotes(data.features[static_cast<std::size_t>(a)])));
}

}  // namespace

void fill_missing_values(Dataset& data, const std::string& where) {
  if (data.fill.size() == 0) {
    Vector means(data.X.cols());
    for (Index a = 0; a < data.X.cols(); ++a) means[a] = mean_of_present(data, a, where);
    data.fill = means;
  }
  for (Index a = 0; a < data.X.cols(); ++a) {
    for (Index k = 0; k < data.samples(); ++k) {
      if (!std::isnan(data.X(k, a))) continue;
      data.X(k, a) = data.fill[a];
      data.missing_cells.push_back({k, a});
    }
  }
}

void empty_missing_cells(Dataset& data) {
  for (const MissingCell& cell : data.missing_cells) {
    data.X(cell.row, cell.feature) = std::numeric_limits<double>::quiet_NaN();
  }
  data.missing_cells.clear();
  data.fill.resize(0);
}

}  // namespace conelu
