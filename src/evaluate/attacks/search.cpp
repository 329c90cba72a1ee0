#include <algorithm>

#include "evaluate/attacks/attacks.hpp"
#include "evaluate/attacks/walker.hpp"

namespace conelu::attacks {

void search(Victims& victims, const Vector& sides, Random& random, Peaks& peaks) {
  // About as much work as the gradient steps: many starts for few features, a few for many.
  const Index starts = std::clamp<Index>(256 / std::max<Index>(1, victims.ball.dimension()), 2, 16);
  Landscape& landscape = victims.landscape;
  landscape.look(victims.ball.centers());
  const Matrix centers = landscape.preactivations();
  for (Index start = 0; start <= starts; ++start) {
    Matrix points = start == 0 ? peaks.points : victims.ball.place(victims.ball.random_vertex(random));
    if (start % 2 == 1) points = 0.5 * (points + peaks.points);
    landscape.look(points);
    for (Index k = 0; k < victims.rows(); ++k) {
      Walker walker(victims, k, sides(k), points.col(k), landscape.preactivations().col(k));
      walker.move_features();
      walker.move_to_corners(centers.col(k));
      walker.move_through(peaks.points.col(k), peaks.preactivations.col(k));
      walker.move_features();
      walker.move_to_corners(centers.col(k));
      peaks.raise(k, walker.height(), walker.point(), walker.preactivations());
    }
  }
}

}  // namespace conelu::attacks
