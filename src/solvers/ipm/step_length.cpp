#include "solvers/ipm/step_length.hpp"

#include <algorithm>

#include "solvers/ipm/cone_scaling.hpp"

namespace conelu::ipm {
namespace {

/// The largest of -d / x, whose inverse is the longest step: a maximum of quotients needs no branch per entry.
template <class X, class D>
double steepest_decrease(const X& x, const D& d) {
  return x.size() == 0 ? 0.0 : (-d.array() / x.array()).maxCoeff();
}

double step_for(double decrease) { return decrease > 1.0 ? 1.0 / decrease : 1.0; }

}  // namespace

Steps longest_steps(const ScaledProblem& problem, const SampleTerms& samples, const Iterate& at,
                    const Iterate& direction) {
  double primal = 1;
  double dual = 1;
#pragma omp parallel for schedule(static) reduction(min : primal, dual)
  for (Index j = 0; j < problem.blocks(); ++j) {
    primal = std::min({primal, step_for(steepest_decrease(at.s.col(j), direction.s.col(j))),
                       cone_step(at.t(j), at.U.col(j), direction.t(j), direction.U.col(j))});
    dual = std::min({dual, step_for(steepest_decrease(at.lambda.col(j), direction.lambda.col(j))),
                     cone_step(1.0, at.zeta.col(j), 0.0, direction.zeta.col(j))});
  }
  if (samples.has_kinks()) {
    primal = std::min(primal, step_for(steepest_decrease(at.h, direction.h)));
    dual = std::min(dual, step_for(steepest_decrease(at.pi, direction.pi)));
  }
  // Curvature of the loss ties the dual residual to the primal point: only one common step shrinks it.
  if (!samples.is_piecewise_linear()) primal = dual = std::min(primal, dual);
  return {primal, dual};
}

double mean_product(const ScaledProblem& problem, const SampleTerms& samples, const Iterate& at,
                    const Iterate* direction, Steps steps) {
  // Summed block by block, so that the result does not depend on the number of threads.
  double sum = 0;
  for (Index j = 0; j < problem.blocks(); ++j) {
    if (direction == nullptr) {
      sum += at.s.col(j).dot(at.lambda.col(j)) + at.t(j) + at.U.col(j).dot(at.zeta.col(j));
    } else {
      sum +=
          (at.s.col(j) + steps.primal * direction->s.col(j))
              .dot(at.lambda.col(j) + steps.dual * direction->lambda.col(j)) +
          at.t(j) + steps.primal * direction->t(j) +
          (at.U.col(j) + steps.primal * direction->U.col(j)).dot(at.zeta.col(j) + steps.dual * direction->zeta.col(j));
    }
  }
  Index count = problem.blocks() * (problem.cone_rows() + 1);
  if (samples.has_kinks()) {
    count += at.h.size();
    for (Index i = 0; i < at.h.cols(); ++i) {
      if (direction == nullptr) {
        sum += at.h.col(i).dot(at.pi.col(i));
      } else {
        sum += (at.h.col(i) + steps.primal * direction->h.col(i)).dot(at.pi.col(i) + steps.dual * direction->pi.col(i));
      }
    }
  }
  return sum / static_cast<double>(count);
}

void advance(const Iterate& direction, Steps steps, Iterate& at) {
  at.U += steps.primal * direction.U;
  at.t += steps.primal * direction.t;
  at.s += steps.primal * direction.s;
  at.f += steps.primal * direction.f;
  at.r += steps.primal * direction.r;
  at.h += steps.primal * direction.h;
  at.lambda += steps.dual * direction.lambda;
  at.zeta += steps.dual * direction.zeta;
  at.pi += steps.dual * direction.pi;
}

}  // namespace conelu::ipm
