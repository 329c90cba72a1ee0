#include "baselines/judge.hpp"

#include <algorithm>
#include <limits>

#include "baselines/adversary.hpp"
#include "conelu/worst_case.hpp"
#include "program/rounding.hpp"

namespace conelu::baselines {

Judge::Judge(const Matrix& X, const Vector& y, const Vector& loss_weights, const Loss& loss, double beta,
             const Threat& threat)
    : X_(X), y_(y), loss_weights_(loss_weights), loss_(loss), beta_(beta) {
  attack_.threat = threat;
  attack_.task = target_of(loss);
}

double Judge::objective(const Network& network) const {
  const bool finite = network.hidden.allFinite() && network.hidden_bias.allFinite() && network.output.allFinite();
  if (!finite) return std::numeric_limits<double>::infinity();
  const Vector f = attack_.threat.active() ? attack("pgd", network, X_, y_, attack_).outputs : network.predict(X_);
  double sum = network.penalty(beta_);
  for (Index k = 0; k < f.size(); ++k) sum += loss_weights_(k) * loss_.value(f(k), y_(k));
  return sum;
}

double Judge::certified(const Network& network) const {
  if (!attack_.threat.active()) return objective(network);
  const Matrix bounds = output_bounds(network, X_, attack_.threat);
  double sum = network.penalty(beta_);
  for (Index k = 0; k < bounds.rows(); ++k) {
    sum += loss_weights_(k) * std::max(loss_.value(bounds(k, 0), y_(k)), loss_.value(bounds(k, 1), y_(k)));
  }
  return sum * (1 + rounding::share(bounds.rows() + network.hidden.size()));
}

}  // namespace conelu::baselines
