#include "evaluate/attacks/attacks.hpp"

namespace conelu::attacks {
namespace {

/// From every peak to the point of the ball that would be highest if the slope were everywhere as there. Where a cell
/// of the network touches the surface of a round ball, no number of short steps gets as close.
void jump(Victims& victims, const Vector& sides, Peaks& peaks) {
  Matrix gradients;
  for (int time = 0; time < 3; ++time) {
    victims.landscape.look(peaks.points);
    victims.landscape.gradients(sides, gradients);
    Matrix points = victims.ball.centers();
    victims.ball.step(gradients, Vector::Ones(kSlice), points);
    victims.landscape.look(points);
    for (Index k = 0; k < victims.rows(); ++k) {
      peaks.raise(k, sides(k) * victims.landscape.outputs()(k), points.col(k),
                  victims.landscape.preactivations().col(k));
    }
  }
}

}  // namespace

void strong(Victims& victims) {
  fgsm(victims);
  pgd(victims);
  for (const Vector& sides : victims.sides()) {
    // The same draws for every row: the result of a row must not depend on where it stands.
    Random random(victims.settings.seed);
    const Matrix start = victims.worst();
    victims.landscape.look(start);
    Peaks peaks(start, victims.landscape, sides.cwiseProduct(victims.landscape.outputs()));
    climb(victims, sides, start, peaks);
    for (int restart = 0; restart < victims.settings.restarts; ++restart) {
      climb(victims, sides, victims.ball.place(victims.ball.random_point(random)), peaks);
    }
    jump(victims, sides, peaks);
    search(victims, sides, random, peaks);
    jump(victims, sides, peaks);
    victims.offer(peaks.points);
  }
}

}  // namespace conelu::attacks
