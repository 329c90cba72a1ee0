#include "properties/feasible_points.hpp"

#include <cmath>

#include "problems/problems.hpp"

namespace conelu::properties {

std::vector<NamedPoint> feasible_points(const Program& program, const Matrix& solution, std::uint64_t seed) {
  std::vector<NamedPoint> points;
  points.push_back({"zero", Matrix::Zero(program.dimension(), program.blocks())});
  for (const double factor : {1.0, 1 - 1e-9, 1 + 1e-9, 1 - 1e-6, 1 + 1e-6, 1 - 1e-3, 1 + 1e-3, 0.5, 2.0, 1e-3, 1e3}) {
    points.push_back({"the solution times " + std::to_string(factor), factor * solution});
  }
  if (program.blocks() == 0) return points;

  // Blocks are cones each: any of them may go.
  for (Index j = 0; j < program.blocks(); ++j) {
    if (solution.col(j).isZero(0)) continue;
    points.push_back({"the solution without block " + std::to_string(j), solution});
    points.back().blocks.col(j).setZero();
  }
  const double typical = solution.colwise().stableNorm().maxCoeff();
  const double reach = 1 / program.row_norms().maxCoeff();  // an output of about 1
  for (const double size : {typical, 1e-3 * typical, 1e3 * typical, reach, 1e-3 * reach, 1e3 * reach}) {
    if (!(size > 0) || !std::isfinite(size)) continue;
    const Matrix random = problems::random_feasible_blocks(program, size, seed++);
    points.push_back({"random of size " + std::to_string(size), random});
    for (const double share : {0.5, 1e-3, 1e-6}) {
      points.push_back(
          {"between the solution and random of size " + std::to_string(size), (1 - share) * solution + share * random});
    }
  }
  return points;
}

}  // namespace conelu::properties
