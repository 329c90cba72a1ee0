#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace conelu {

/// A .npy file from its header's three entries and raw data, for every type and every kind of damage.
inline std::string npy_file(const std::string& type, const std::string& shape, const std::string& data,
                            const std::string& fortran_order = "False", char version = 1) {
  const std::string header =
      "{'descr': " + type + ", 'fortran_order': " + fortran_order + ", 'shape': " + shape + ", }\n";
  std::string bytes = std::string("\x93NUMPY") + version + '\0';
  bytes += static_cast<char>(header.size());
  bytes.append(version == 1 ? 1 : 3, '\0');
  return bytes + header + data;
}

/// The bytes of numbers of type Number, in this machine's order.
template <class Number>
std::string raw(const std::vector<Number>& numbers) {
  return std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

}  // namespace conelu
