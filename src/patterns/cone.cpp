#include "patterns/cone.hpp"

#include <vector>

#include "linalg/dense.hpp"
#include "linalg/orthogonal.hpp"
#include "patterns/scaled_rows.hpp"

namespace conelu {
namespace {

constexpr double kCentred = 0.2;          // share of the best margin at which a witness is good enough
constexpr double kTryProof = 1e-6;        // bound on the margin below which a proof of flatness is worth an attempt
constexpr double kNoInterior = 1e-11;     // bound on the margin that is believed even without a proof
constexpr double kDependentWall = 1e-10;  // singular values and projected rows below this are rounding errors
constexpr int kMaxSteps = 100;

/// What is left of a cone without interior. The rows with multipliers hold with equality on all of it, so it lies in
/// their null space, where the other rows decide.
Liveness thin_or_zero(const Matrix& A, const Vector& multipliers) {
  std::vector<Index> tight, others;
  for (Index k = 0; k < A.rows(); ++k) (multipliers(k) > 0 ? tight : others).push_back(k);
  const Matrix walls = A(tight, Eigen::all);
  if (surely_span(walls)) return Liveness::zero;
  const OrthogonalBasis basis = orthogonal_basis(walls.transpose(), kDependentWall);
  const Index free = A.cols() - basis.rank;
  if (free == 0) return Liveness::zero;
  const Liveness face = liveness_of(A(others, Eigen::all) * basis.Q.rightCols(free));
  return face == Liveness::zero ? Liveness::zero : Liveness::thin;
}

}  // namespace

Vector tight_multipliers(const MarginProgram& program) {
  const Vector y = (program.multipliers().array() > program.slacks().array()).select(program.multipliers(), 0.0);
  return y.sum() > 0 ? Vector(y / y.sum()) : Vector(program.multipliers() / program.multipliers().sum());
}

/// Refinement by y -= Y A (A'YA)^-1 A'y. The rows in question may be dependent; the small multiple of the identity
/// then slows the refinement down in directions that do not matter.
std::optional<Vector> gordan_multipliers(const Eigen::Ref<const Matrix>& A, Vector y) {
  const Index d = A.cols();
  Matrix factor(d, d);
  dense::rank_update(1.0, dense::Op::transpose, y.cwiseSqrt().asDiagonal() * A, 0.0, factor);
  factor.diagonal().array() += 1e-13 * factor.trace();
  if (!dense::cholesky(factor)) return {};
  for (int round = 0; round < 4; ++round) {
    Vector residual = A.transpose() * y;
    dense::solve_cholesky(factor, residual);
    const Vector shrink = A * residual;
    if (!(shrink.maxCoeff() < 0.9)) return {};
    y.array() *= 1 - shrink.array();
    y /= y.sum();
  }
  if ((A.transpose() * y).lpNorm<1>() > kProven) return {};
  return y;
}

Liveness liveness_of(Matrix A) {
  std::vector<Index> remaining;
  for (Index k = 0; k < A.rows(); ++k) {
    const double norm = A.row(k).norm();
    if (norm <= kDependentWall) continue;
    A.row(k) /= norm;
    remaining.push_back(k);
  }
  if (remaining.empty()) return Liveness::live;
  return decide_cone(A(remaining, Eigen::all)).liveness;
}

ConeVerdict decide_cone(const Matrix& A) {
  MarginProgram program(A);
  const auto inside = [&] {
    const auto u = program.direction();
    return program.margin() > 0 && (A * u).minCoeff() > rounding_share(A.cols()) * u.norm();
  };
  bool progress = true;
  std::optional<Vector> proof;
  for (int step = 0; step < kMaxSteps && progress; ++step) {
    const double bound = program.bound();
    if (program.margin() >= kCentred * bound && inside()) break;
    if (bound < kTryProof) proof = gordan_multipliers(A, tight_multipliers(program));
    if (proof || bound < kNoInterior) break;
    progress = program.advance();
  }
  if (!proof && inside()) return {Liveness::live, program.direction(), {}};
  if (proof) return {thin_or_zero(A, *proof), {}, *proof};
  // Some rows have a share too small to tell from none: the proof needs them, the verdict does without.
  const Vector y = program.multipliers() / program.multipliers().sum();
  return {thin_or_zero(A, tight_multipliers(program)), {}, gordan_multipliers(A, y).value_or(y)};
}

}  // namespace conelu
