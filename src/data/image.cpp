#include "data/image.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace conelu {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Share of old pixel j in new pixel i, which covers [i, i + 1) from / to of the old ones.
Matrix shares(Index from, Index to) {
  Matrix share = Matrix::Zero(to, from);
  for (Index i = 0; i < to; ++i) {
    for (Index j = i * from / to; j < from && j * to < (i + 1) * from; ++j) {
      const Index overlap = std::min((j + 1) * to, (i + 1) * from) - std::max(j * to, i * from);  // in 1 / to
      share(i, j) = static_cast<double>(overlap) / static_cast<double>(from);
    }
  }
  return share;
}

}  // namespace

AreaAverage::AreaAverage(ImageSize from, ImageSize to, const std::string& path)
    : from_(from), to_(to.height == 0 && to.width == 0 ? from : to) {
  if (to_.height == from.height && to_.width == from.width) return;
  if (to_.height > from.height || to_.width > from.width || to_.height < 1 || to_.width < 1) {
    throw std::invalid_argument(fmt::format("{}: holds images of {}x{}, which cannot be downsampled to {}x{}", path,
                                            from.height, from.width, to_.height, to_.width));
  }
  vertical_ = shares(from.height, to_.height);
  horizontal_ = shares(from.width, to_.width);
}

void AreaAverage::apply(const double* plane, double* result) const {
  if (vertical_.size() == 0) {
    std::copy(plane, plane + from_.height * from_.width, result);
    return;
  }
  const Eigen::Map<const RowMajor> from(plane, from_.height, from_.width);
  Eigen::Map<RowMajor>(result, to_.height, to_.width).noalias() = vertical_ * from * horizontal_.transpose();
}

}  // namespace conelu
