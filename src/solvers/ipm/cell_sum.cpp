#include "solvers/ipm/cell_sum.hpp"

#include <omp.h>

#include <algorithm>

#include "linalg/dense.hpp"

namespace conelu::ipm {
namespace {

constexpr Index kChunkEntries = 2000000;  // of the two factors of the product, so that memory stays bounded

Index triangle(Index n) { return n * (n + 1) / 2; }

Index chunk_of(const ScaledProblem& problem) {
  const Index widest = triangle(std::max<Index>(1, std::max(problem.patterns(), problem.dimension())));
  return std::clamp<Index>(kChunkEntries / widest, 8, std::max<Index>(8, problem.cells()));
}

}  // namespace

CellSum::CellSum(const ScaledProblem& problem, int threads)
    : problem_(problem),
      chunk_(chunk_of(problem)),
      pairs_(triangle(problem.patterns()), chunk_),
      entries_(triangle(problem.dimension()), chunk_),
      accumulated_(Matrix::Zero(triangle(problem.patterns()), triangle(problem.dimension()))),
      matrices_(static_cast<std::size_t>(threads), Matrix(problem.dimension(), problem.dimension())) {}

void CellSum::compute(const std::function<void(Index, int, Eigen::Ref<Matrix>)>& set_matrix) {
  for (Index first = 0; first < problem_.cells(); first += chunk_) {
    const Index count = std::min(chunk_, problem_.cells() - first);
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < count; ++i) {
      const int thread = omp_get_thread_num();
      Matrix& A = matrices_[static_cast<std::size_t>(thread)];
      set_matrix(first + i, thread, A);
      Index entry = 0;
      for (Index b = 0; b < A.cols(); ++b) {
        for (Index a = b; a < A.rows(); ++a) entries_(entry++, i) = A(a, b);
      }
    }
    if (first != first_of_pairs_) set_pairs(first, count);
    dense::multiply(1.0, dense::Op::none, pairs_.leftCols(count), dense::Op::transpose, entries_.leftCols(count),
                    first == 0 ? 0.0 : 1.0, accumulated_);
  }
}

void CellSum::set_pairs(Index first, Index count) {
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < count; ++i) {
    Index entry = 0;
    for (Index l = 0; l < problem_.patterns(); ++l) {
      for (Index k = l; k < problem_.patterns(); ++k) {
        pairs_(entry++, i) = problem_.cell_activations(first + i, l) * problem_.cell_activations(first + i, k);
      }
    }
  }
  first_of_pairs_ = first;
}

}  // namespace conelu::ipm
