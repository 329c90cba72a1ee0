#include <algorithm>
#include <optional>

#include "conelu/read_data.hpp"
#include "data/encoding.hpp"
#include "data/file.hpp"
#include "data/text.hpp"

namespace conelu {
namespace {

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

/// Level of an encoded column in a row, if it is exactly one.
std::optional<std::size_t> level_of(const Dataset& data, const Encoding& encoding, Index k) {
  std::optional<std::size_t> level;
  for (std::size_t l = 0; l < encoding.levels.size(); ++l) {
    const double value = data.X(k, encoding.first + static_cast<Index>(l));
    if (value == 0) continue;
    if (value != 1 || level) return std::nullopt;
    level = l;
  }
  return level;
}

/// The encodings that can be written as the text they were.
std::vector<Encoding> undone_encodings(const Dataset& data) {
  std::vector<Encoding> result;
  for (const Encoding& encoding : data.encodings) {
    bool whole = true;
    for (Index k = 0; k < data.samples() && whole; ++k) whole = level_of(data, encoding, k).has_value();
    if (whole) result.push_back(encoding);
  }
  return result;
}

const Encoding* beginning_at(const std::vector<Encoding>& encodings, Index feature) {
  const auto found =
      std::find_if(encodings.begin(), encodings.end(), [&](const Encoding& e) { return e.first == feature; });
  return found == encodings.end() ? nullptr : &*found;
}

}  // namespace

void write_csv(const std::string& path, const Dataset& data) {
  std::string text;
  const auto append = [&text](const std::string& field) {
    if (!text.empty() && text.back() != '\n') text += ',';
    text += field;
  };
  const std::vector<Encoding> undone = undone_encodings(data);
  for (const std::string& name : columns_of(data.features, undone)) append(as_field(name));
  if (data.y.size() > 0) append(as_field(target_name(data)));
  text += '\n';
  for (Index k = 0; k < data.samples(); ++k) {
    for (Index j = 0; j < data.X.cols();) {
      const Encoding* encoding = beginning_at(undone, j);
      append(encoding == nullptr ? format_number(data.X(k, j))
                                 : as_field(encoding->levels[*level_of(data, *encoding, k)]));
      j += encoding == nullptr ? 1 : static_cast<Index>(encoding->levels.size());
    }
    if (data.y.size() > 0) {
      const bool labelled = !data.classes.empty();
      append(labelled ? as_field(data.classes[static_cast<std::size_t>(data.class_of(k))]) : format_number(data.y[k]));
    }
    text += '\n';
  }
  write_file_atomically(path, text);
}

}  // namespace conelu
