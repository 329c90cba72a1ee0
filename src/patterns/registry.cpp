#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "conelu/liveness.hpp"
#include "patterns/sources.hpp"

namespace conelu {
namespace {

/// A direction on which every sample that is not zero is strictly active, whatever the attacker does; empty if there is
/// none.
Vector all_active_witness(const MatrixView& X, const Threat& threat) {
  for (Index a = 0; a < X.cols(); ++a) {
    // A bias column, most of the time. The factor is for rounding.
    const double reach = threat.active() ? threat.radii(a) * (1 + 1e-12) : 0.0;
    if ((X.col(a).array() > reach).all()) return Vector::Unit(X.cols(), a);
  }
  return decide_liveness(X, Vector::Ones(X.rows()), threat).witness;
}

}  // namespace

PatternSet initial_patterns(const MatrixView& X, const PatternRequest& request, const Threat& threat) {
  PatternSet patterns(X.rows());
  if (!request.all_active) return patterns;
  const Vector witness = all_active_witness(X, threat);
  if (witness.size() > 0) patterns.add(Vector::Ones(X.rows()), witness);
  return patterns;
}

void require_count(const PatternRequest& request) {
  if (request.count < 1) throw std::invalid_argument(fmt::format("count: is {}, expected at least 1", request.count));
}

void require_threat_fits(const MatrixView& X, const PatternRequest& request) {
  const Vector& radii = request.threat.radii;
  if (radii.size() != 0 && radii.size() != X.cols()) {
    throw std::invalid_argument(
        fmt::format("eps: has {} radii, expected {}, one per column of X", radii.size(), X.cols()));
  }
  for (Index a = 0; a < radii.size(); ++a) {
    if (std::isfinite(radii(a)) && radii(a) >= 0) continue;
    throw std::invalid_argument(
        fmt::format("eps: the radius of column {} is {}, expected a finite number >= 0", a, radii(a)));
  }
}

const std::vector<PatternSource>& pattern_sources() {
  static const std::vector<PatternSource> sources = {
      {"gaussian", "patterns of random directions a ~ N(0, I), as in the paper's Alg 1", gaussian_patterns},
      {"perturbed",
       "random directions on randomly perturbed data, as in the paper's Alg 2; with a threat most are dead",
       perturbed_patterns},
      {"gaps", "thresholds on random directions that leave every sample out of the attacker's reach: all are live",
       gap_patterns},
      {"all", "every pattern that the data has, by exact enumeration; for rank up to 4 or so", all_patterns},
  };
  return sources;
}

SampledPatterns make_patterns(const std::string& source, const MatrixView& X, const PatternRequest& request) {
  if (X.cols() == 0) throw std::invalid_argument("X: has no columns");
  if (!X.allFinite()) throw std::invalid_argument("X: holds a number that is not finite");
  if (source.ends_with(".npy")) return patterns_from_file(source, X);
  std::string known;
  for (const PatternSource& candidate : pattern_sources()) {
    if (candidate.name == source) return candidate.make(X, request);
    known += candidate.name + ", ";
  }
  throw std::invalid_argument(fmt::format("patterns: '{}' is not one of {}or a .npy file", source, known));
}

}  // namespace conelu
