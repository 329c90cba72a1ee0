#include <fmt/format.h>

#include <stdexcept>

#include "conelu/liveness.hpp"
#include "conelu/patterns.hpp"

namespace conelu {

PatternSet live_patterns(const MatrixView& X, const PatternSet& patterns, const Threat& threat) {
  if (patterns.samples() != X.rows()) {
    throw std::invalid_argument(
        fmt::format("patterns: are for {} samples, expected {}, one per row of X", patterns.samples(), X.rows()));
  }
  PatternSet live(X.rows());
  Vector signs(X.rows());
  for (Index i = 0; i < patterns.count(); ++i) {
    for (Index k = 0; k < X.rows(); ++k) signs(k) = patterns.active(i, k) ? 1.0 : -1.0;
    const LivenessVerdict verdict = decide_liveness(X, signs, threat);
    if (verdict.liveness == Liveness::live) live.add_words(patterns.words(i), verdict.witness);
  }
  return live;
}

}  // namespace conelu
