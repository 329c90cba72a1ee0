#include "data/idx.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "data/byte_stream.hpp"
#include "data/image.hpp"
#include "data/npy.hpp"
#include "data/row_blocks.hpp"
#include "data/sample_list.hpp"
#include "data/text.hpp"

namespace conelu {
namespace {

/// Bytes of a number of that type; 0 for types that there are not.
std::size_t item_size(int type) {
  switch (type) {
    case 0x08:  // unsigned byte
    case 0x09:  // signed byte
      return 1;
    case 0x0b:
      return 2;
    case 0x0c:  // integer
    case 0x0d:  // float
      return 4;
    case 0x0e:
      return 8;
    default:
      return 0;
  }
}

/// Numbers of IDX files have their largest byte first.
template <class Number>
Number load(const char* at) {
  char bytes[sizeof(Number)];
  std::memcpy(bytes, at, sizeof bytes);
  if (std::endian::native == std::endian::little) std::reverse(bytes, bytes + sizeof bytes);
  Number number;
  std::memcpy(&number, bytes, sizeof bytes);
  return number;
}

/// Its numbers one after the other.
class IdxArray {
 public:
  /// Reads the header; `file` must outlive the array.
  explicit IdxArray(ByteStream& file) : file_(file) {
    std::string header(4, '\0');
    header.resize(file.read(header.data(), 4));
    if (!looks_like_idx(header)) fail("is not an IDX file: its first bytes are not 0, 0, a type and a dimension");
    type_ = header[2];
    const auto dimensions = static_cast<std::size_t>(header[3]);
    std::vector<char> lengths(4 * dimensions);
    if (const std::size_t got = file.read(lengths.data(), lengths.size()); got < lengths.size()) {
      fail(fmt::format("is truncated at byte {}, in its header of {}", 4 + got, 4 + lengths.size()));
    }
    for (std::size_t i = 0; i < dimensions; ++i) shape_.push_back(load<std::uint32_t>(lengths.data() + 4 * i));
    size_ = item_size(type_);
    bool overflow = false;
    for (const std::size_t length : shape_) overflow |= __builtin_mul_overflow(size_, length, &size_);
    if (overflow) fail_by_size("more than 2^64");
    if (size_ > file.most_left() || (file.can_seek() && size_ < file.most_left())) fail_by_size(std::to_string(size_));
  }

  const std::vector<std::size_t>& shape() const { return shape_; }

  void read(double* to, std::size_t count) {
    while (count > 0) {
      if (at_ == some_.size()) refill();
      const std::size_t some = std::min(count, (some_.size() - at_) / item_size(type_));
      convert(some_.data() + at_, to, some);
      at_ += some * item_size(type_);
      to += some;
      count -= some;
    }
  }

  void skip(std::size_t count) {
    for (std::size_t left = count * item_size(type_); left > 0;) {
      if (at_ == some_.size()) refill();
      const std::size_t some = std::min(left, some_.size() - at_);
      at_ += some;
      left -= some;
    }
  }

  /// To be called behind the last number.
  void expect_end() {
    read_ += skip_rest(file_);
    if (read_ > size_) fail_by_size(std::to_string(size_));
  }

 private:
  void refill() {
    some_.resize(std::min<std::size_t>(size_ - read_, 1 << 16));
    const std::size_t got = file_.read(some_.data(), some_.size());
    read_ += got;
    if (got < some_.size()) fail_by_size(std::to_string(size_));
    at_ = 0;
  }

  void convert(const char* from, double* to, std::size_t count) const {
    const auto fill = [&](auto load_one) {
      for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<double>(load_one(from + i * item_size(type_)));
    };
    switch (type_) {
      case 0x08:
        return fill(load<unsigned char>);
      case 0x09:
        return fill(load<signed char>);
      case 0x0b:
        return fill(load<std::int16_t>);
      case 0x0c:
        return fill(load<std::int32_t>);
      case 0x0d:
        return fill(load<float>);
      default:
        return fill(load<double>);
    }
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw std::invalid_argument(fmt::format("{}: {}", file_.path(), problem));
  }
  [[noreturn]] void fail_by_size(const std::string& expected) {
    fail(fmt::format("has {} bytes behind its header; expected {} for the shape {}", read_ + skip_rest(file_), expected,
                     to_string(shape_)));
  }

