#include <fmt/format.h>

#include <stdexcept>

#include "conelu/liveness.hpp"
#include "patterns/sources.hpp"

namespace conelu {
namespace {

/// A direction on which every sample that is not zero is strictly active; empty if there is none.
Vector all_active_witness(const MatrixView& X) {
  for (Index a = 0; a < X.cols(); ++a) {
    if ((X.col(a).array() > 0).all()) return Vector::Unit(X.cols(), a);  // a bias column, most of the time
  }
  return decide_liveness(X, Vector::Ones(X.rows())).witness;
}

}  // namespace

PatternSet initial_patterns(const MatrixView& X, const PatternRequest& request) {
  PatternSet patterns(X.rows());
  if (!request.all_active) return patterns;
  const Vector witness = all_active_witness(X);
  if (witness.size() > 0) patterns.add(Vector::Ones(X.rows()), witness);
  return patterns;
}

const std::vector<PatternSource>& pattern_sources() {
  static const std::vector<PatternSource> sources = {
      {"gaussian", "patterns of random directions a ~ N(0, I), as in the paper's Alg 1", gaussian_patterns},
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
