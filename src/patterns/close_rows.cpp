#include "patterns/close_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace conelu {
namespace {

constexpr double kStrictly = 1 - 1e-12;

/// The rows in units of the radii, side by side in memory, the column that spreads them most in front.
class Comparison {
 public:
  Comparison(const Matrix& S, const Threat& threat)
      : norm_(threat.norm), perturbed_(threat.radii.size()), rows_(S.cols(), S.rows()) {
    std::vector<Index> columns(static_cast<std::size_t>(perturbed_));
    std::iota(columns.begin(), columns.end(), Index{0});
    const Vector spread = S.leftCols(perturbed_).cwiseAbs().colwise().mean().transpose().cwiseQuotient(threat.radii);
    std::ranges::sort(columns, [&](Index a, Index b) { return std::pair(-spread(a), a) < std::pair(-spread(b), b); });
    for (Index a = 0; a < perturbed_; ++a) {
      const Index column = columns[static_cast<std::size_t>(a)];
      rows_.row(a) = S.col(column).transpose() / threat.radii(column);
    }
    rows_.bottomRows(S.cols() - perturbed_) = S.rightCols(S.cols() - perturbed_).transpose();
  }

  double key(Index k) const { return rows_(0, k); }

  /// True if the sum of rows k and l has size below 2 and is 0 where nobody can perturb; `compared` counts the effort.
  bool are_close(Index k, Index l, Index& compared) const {
    const double* x = rows_.col(k).data();
    const double* y = rows_.col(l).data();
    const Index d = rows_.rows();
    for (Index a = perturbed_; a < d; ++a, ++compared) {
      if (x[a] + y[a] != 0) return false;
    }
    double size = 0;
    for (Index a = 0; a < perturbed_ && size <= 2; ++a, ++compared) {
      const double distance = std::abs(x[a] + y[a]);
      size = norm_ == Norm::one   ? size + distance
             : norm_ == Norm::two ? std::hypot(size, distance)
                                  : std::max(size, distance);
    }
    return size <= 2;
  }

 private:
  Norm norm_;
  Index perturbed_;
  Matrix rows_;  ///< d x m
};

}  // namespace

std::optional<std::pair<Index, Index>> find_close_rows(const Matrix& S, const Threat& threat, Index budget) {
  const Comparison comparison(S, threat);
  const Index m = S.rows();
  std::vector<std::pair<double, Index>> order(static_cast<std::size_t>(m));
  for (Index k = 0; k < m; ++k) order[static_cast<std::size_t>(k)] = {comparison.key(k), k};
  std::ranges::sort(order);

  const auto proves = [&](Index k, Index l) {
    const Vector sum = S.row(k) + S.row(l);
    return threat.size(sum.head(threat.radii.size())) <= 2 * kStrictly;
  };
  // A partner's key lies within 2 of minus the row's own: a window that moves down while the row moves up.
  auto first = order.end();
  Index compared = 0;
  for (auto row = order.begin(); row != order.end(); ++row) {
    while (first != order.begin() && std::prev(first)->first >= -row->first - 2) --first;
    for (auto partner = first; partner <= row && partner->first <= -row->first + 2; ++partner, ++compared) {
      if (compared > budget) return {};
      const Index k = row->second;
      const Index l = partner->second;
      if (comparison.are_close(k, l, compared) && proves(k, l)) return std::pair(k, l);
    }
  }
  return {};
}

}  // namespace conelu
