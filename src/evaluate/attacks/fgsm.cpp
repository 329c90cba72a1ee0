#include "evaluate/attacks/attacks.hpp"

namespace conelu::attacks {

void fgsm(Victims& victims) {
  Matrix points = victims.ball.centers();
  Matrix gradients;
  Vector sides = Vector::Zero(kSlice);
  for (Index k = 0; k < victims.rows(); ++k) sides(k) = victims.side(k, victims.clean()(k));
  victims.landscape.look(points);
  victims.landscape.gradients(sides, gradients);
  victims.ball.step(gradients, Vector::Ones(kSlice), points);
  victims.offer(std::move(points));
}

}  // namespace conelu::attacks
