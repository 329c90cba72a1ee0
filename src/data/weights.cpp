#include "data/weights.hpp"

#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "data/byte_stream.hpp"
#include "data/csv_rows.hpp"
#include "data/npy.hpp"
#include "data/text.hpp"

namespace conelu {

bool names_weights_file(const std::string& setting) {
  std::error_code ignored;
  return setting.ends_with(".npy") || setting.ends_with(".csv") || setting.ends_with(".txt") ||
         setting.find('/') != std::string::npos || std::filesystem::exists(setting, ignored);
}

Vector read_weights(const std::string& path) {
  ByteStream file(path);
  std::string begin(std::size_t{1} << 16, '\0');
  begin.resize(file.read(begin.data(), begin.size()));
  if (begin.starts_with(npy_magic)) {
    file.put_back(std::move(begin));
    return NpyArray(file, path).vector();
  }

  std::vector<double> weights;
  CsvRows rows(std::move(begin), &file, path);
  bool first = true;
  while (rows.next()) {
    if (rows.fields().size() != 1) {
      throw std::invalid_argument(fmt::format("{}, line {}: has {} fields, expected one weight per line", path,
                                              rows.line(), rows.fields().size()));
    }
    const std::string_view text = rows.fields()[0];
    const std::optional<double> weight = parse_number(text);
    if (weight) {
      weights.push_back(*weight);
    } else if (!first) {
      throw std::invalid_argument(fmt::format("{}, line {}: {} is not a number", path, rows.line(), in_quotes(text)));
    }
    first = false;
  }
  return Eigen::Map<const Vector>(weights.data(), static_cast<Index>(weights.size()));
}

void check_weights(const Vector& weights, Index samples, const std::string& name) {
  const auto fail = [&](const std::string& problem) { throw std::invalid_argument(name + ": " + problem); };
  if (weights.size() != samples) {
    fail(fmt::format("holds {} weights, expected {}, one per sample", weights.size(), samples));
  }
  for (Index k = 0; k < weights.size(); ++k) {
    if (!std::isfinite(weights[k])) fail(fmt::format("row {}: {}", k + 1, not_finite(weights[k])));
    if (weights[k] < 0) fail(fmt::format("row {}: weight {} is negative", k + 1, format_number(weights[k])));
  }
  if ((weights.array() == 0).all()) fail("all weights are zero, which leaves no samples");
}

}  // namespace conelu
