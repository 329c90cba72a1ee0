#include "data/encoding.hpp"

#include <algorithm>

namespace conelu {

std::string encoded_name(const std::string& column, const std::string& level) { return column + "=" + level; }

std::vector<std::string> columns_of(const std::vector<std::string>& features, const std::vector<Encoding>& encodings) {
  std::vector<std::string> columns;
  for (std::size_t a = 0; a < features.size();) {
    const auto encoding = std::find_if(encodings.begin(), encodings.end(), [&](const Encoding& e) {
      return e.first == static_cast<Index>(a) && !e.levels.empty();
    });
    columns.push_back(encoding == encodings.end() ? features[a] : encoding->column);
    a += encoding == encodings.end() ? 1 : encoding->levels.size();
  }
  return columns;
}

const Encoding* find_encoding(const std::vector<Encoding>& encodings, const std::string& column) {
  const auto found =
      std::find_if(encodings.begin(), encodings.end(), [&](const Encoding& e) { return e.column == column; });
  return found == encodings.end() ? nullptr : &*found;
}

}  // namespace conelu
