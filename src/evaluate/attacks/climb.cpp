#include "evaluate/attacks/attacks.hpp"

namespace conelu::attacks {

void climb(Victims& victims, const Vector& sides, const Matrix& start, Peaks& peaks) {
  constexpr Index kPatience = 2;
  Landscape& landscape = victims.landscape;
  Matrix points = start;
  Matrix gradients;
  landscape.look(points);
  Peaks own(points, landscape, sides.cwiseProduct(landscape.outputs()));
  Vector lengths = Vector::Ones(kSlice);
  Eigen::VectorX<Index> failures = Eigen::VectorX<Index>::Zero(kSlice);
  for (int step = 0; step < victims.settings.steps; ++step) {
    landscape.gradients(sides, gradients);
    victims.ball.step(gradients, lengths, points);
    landscape.look(points);
    for (Index k = 0; k < victims.rows(); ++k) {
      const double height = sides(k) * landscape.outputs()(k);
      if (own.raise(k, height, points.col(k), landscape.preactivations().col(k))) {
        failures(k) = 0;
      } else if (++failures(k) == kPatience) {
        failures(k) = 0;
        lengths(k) /= 2;
        points.col(k) = own.points.col(k);
        landscape.return_to(k, own.preactivations.col(k));
      }
    }
  }
  for (Index k = 0; k < victims.rows(); ++k)
    peaks.raise(k, own.heights(k), own.points.col(k), own.preactivations.col(k));
}

}  // namespace conelu::attacks
