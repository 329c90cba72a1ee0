#pragma once

#include <functional>

#include "solvers/ipm/scaled_problem.hpp"

namespace conelu::ipm {

/// The sum over cells of d_c d_c' (x) A_c, for symmetric d x d matrices A_c.
///
/// All entries (i, a), (l, b) of it are one product of matrices, (pairs of patterns x cells) times (cells x entries of
/// A): C P^2 d^2 / 2 flops, however many samples there are.
class CellSum {
 public:
  CellSum(const ScaledProblem& problem, int threads);

  /// `set_matrix(c, thread, A)` fills the lower triangle of A_c; it is called in parallel.
  void compute(const std::function<void(Index cell, int thread, Eigen::Ref<Matrix> A)>& set_matrix);

  /// Calls add(row pattern, row feature, column pattern, column feature, value) for all entries with the row pattern
  /// not before the column pattern; where they are equal, only for row feature >= column feature.
  template <class Add>
  void for_each(Add&& add) const {
    const Index d = problem_.dimension();
    const Index patterns = problem_.patterns();
    Index entry = 0;
    for (Index b = 0; b < d; ++b) {
      for (Index a = b; a < d; ++a, ++entry) {
        const auto values = accumulated_.col(entry);
        Index row = 0;
        for (Index l = 0; l < patterns; ++l) {
          for (Index k = l; k < patterns; ++k, ++row) {
            add(k, a, l, b, values(row));
            if (a != b && k != l) add(k, b, l, a, values(row));
          }
        }
      }
    }
  }

 private:
  void set_pairs(Index first, Index count);

  const ScaledProblem& problem_;
  Index chunk_;                   // cells at a time
  Matrix pairs_;                  // P (P + 1) / 2 x chunk: d_ic d_lc
  Index first_of_pairs_ = -1;     // the chunk that pairs_ is of: if one is all, it stays
  Matrix entries_;                // d (d + 1) / 2 x chunk
  Matrix accumulated_;            // P (P + 1) / 2 x d (d + 1) / 2
  std::vector<Matrix> matrices_;  // one per thread
};

}  // namespace conelu::ipm
