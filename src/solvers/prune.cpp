#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "conelu/solver.hpp"

namespace conelu {

Solution prune(const Program& program, const Solution& solution, double threshold) {
  if (!(threshold >= 0 && threshold <= 1)) {
    throw std::invalid_argument(fmt::format("threshold: is {}, expected a number from 0 to 1", threshold));
  }
  Solution pruned = solution;
  const Eigen::RowVectorXd lengths = solution.blocks.colwise().stableNorm();
  const double limit = lengths.size() == 0 ? 0.0 : threshold * lengths.maxCoeff();
  for (Index j = 0; j < lengths.size(); ++j) {
    if (lengths(j) < limit) pruned.blocks.col(j).setZero();
  }
  pruned.certificate = certify(program, pruned.blocks, pruned.dual);
  return pruned;
}

}  // namespace conelu
