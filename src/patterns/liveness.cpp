#include "conelu/liveness.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <vector>

#include "linalg/dense.hpp"
#include "linalg/orthogonal.hpp"
#include "patterns/margin_program.hpp"
#include "patterns/scaled_rows.hpp"

namespace conelu {
namespace {

constexpr double kCentred = 0.2;       // share of the best margin at which a witness is good enough
constexpr double kTryProof = 1e-6;     // bound on the margin below which a proof of flatness is worth an attempt
constexpr double kProven = 1e-13;      // |A'y|_1 at which y counts as a proof, sum y = 1
constexpr double kNoInterior = 1e-11;  // bound on the margin that is believed even without a proof
constexpr double kDependent = 1e-10;   // singular values and projected rows below this are rounding errors
constexpr int kMaxSteps = 100;

struct ConeVerdict {
  Liveness liveness;
  Vector direction;    ///< live: inside the cone
  Vector multipliers;  ///< otherwise: one per row, sum 1
};

/// y on the rows where it outweighs the slack, which in the limit are those that hold with equality on the whole cone.
Vector tight_multipliers(const MarginProgram& program) {
  const Vector y = (program.multipliers().array() > program.slacks().array()).select(program.multipliers(), 0.0);
  return y.sum() > 0 ? Vector(y / y.sum()) : Vector(program.multipliers() / program.multipliers().sum());
}

/// Multipliers moved to A'y = 0 by the smallest relative change; empty if that fails.
///
/// Refinement by y -= Y A (A'YA)^-1 A'y. The rows in question may be dependent; the small multiple of the identity
/// then slows the refinement down in directions that do not matter.
std::optional<Vector> gordan_multipliers(const Matrix& A, Vector y) {
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

ConeVerdict decide_cone(const Matrix& A);

/// What is left of a cone without interior. The rows with multipliers hold with equality on all of it, so it lies in
/// their null space, where the other rows decide.
Liveness thin_or_zero(const Matrix& A, const Vector& multipliers) {
  std::vector<Index> tight, others;
  for (Index k = 0; k < A.rows(); ++k) (multipliers(k) > 0 ? tight : others).push_back(k);
  const Matrix walls = A(tight, Eigen::all);
  if (surely_span(walls)) return Liveness::zero;
  const OrthogonalBasis basis = orthogonal_basis(walls.transpose(), kDependent);
  const Index free = A.cols() - basis.rank;
  if (free == 0) return Liveness::zero;
  Matrix projected = A(others, Eigen::all) * basis.Q.rightCols(free);
  std::vector<Index> remaining;
  for (Index k = 0; k < projected.rows(); ++k) {
    const double norm = projected.row(k).norm();
    if (norm <= kDependent) continue;
    projected.row(k) /= norm;
    remaining.push_back(k);
  }
  if (remaining.empty()) return Liveness::thin;
  return decide_cone(projected(remaining, Eigen::all)).liveness == Liveness::zero ? Liveness::zero : Liveness::thin;
}

/// The cone {u : A u >= 0} of unit rows, at least one.
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

}  // namespace

LivenessVerdict decide_liveness(const MatrixView& X, const VectorView& signs) {
  if (signs.size() != X.rows()) {
    throw std::invalid_argument(
        fmt::format("signs: has {} entries, expected {}, one per row of X", signs.size(), X.rows()));
  }
  if (X.cols() == 0) throw std::invalid_argument("X: has no columns");
  if (!(signs.array().abs() == 1).all()) throw std::invalid_argument("signs: hold a number other than -1 and +1");
  const ScaledRows scaled(X);
  const std::vector<Index>& nonzero = scaled.nonzero;
  if (nonzero.empty()) return {Liveness::live, Vector::Unit(X.cols(), 0), {}};

  const ConeVerdict verdict = decide_cone(signs(nonzero).asDiagonal() * scaled.unit_rows());
  if (verdict.liveness == Liveness::live) return {Liveness::live, scaled.unscaled(verdict.direction), {}};

  LivenessVerdict result{verdict.liveness, {}, Vector::Zero(X.rows())};
  result.multipliers(nonzero) = verdict.multipliers.cwiseQuotient(scaled.norms(nonzero));
  result.multipliers /= result.multipliers.dot(X.rowwise().stableNorm());
  return result;
}

}  // namespace conelu
