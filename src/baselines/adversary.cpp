#include "baselines/adversary.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/attacks/ball.hpp"
#include "evaluate/attacks/landscape.hpp"

namespace conelu::baselines {

Adversary::Adversary(Threat threat, Task task, int steps) {
  settings_.threat = std::move(threat);
  settings_.task = task;
  settings_.steps = settings_.threat.active() ? steps : 0;
  settings_.step_size = std::min(1.0, 2.5 / std::max(steps, 1));
}

Matrix Adversary::perturb(const Network& network, const Slice& slice) const {
  if (settings_.steps == 0) return slice.points;
  const Index count = slice.size();
  const attacks::Ball ball(settings_, slice.points, count);
  attacks::Landscape landscape(network);
  Matrix points = slice.points;
  Matrix worst = points;
  Matrix gradients;
  Vector severity = Vector::Constant(count, -HUGE_VAL);
  Vector sides(count);
  const Vector lengths = Vector::Constant(count, settings_.step_size);
  for (int step = 0;; ++step) {
    landscape.look(points);
    for (Index k = 0; k < count; ++k) {
      const double f = landscape.outputs()(k);
      const bool regression = settings_.task == Task::regression;
      sides(k) = regression ? (f >= slice.y(k) ? 1.0 : -1.0) : -slice.y(k);
      const double here = regression ? std::abs(f - slice.y(k)) : -slice.y(k) * f;
      if (!(here > severity(k))) continue;
      severity(k) = here;
      worst.col(k) = points.col(k);
    }
    if (step == settings_.steps) return worst;
    landscape.gradients(sides, gradients);
    ball.step(gradients, lengths, points);
  }
}

}  // namespace conelu::baselines