  ByteStream& file_;
  int type_ = 0;
  std::vector<std::size_t> shape_;
  std::size_t size_ = 0;  ///< bytes of the numbers
  std::size_t read_ = 0;  ///< of them, up to the end of `some_`
  std::vector<char> some_;
  std::size_t at_ = 0;
};

/// The name of the file with the labels, if that of the images tells.
std::string labels_beside(const std::string& path) {
  const std::filesystem::path whole(path);
  std::string name = whole.filename().string();
  const std::size_t images = name.rfind("images");
  if (images == std::string::npos) return {};
  name.replace(images, 6, "labels");
  if (const std::size_t idx = name.rfind("idx3"); idx != std::string::npos) name.replace(idx, 4, "idx1");
  return (whole.parent_path() / name).string();
}

/// Empty if there is none and none is needed.
std::string find_labels(const std::string& path, const ReadSettings& settings) {
  const std::string name = settings.target.empty() ? labels_beside(path) : settings.target;
  std::error_code ignored;
  if (!name.empty() && std::filesystem::exists(name, ignored)) return name;
  if (!settings.target_required) return {};
  throw std::invalid_argument(
      fmt::format("{}: holds images, and there is no file with their labels{}; --target names one", path,
                  name.empty() ? " (the name has no \"images\" in it that \"labels\" could replace)"
                               : fmt::format(", '{}'", name)));
}

}  // namespace

bool looks_like_idx(std::string_view bytes) {
  return bytes.size() >= 4 && bytes[0] == 0 && bytes[1] == 0 && item_size(bytes[2]) > 0 && bytes[3] > 0 && bytes[3] < 8;
}

Dataset read_idx(ByteStream& file, const ReadSettings& settings) {
  const std::string& path = file.path();
  IdxArray images(file);
  SampleList samples(path, settings);
  const auto& shape = images.shape();
  if (shape.size() < 2) samples.fail(fmt::format("has shape {}; expected images or rows", to_string(shape)));
  // Without images the other dimensions may be anything, and need not fit into memory.
  if (std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end()) {
    samples.fail(fmt::format("has shape {}; expected at least one sample and one feature", to_string(shape)));
  }
  const std::string labels_path = find_labels(path, settings);
  const bool labelled = !labels_path.empty();
  std::optional<ByteStream> labels_file;
  std::optional<IdxArray> labels;
  if (labelled) {
    labels.emplace(labels_file.emplace(labels_path));
    if (labels->shape() != std::vector<std::size_t>{shape[0]}) {
      samples.fail(fmt::format("has shape {}, but the labels in {} have {}; expected one for each image",
                               to_string(shape), labels_path, to_string(labels->shape())));
    }
  } else if (!settings.classes.empty()) {
    samples.fail("--classes needs labels, and there is no file with them");
  }
  // The last two dimensions are a picture; what stands before them is its number, and planes of it if there are any.
  const bool pictures = shape.size() > 2;
  const ImageSize from{pictures ? static_cast<Index>(shape[shape.size() - 2]) : 1, static_cast<Index>(shape.back())};
  if (!pictures && settings.downsample.height > 0) samples.fail("holds rows, not images, to downsample");
  const AreaAverage average(from, settings.downsample, path);
  std::size_t values = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) values *= shape[i];
  const std::size_t plane = static_cast<std::size_t>(from.height * from.width);
  const std::size_t planes = values / plane;

  RowBlocks rows(planes * static_cast<std::size_t>(average.pixels()));
  std::vector<double> pixels(plane);
  for (std::size_t k = 0; k < shape[0]; ++k) {
    const std::string where = fmt::format("image {}", k + 1);
    if (labelled) {
      double label = 0;
      labels->read(&label, 1);
      if (!samples.add(format_number(label), where)) {
        images.skip(values);
        continue;
      }
    }
    double* row = rows.add_row();
    for (std::size_t p = 0; p < planes; ++p) {
      images.read(pixels.data(), plane);
      for (std::size_t i = 0; i < plane; ++i) {
        if (std::isfinite(pixels[i])) continue;
        samples.fail(fmt::format("{}, value {}: {}", where, p * plane + i + 1, not_finite(pixels[i])));
      }
      average.apply(pixels.data(), row + p * static_cast<std::size_t>(average.pixels()));
    }
  }
  images.expect_end();
  if (labelled) labels->expect_end();
  samples.set_matrix(rows.drain());
  return samples.finish(labelled);
}

}  // namespace conelu
