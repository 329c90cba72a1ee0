#pragma once

#include "conelu/attack.hpp"
#include "conelu/loss.hpp"

namespace conelu::baselines {

/// The objective by which networks are compared: at the worst points of the `pgd` attack as the paper has it, or at the
/// rows themselves if nobody perturbs them.
class Judge {
 public:
  /// X with samples as rows. All of them must outlive the judge.
  Judge(const Matrix& X, const Vector& y, const Vector& loss_weights, const Loss& loss, double beta,
        const Threat& threat);

  /// Infinite if a weight is not finite.
  double objective(const Network& network) const;
  /// No perturbation within the threat raises the objective above this, in spite of rounding.
  double certified(const Network& network) const;

 private:
  const Matrix& X_;
  const Vector& y_;
  const Vector& loss_weights_;
  const Loss& loss_;
  double beta_;
  AttackSettings attack_;
};

}  // namespace conelu::baselines
