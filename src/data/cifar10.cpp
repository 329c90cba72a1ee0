#include "data/cifar10.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "data/image.hpp"
#include "data/row_blocks.hpp"
#include "data/sample_list.hpp"

namespace conelu {
Dataset read_cifar10(std::string_view bytes, const std::string& path, const ReadSettings& settings) {
  constexpr std::size_t side = 32, plane = side * side, planes = 3, record = 1 + planes * plane;
  SampleList samples(path, settings);
  if (bytes.empty()) samples.fail("is empty");
  if (bytes.size() % record != 0) {
    samples.fail(
        fmt::format("has {} bytes, which is not a number of CIFAR-10 records of {} bytes; the last one ends at "
                    "byte {}",
                    bytes.size(), record, bytes.size() / record * record));
  }
  const AreaAverage average({side, side}, settings.downsample, path);
  const auto pixels = static_cast<std::size_t>(average.pixels());
  RowBlocks rows(planes * pixels);
  std::array<double, plane> values;
  for (std::size_t at = 0; at < bytes.size(); at += record) {
    const auto label = static_cast<unsigned char>(bytes[at]);
    const std::string where = fmt::format("record {} (byte {})", at / record + 1, at);
    if (label > 9) samples.fail(fmt::format("{}: label {} is none of CIFAR-10, 0 to 9", where, label));
    if (!samples.add(std::to_string(label), where)) continue;
    double* row = rows.add_row();
    for (std::size_t p = 0; p < planes; ++p) {
      const char* from = bytes.data() + at + 1 + p * plane;
      std::transform(from, from + plane, values.begin(), [](char c) { return static_cast<unsigned char>(c); });
      average.apply(values.data(), row + p * pixels);
    }
  }
  samples.set_matrix(rows.drain());
  return samples.finish(true);
}

}  // namespace conelu
