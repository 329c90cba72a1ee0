#include "data/cifar10.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "data/image.hpp"
#include "data/row_blocks.hpp"
#include "data/sample_list.hpp"

namespace conelu {
Dataset read_cifar10(ByteStream& file, const ReadSettings& settings) {
  constexpr std::size_t side = 32, plane = side * side, planes = 3, record = 1 + planes * plane;
  SampleList samples(file.path(), settings);
  const AreaAverage average({side, side}, settings.downsample, file.path());
  const auto pixels = static_cast<std::size_t>(average.pixels());
  RowBlocks rows(planes * pixels);
  std::array<double, plane> values;
  std::array<char, record> bytes;
  for (std::size_t at = 0;; at += record) {
    const std::size_t got = file.read(bytes.data(), record);
    if (at + got == 0) samples.fail("is empty");
    if (got == 0) break;
    if (got < record) {
      samples.fail(
          fmt::format("has {} bytes, which is not a number of CIFAR-10 records of {} bytes; the last one ends at "
                      "byte {}",
                      at + got, record, at));
    }
    const auto label = static_cast<unsigned char>(bytes[0]);
    const std::string where = fmt::format("record {} (byte {})", at / record + 1, at);
    if (label > 9) samples.fail(fmt::format("{}: label {} is none of CIFAR-10, 0 to 9", where, label));
    if (!samples.add(std::to_string(label), where)) continue;
    double* row = rows.add_row();
    for (std::size_t p = 0; p < planes; ++p) {
      const char* from = bytes.data() + 1 + p * plane;
      std::transform(from, from + plane, values.begin(), [](char c) { return static_cast<unsigned char>(c); });
      average.apply(values.data(), row + p * pixels);
    }
  }
  samples.set_matrix(rows.drain());
  return samples.finish(true);
}

}  // namespace conelu
