#include <algorithm>
#include <numeric>

#include "conelu/dataset.hpp"

namespace conelu {
namespace {

/// Samples as columns, the target last: what has to agree is side by side.
Matrix samples_as_columns(const Dataset& data) {
  Matrix columns(data.X.cols() + 1, data.samples());
  columns.topRows(data.X.cols()) = data.X.transpose();
  columns.bottomRows(1) = data.y.transpose();
  return columns;
}

}  // namespace

Dataset distinct_samples(const Dataset& data) {
  const Dataset used = drop_zero_weights(data);
  const Matrix columns = samples_as_columns(used);
  if (!columns.allFinite()) return used;  // has no order, and will be refused
  std::vector<Index> order(static_cast<std::size_t>(used.samples()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    const auto x = columns.col(a);
    const auto y = columns.col(b);
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  });

  std::vector<Index> firsts;
  std::vector<double> weights;
  for (const Index k : order) {
    const double weight = used.weights.size() > 0 ? used.weights(k) : 1.0;
    if (!firsts.empty() && columns.col(firsts.back()) == columns.col(k)) {
      weights.back() += weight;
    } else {
      firsts.push_back(k);
      weights.push_back(weight);
    }
  }
  if (firsts.size() == order.size() && used.weights.size() == 0) return used;
  Dataset distinct = select_rows(used, firsts);
  distinct.weights = Eigen::Map<const Vector>(weights.data(), static_cast<Index>(weights.size()));
  return distinct;
}

}  // namespace conelu
