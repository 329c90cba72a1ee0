#include <algorithm>
#include <cmath>
#include <limits>

#include "conelu/attack.hpp"

namespace conelu {

Matrix raw_points(const Preprocessing& preprocessing, const MatrixView& raw, const MatrixView& points) {
  const Matrix X = preprocessing.apply(raw);
  if (preprocessing.center.size() == 0 && preprocessing.scale.size() == 0) return points;
  Matrix result = raw;
  for (Index a = 0; a < raw.cols(); ++a) {
    const double center = preprocessing.center.size() > 0 ? preprocessing.center(a) : 0.0;
    const double scale = preprocessing.scale.size() > 0 ? preprocessing.scale(a) : 1.0;
    for (Index k = 0; k < raw.rows(); ++k) {
      const double change = points(k, a) - X(k, a);
      if (change == 0) continue;
      const auto too_far = [&](double p) { return std::abs((p - center) / scale - X(k, a)) > std::abs(change); };
      double p = raw(k, a) + change * scale;
      for (double share = std::numeric_limits<double>::epsilon(); too_far(p); share *= 2) {
        p = raw(k, a) + std::max(0.0, 1 - share) * change * scale;
      }
      result(k, a) = p;
    }
  }
  return result;
}

}  // namespace conelu
