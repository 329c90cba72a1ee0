#include <optional>
#include <vector>

#include "conelu/read_data.hpp"
#include "data/file.hpp"
#include "data/npy.hpp"
#include "data/text.hpp"
#include "data/zip_writer.hpp"

namespace conelu {
namespace {

/// The classes' numbers, or nothing if some have none.
std::vector<double> numbers_of(const std::vector<std::string>& classes) {
  std::vector<double> numbers;
  for (const std::string& label : classes) {
    const std::optional<double> number = parse_number(label);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

std::string target_bytes(const Dataset& data) {
  if (data.classes.empty()) return npy_bytes(data.y);
  const std::vector<double> numbers = numbers_of(data.classes);
  Vector coded(data.samples());
  std::vector<std::string> labels;
  for (Index k = 0; k < data.samples(); ++k) {
    const auto c = static_cast<std::size_t>(data.class_of(k));
    if (numbers.empty()) {
      labels.push_back(data.classes[c]);
    } else {
      coded(k) = numbers[c];
    }
  }
  return numbers.empty() ? npy_bytes(labels) : npy_bytes(coded);
}

}  // namespace

void write_npz(const std::string& path, const Dataset& data) {
  ZipWriter archive;
  archive.add("X.npy", npy_bytes(data.X));
  if (data.y.size() > 0) archive.add("y.npy", target_bytes(data));
  write_file_atomically(path, archive.bytes());
}

}  // namespace conelu
