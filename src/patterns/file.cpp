#include <fmt/format.h>

#include <stdexcept>

#include "conelu/read_data.hpp"
#include "patterns/sources.hpp"

namespace conelu {

SampledPatterns patterns_from_file(const std::string& path, const MatrixView& X) {
  const Matrix activations = read_npy(path);
  const Index n = X.rows();
  if (activations.cols() != n || activations.rows() == 0) {
    throw std::invalid_argument(
        fmt::format("{}: has shape {} x {}, expected P x {}: one row per pattern (at least one), one column per sample",
                    path, activations.rows(), activations.cols(), n));
  }
  SampledPatterns result{.patterns = PatternSet(n)};
  for (Index i = 0; i < activations.rows(); ++i) {
    for (Index k = 0; k < n; ++k) {
      if (activations(i, k) == 0 || activations(i, k) == 1) continue;
      throw std::invalid_argument(
          fmt::format("{}: row {}, column {} (counted from 0) is {}, expected 0 or 1", path, i, k, activations(i, k)));
    }
    result.patterns.add(activations.row(i).transpose().array() - 0.5);
  }
  return result;
}

}  // namespace conelu
