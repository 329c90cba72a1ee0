#include <cmath>

#include "evaluate/attacks/attacks.hpp"

namespace conelu::attacks {

void pgd(Victims& victims) {
  const Vector lengths = Vector::Constant(kSlice, victims.settings.step_size);
  Matrix points = victims.ball.centers();
  Matrix worst = points;
  Vector severity = Vector::Constant(kSlice, -HUGE_VAL);
  Vector sides = Vector::Zero(kSlice);
  Matrix gradients;
  for (int step = 0;; ++step) {
    victims.landscape.look(points);
    const Vector& outputs = victims.landscape.outputs();
    for (Index k = 0; k < victims.rows(); ++k) {
      sides(k) = victims.side(k, outputs(k));
      const double here = victims.severity(k, outputs(k));
      if (!(here > severity(k))) continue;
      severity(k) = here;
      worst.col(k) = points.col(k);
    }
    if (step == victims.settings.steps) break;
    victims.landscape.gradients(sides, gradients);
    victims.ball.step(gradients, lengths, points);
  }
  victims.offer(std::move(worst));
}

}  // namespace conelu::attacks
