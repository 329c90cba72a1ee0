#include <fmt/format.h>

#include <stdexcept>

#include "patterns/arrangement.hpp"
#include "patterns/scaled_rows.hpp"
#include "patterns/sources.hpp"

namespace conelu {
namespace {

/// Adds the patterns of u and -u if every sample that is not zero is on one side of them beyond rounding.
void add_pair(PatternSet& patterns, const ScaledRows& scaled, const Vector& u) {
  const Vector products = scaled.rows * u;
  const double doubtful = rounding_share(u.size()) * u.norm();
  for (Index k = 0; k < products.size(); ++k) {
    if (scaled.norms(k) > 0 && std::abs(products(k)) <= doubtful * scaled.norms(k)) return;
  }
  const Vector witness = scaled.unscaled(u);
  patterns.add(products, witness);
  patterns.add(-products, -witness);
}

}  // namespace

SampledPatterns all_patterns(const MatrixView& X, const PatternRequest& request) {
  const ScaledRows scaled(X);
  const RowSpace space(scaled);
  const double estimate = space.arrangement.cell_bound();
  if (estimate > static_cast<double>(request.enumeration_limit)) {
    throw std::invalid_argument(fmt::format(
        "patterns: 'all' would enumerate up to {:.10g} patterns (rank {}, {} different samples), more than the "
        "limit of {}; 'gaussian' samples as many as you ask for",
        estimate, space.arrangement.rank(), space.arrangement.size(), request.enumeration_limit));
  }
  SampledPatterns result{.patterns = initial_patterns(X, request)};
  const Matrix cells = space.basis.lazyProduct(half_of_cells(space.arrangement));
  for (Index i = 0; i < cells.cols(); ++i) add_pair(result.patterns, scaled, cells.col(i));
  result.patterns.set_complete(true);
  return result;
}

Index pattern_rank(const MatrixView& X) {
  const ScaledRows scaled(X);
  return scaled.nonzero.empty() ? 0 : RowSpace(scaled).arrangement.rank();
}

double pattern_count_bound(const MatrixView& X) { return RowSpace(ScaledRows(X)).arrangement.cell_bound(); }

}  // namespace conelu
