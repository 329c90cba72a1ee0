#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "conelu/solver.hpp"

namespace conelu {
namespace {

/// Output of block j on the samples: sigma_j D_j X u_j.
Vector block_output(const Program& program, const Matrix& blocks, Index j) {
  const Vector preactivation = program.X() * blocks.col(j);
  return (j % 2 == 0 ? 1.0 : -1.0) * program.activations().col(program.pattern_of(j)).cwiseProduct(preactivation);
}

/// Changes the lengths of rays (columns of G, outputs per unit of length) until those of positive length are linearly
/// independent, keeping G * lengths and not raising their sum.
///
/// A null direction of G moves lengths without moving outputs; walked in the sense in which the sum does not grow, it
/// ends where a length reaches 0. The null space is computed once and updated by elimination: each step takes one ray
/// and one direction out of it.
void eliminate_dependent_rays(const Matrix& G, Vector& lengths) {
  Eigen::ColPivHouseholderQR<Matrix> qr;
  qr.setThreshold(1e-11);
  qr.compute(G);
  const Index rank = qr.rank();
  const Index count = G.cols();
  if (rank == count) return;
  // Columns behind the rank are combinations of those before it: R11 N_top = -R12, N_bottom = I, in pivoted order.
  Matrix N(count, count - rank);
  if (rank > 0) {
    N.topRows(rank) = -qr.matrixR()
                           .topLeftCorner(rank, rank)
                           .triangularView<Eigen::Upper>()
                           .solve(qr.matrixR().topRightCorner(rank, count - rank));
  }
  N.bottomRows(count - rank).setIdentity();
  N = (qr.colsPermutation() * N).eval();

  for (Index last = N.cols() - 1; last >= 0; --last) {
    auto direction = N.col(last);
    if (direction.sum() > 0 || direction.minCoeff() >= 0) direction = -direction;
    Index hit = 0;
    double step = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < count; ++j) {
      if (direction(j) < 0 && lengths(j) < -step * direction(j)) {
        step = -lengths(j) / direction(j);
        hit = j;
      }
    }
    lengths = (lengths + step * direction).cwiseMax(0.0);
    lengths(hit) = 0;
    // The directions that remain must leave the removed ray alone, exactly: a rounding error left there would be hit
    // again.
    for (Index c = 0; c < last; ++c) {
      N.col(c) -= (N(hit, c) / direction(hit)) * direction;
      N(hit, c) = 0;
    }
  }
}

/// The rounding errors of many eliminations add up, to 3e-7 of the outputs of one program. Rays that are independent
/// can make up for them: lengths are changed so that G * lengths is `outputs` again.
void restore_outputs(const Matrix& G, const Vector& outputs, Vector& lengths) {
  std::vector<Index> left;
  for (Index j = 0; j < lengths.size(); ++j) {
    if (lengths(j) > 0) left.push_back(j);
  }
  if (left.empty()) return;  // no ray had an output
  const Vector error = outputs - G * lengths;
  Vector restored = lengths;
  restored(left) += Matrix(G(Eigen::all, left)).colPivHouseholderQr().solve(error);
  if (restored.minCoeff() >= 0 && (outputs - G * restored).norm() < error.norm()) lengths = restored;
}

}  // namespace

Solution reduce(const Program& program, const Solution& solution) {
  Solution reduced = solution;
  // Twice as many rays as samples at a time, so that the work per removed block stays at n^2.
  const std::size_t batch = static_cast<std::size_t>(2 * program.samples());
  std::vector<Index> kept;
  for (Index j = 0; j < program.blocks(); ++j) {
    if (reduced.blocks.col(j).stableNorm() > 0) kept.push_back(j);
    if (kept.empty() || (kept.size() < batch && j + 1 < program.blocks())) continue;
    const Index count = static_cast<Index>(kept.size());
    Matrix G(program.samples(), count);
    Vector lengths(count);
    for (Index i = 0; i < count; ++i) {
      const Index block = kept[static_cast<std::size_t>(i)];
      lengths(i) = reduced.blocks.col(block).stableNorm();
      G.col(i) = block_output(program, reduced.blocks, block) / lengths(i);
    }
    const Vector before = lengths;
    eliminate_dependent_rays(G, lengths);
    restore_outputs(G, G * before, lengths);
    std::vector<Index> remaining;
    for (Index i = 0; i < count; ++i) {
      const Index block = kept[static_cast<std::size_t>(i)];
      reduced.blocks.col(block) *= lengths(i) / before(i);
      if (lengths(i) > 0) remaining.push_back(block);
    }
    kept = std::move(remaining);
  }
  reduced.certificate = certify(program, reduced.blocks, reduced.dual);
  return reduced;
}

}  // namespace conelu
