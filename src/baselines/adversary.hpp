#pragma once

#include <string>

#include "baselines/slice.hpp"
#include "conelu/attack.hpp"

namespace conelu::baselines {

/// What an attack has to aim at to raise the loss: the margin, or the error whatever the targets stand for.
inline Task target_of(const Loss& loss) { return loss.is_margin_loss() ? Task::classification : Task::regression; }

/// Who perturbs the rows while a network is trained.
///
/// Aims at the raw margin or at the error, as attack() does, but for speed in fewer and larger steps, and without
/// insisting on the last bit of the ball.
class Adversary {
 public:
  /// `steps` of pgd; 1 is fgsm, 0 leaves the rows alone. A step is 2.5 / steps radii long, so that every point of the
  /// ball can be reached, and at most 1.
  Adversary(Threat threat, Task task, int steps);

  /// The worst points that were found, the rows themselves included (d x rows).
  Matrix perturb(const Network& network, const Slice& slice) const;

 private:
  AttackSettings settings_;
};

}  // namespace conelu::baselines
