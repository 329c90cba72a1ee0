#include "baselines/slice.hpp"

#include <algorithm>

namespace conelu::baselines {

std::vector<Slice> Samples::slices(const std::vector<Index>& rows, double share) const {
  const auto count = static_cast<Index>(rows.size());
  std::vector<Slice> list;
  for (Index first = 0; first < count; first += kSlice) {
    const auto begin = rows.begin() + first;
    const std::vector<Index> some(begin, begin + std::min(kSlice, count - first));
    list.push_back({points(Eigen::all, some), y(some), share * loss_weights(some)});
  }
  return list;
}

double loss_slope(const Loss& loss, double f, double y) {
  const Loss::Kinks kinks = loss.kinks(y);
  double highest = kinks.slope[0] * f + kinks.offset[0];
  double slope = kinks.slope[0];
  for (std::size_t i = 1; i < static_cast<std::size_t>(kinks.count); ++i) {
    const double r = kinks.slope[i] * f + kinks.offset[i];
    if (r <= highest) continue;
    highest = r;
    slope = kinks.slope[i];
  }
  return slope == 0 ? 0.0 : slope * loss.cost_slope(highest);
}

}  // namespace conelu::baselines
