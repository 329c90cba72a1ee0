#include "solvers/ipm/step_length.hpp"

#include <algorithm>

#include "solvers/ipm/cone_scaling.hpp"

namespace conelu::ipm {
namespace {

void shorten(const Steps& other, Steps& steps) {
  steps.primal = std::min(steps.primal, other.primal);
  steps.dual = std::min(steps.dual, other.dual);
}

}  // namespace

Steps longest_steps(const ScaledProblem& problem, const SampleTerms& samples, const Norms& norms, const Iterate& at,
                    const Iterate& direction) {
  double primal = 1;
  double dual = 1;
#pragma omp parallel for schedule(static) reduction(min : primal, dual)
  for (Index j = 0; j < problem.blocks(); ++j) {
    primal = std::min({primal, linear_step(at.s.col(j), direction.s.col(j)),
                       cone_step(at.t(j), at.U.col(j), direction.t(j), direction.U.col(j))});
    dual = std::min({dual, linear_step(at.lambda.col(j), direction.lambda.col(j)),
                     cone_step(1.0, at.zeta.col(j), 0.0, direction.zeta.col(j))});
    if (problem.reduced) {
      primal = std::min(primal, linear_step(at.xi.col(j), direction.xi.col(j)));
      dual = std::min(dual, linear_step(at.omega.col(j), direction.omega.col(j)));
    }
  }
  Steps steps{primal, dual};
  if (problem.robust) {
    shorten(norms.blocks->longest_steps(at.tau, direction.tau), steps);
  }
  if (problem.joint) shorten(norms.cells->longest_steps(at.rho, direction.rho), steps);
  shorten(samples.longest_steps(at, direction), steps);
  // Curvature of the loss ties the dual residual to the primal point: only one common step shrinks it.
  if (!samples.is_piecewise_linear()) steps.primal = steps.dual = std::min(steps.primal, steps.dual);
  return steps;
}

double mean_product(const ScaledProblem& problem, const SampleTerms& samples, const Norms& norms, const Iterate& at,
                    const Iterate* direction, Steps steps) {
  const auto products = [&](const auto& x, const auto& z, const auto& dx, const auto& dz) {
    return direction == nullptr ? x.dot(z) : (x + steps.primal * dx).dot(z + steps.dual * dz);
  };
  const Iterate& d = direction == nullptr ? at : *direction;
  // Summed block by block, so that the result does not depend on the number of threads. Pairs that are not there add
  // next to nothing.
  double sum = 0;
  Index count = problem.pair_products() + problem.blocks();
  double emphasized = 0;
  for (Index j = 0; j < problem.blocks(); ++j) {
    sum += products(at.s.col(j), at.lambda.col(j), d.s.col(j), d.lambda.col(j)) + at.t(j) +
           (direction == nullptr ? 0.0 : steps.primal * d.t(j)) +
           products(at.U.col(j), at.zeta.col(j), d.U.col(j), d.zeta.col(j));
    if (problem.reduced) sum += products(at.xi.col(j), at.omega.col(j), d.xi.col(j), d.omega.col(j));
  }
  if (problem.robust) {
    sum += norms.blocks->product_sum(at.tau, direction == nullptr ? nullptr : &direction->tau, steps);
    count += norms.blocks->products();
  }
  if (problem.joint) {
    sum += norms.cells->product_sum(at.rho, direction == nullptr ? nullptr : &direction->rho, steps);
    count += norms.cells->products();
  }
  if (samples.has_rows()) {
    emphasized = samples.emphasis() * static_cast<double>(at.h.size());
    for (Index i = 0; i < at.h.cols(); ++i) sum += products(at.h.col(i), at.pi.col(i), d.h.col(i), d.pi.col(i));
  }
  return sum / (static_cast<double>(count) + emphasized);
}

void advance(const Iterate& direction, Steps steps, Iterate& at) {
  at.U += steps.primal * direction.U;
  at.t += steps.primal * direction.t;
  at.s += steps.primal * direction.s;
  at.f += steps.primal * direction.f;
  at.r += steps.primal * direction.r;
  at.h += steps.primal * direction.h;
  at.xi += steps.primal * direction.xi;
  at.lambda += steps.dual * direction.lambda;
  at.zeta += steps.dual * direction.zeta;
  at.pi += steps.dual * direction.pi;
  at.omega += steps.dual * direction.omega;
  at.tau.advance(direction.tau, steps.primal, steps.dual);
  at.rho.advance(direction.rho, steps.primal, steps.dual);
}

}  // namespace conelu::ipm
