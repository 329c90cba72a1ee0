#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

#include "patterns/arrangement.hpp"
#include "patterns/scaled_rows.hpp"
#include "patterns/sources.hpp"

namespace conelu {
namespace {

/// Adds the patterns of u and -u if every sample that is not zero is on one side of them beyond rounding; false if not.
bool add_pair(PatternSet& patterns, const ScaledRows& scaled, const Vector& u) {
  const Vector products = scaled.rows * u;
  const double doubtful = rounding_share(u.size()) * u.norm();
  for (Index k = 0; k < products.size(); ++k) {
    if (scaled.norms(k) > 0 && std::abs(products(k)) <= doubtful * scaled.norms(k)) return false;
  }
  const Vector witness = scaled.unscaled(u);
  patterns.add(products, witness);
  patterns.add(-products, -witness);
  return true;
}

/// Rows that are not exactly parallel to another, up to sign. Counts too many rather than too few: multiples that
/// differ in a last bit are different here.
Index exactly_distinct_rows(const MatrixView& X) {
  std::set<std::vector<double>> distinct;
  for (Index k = 0; k < X.rows(); ++k) {
    std::vector<double> row(X.row(k).begin(), X.row(k).end());
    const auto first = std::ranges::find_if(row, [](double x) { return x != 0; });
    if (first == row.end()) continue;
    const double unit = *first;
    for (double& x : row) x = x / unit + 0.0;  // -0 becomes 0
    distinct.insert(std::move(row));
  }
  return static_cast<Index>(distinct.size());
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
  const Cells cells = half_of_cells(space.arrangement);
  const Matrix directions = space.basis.lazyProduct(cells.directions);
  // Completeness is what the claim "no network of any width" rests on: any doubt withdraws it.
  bool complete = cells.complete && exactly_distinct_rows(X) == space.arrangement.size();
  for (Index i = 0; i < directions.cols(); ++i) {
    if (!add_pair(result.patterns, scaled, directions.col(i))) complete = false;
  }
  result.patterns.set_complete(complete);
  return result;
}

Index pattern_rank(const MatrixView& X) {
  const ScaledRows scaled(X);
  return scaled.nonzero.empty() ? 0 : RowSpace(scaled).arrangement.rank();
}

double pattern_count_bound(const MatrixView& X) { return RowSpace(ScaledRows(X)).arrangement.cell_bound(); }

}  // namespace conelu
