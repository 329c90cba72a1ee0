#include "conelu/liveness.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "patterns/cone.hpp"
#include "patterns/scaled_rows.hpp"
#include "patterns/threatened_cone.hpp"

namespace conelu {
namespace {

/// Multipliers of the rows of X with sum_k y_k |x_k| = 1; of zero rows alone, with sum 1.
Vector normalised(const Vector& multipliers, const MatrixView& X) {
  const double size = multipliers.dot(X.rowwise().stableNorm());
  return multipliers / (size > 0 ? size : multipliers.sum());
}

/// The columns that an attacker can perturb, then those that nobody can.
std::vector<Index> perturbed_first(const Vector& radii) {
  std::vector<Index> columns;
  for (Index a = 0; a < radii.size(); ++a) {
    if (radii(a) > 0) columns.push_back(a);
  }
  for (Index a = 0; a < radii.size(); ++a) {
    if (radii(a) == 0) columns.push_back(a);
  }
  return columns;
}

LivenessVerdict decide_robustly(const MatrixView& X, const VectorView& signs, const Threat& threat) {
  const ScaledRows scaled(X, threat.radii);
  const std::vector<Index> columns = perturbed_first(threat.radii);
  const Vector radii = threat.radii.cwiseProduct(scaled.scale)(columns);
  const Matrix S = signs.asDiagonal() * scaled.rows(Eigen::all, columns);
  const Threat reach{threat.norm, radii.head((radii.array() > 0).count())};
  const ConeVerdict verdict = decide_threatened_cone(S, reach);
  if (verdict.liveness != Liveness::live) return {verdict.liveness, {}, normalised(verdict.multipliers, X)};
  Vector u(X.cols());
  u(columns) = verdict.direction;
  return {Liveness::live, scaled.unscaled(u), {}};
}

}  // namespace

LivenessVerdict decide_liveness(const MatrixView& X, const VectorView& signs, const Threat& threat) {
  if (signs.size() != X.rows()) {
    throw std::invalid_argument(
        fmt::format("signs: has {} entries, expected {}, one per row of X", signs.size(), X.rows()));
  }
  if (X.cols() == 0) throw std::invalid_argument("X: has no columns");
  if (!(signs.array().abs() == 1).all()) throw std::invalid_argument("signs: hold a number other than -1 and +1");
  if (threat.radii.size() != 0 && threat.radii.size() != X.cols()) {
    throw std::invalid_argument(
        fmt::format("eps: has {} radii, expected {}, one per column of X", threat.radii.size(), X.cols()));
  }
  if (X.rows() > 0 && threat.active()) return decide_robustly(X, signs, threat);

  const ScaledRows scaled(X);
  const std::vector<Index>& nonzero = scaled.nonzero;
  if (nonzero.empty()) return {Liveness::live, Vector::Unit(X.cols(), 0), {}};

  const ConeVerdict verdict = decide_cone(signs(nonzero).asDiagonal() * scaled.unit_rows());
  if (verdict.liveness == Liveness::live) return {Liveness::live, scaled.unscaled(verdict.direction), {}};

  Vector multipliers = Vector::Zero(X.rows());
  multipliers(nonzero) = verdict.multipliers.cwiseQuotient(scaled.norms(nonzero));
  return {verdict.liveness, {}, normalised(multipliers, X)};
}

}  // namespace conelu
