#pragma once

#include "conelu/export.hpp"

namespace CONELU_API conelu {

/// Where the processor time of a training went: seconds of all threads together. What is missing to the whole is
/// reading, step lengths and, for programs with gates, the search for a start.
struct Phases {
  double patterns = 0;         ///< drawing them, and a direction inside the cone of each
  double residuals = 0;        ///< right sides, and what a step leaves of them
  double block_factors = 0;    ///< of each block's own Hessian, and of the cones that it is made of
  double coupling_factor = 0;  ///< of the dense system in which the blocks meet
  double solves = 0;           ///< with both factors
  double certificate = 0;      ///< repair, objective and lower bound, of every iterate
  double prices = 0;           ///< of blocks that a solve left out, and of directions that have no block yet
  double descent = 0;          ///< gradient descent for patterns to start from
  double global_bound = 0;     ///< branch and bound for the largest price

  template <class Self, class Visitor>
  static void visit(Self& p, Visitor&& field) {
    field("patterns", p.patterns);
    field("residuals", p.residuals);
    field("block_factors", p.block_factors);
    field("coupling_factor", p.coupling_factor);
    field("solves", p.solves);
    field("certificate", p.certificate);
    field("prices", p.prices);
    field("descent", p.descent);
    field("global_bound", p.global_bound);
  }

  Phases& operator+=(const Phases& other) {
    patterns += other.patterns;
    residuals += other.residuals;
    block_factors += other.block_factors;
    coupling_factor += other.coupling_factor;
    solves += other.solves;
    certificate += other.certificate;
    prices += other.prices;
    descent += other.descent;
    global_bound += other.global_bound;
    return *this;
  }
};

}  // namespace conelu
