#include "patterns/arrangement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "conelu/pattern_set.hpp"
#include "linalg/orthogonal.hpp"
#include "patterns/scaled_rows.hpp"

namespace conelu {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kApart = 4;                   // times the sum of two error bounds
constexpr double kInputError = 32 * kEpsilon;  // of a unit row: the sample's own rounding, scaling and projection
constexpr double kDependent = 1e-12;           // relative size of a pivot that counts as 0
constexpr double kBlurred = 1e-9;              // errors beyond this may hide a cell that matters

/// Rank 2: hyperplanes are lines through the origin of a plane; cells are the sectors between neighbours.
Matrix half_of_sectors(const Arrangement& lines) {
  const Index m = lines.size();
  std::vector<double> angles(static_cast<std::size_t>(m) + 1);
  for (Index k = 0; k < m; ++k) {
    double angle = std::atan2(lines.normals(k, 1), lines.normals(k, 0));
    if (angle < 0) angle += std::numbers::pi;
    angles[static_cast<std::size_t>(k)] = angle;
  }
  std::sort(angles.begin(), angles.end() - 1);
  angles.back() = angles.front() + std::numbers::pi;
  Matrix cells(2, m);
  for (Index k = 0; k < m; ++k) {
    // The line with normal angle phi has direction phi + pi/2, the sine and cosine below.
    const double middle = 0.5 * (angles[static_cast<std::size_t>(k)] + angles[static_cast<std::size_t>(k) + 1]);
    cells.col(k) << -std::sin(middle), std::cos(middle);
  }
  return cells;
}

/// Half the way from a point of hyperplane h along its normal to the next hyperplane.
double halfway(const VectorView& heights, const VectorView& slopes, Index h) {
  double distance = 2;
  for (Index k = 0; k < heights.size(); ++k) {
    if (k != h && heights(k) * slopes(k) < 0) distance = std::min(distance, -heights(k) / slopes(k));
  }
  return 0.5 * distance;
}

/// Cells by their patterns, one of each opposite pair: the one that is active on hyperplane 0.
class HalfOfCells {
 public:
  explicit HalfOfCells(const Arrangement& arrangement)
      : normals_(arrangement.normals),
        cells_(normals_.rows()),
        skipped_(normals_.rows()),
        words_(PatternSet::words_for(normals_.rows())) {}

  /// The cells on both sides of hyperplane h that touch it at v.
  void add_neighbours(Index h, const VectorView& v, const VectorView& heights, const VectorView& slopes) {
    for (const double side : {1.0, -1.0}) {
      if (!choose_name(h, heights, side)) continue;
      const double step = side * halfway(heights, side * slopes, h);
      const Vector reached = heights + step * slopes;
      Vector u = v + step * normals_.row(h).transpose();
      if (reached.cwiseAbs().minCoeff() <=
          rounding_share(u.size()) * u.norm()) {  // thinner than rounding, seen from here
        skipped_.add_words(words_);
        continue;
      }
      u *= (reached(0) > 0 ? 1.0 : -1.0) / u.norm();
      cells_.add_words(words_, u);
    }
  }

  /// True if every cell that was skipped at one facet was found from another.
  bool complete() const {
    for (Index i = 0; i < skipped_.count(); ++i) {
      if (!cells_.contains(skipped_.words(i))) return false;
    }
    return true;
  }

  Matrix directions() const {
    Matrix columns(normals_.cols(), cells_.count());
    for (Index i = 0; i < cells_.count(); ++i) columns.col(i) = cells_.witness(i);
    return columns;
  }

 private:
  /// Puts the pattern into words_; false if it is there already.
  bool choose_name(Index h, const VectorView& heights, double side) {
    const Index m = heights.size();
    const double flip = (h == 0 ? side : heights(0)) > 0 ? 1.0 : -1.0;
    for (std::size_t word = 0; word < words_.size(); ++word) {
      PatternSet::Word bits = 0;
      const Index first = 64 * static_cast<Index>(word);
      const Index count = std::min<Index>(64, m - first);
      for (Index k = 0; k < count; ++k) bits |= static_cast<PatternSet::Word>(flip * heights(first + k) > 0) << k;
      words_[word] = bits;
    }
    PatternSet::Word& own = words_[static_cast<std::size_t>(h / 64)];
    const PatternSet::Word bit = PatternSet::Word{1} << (h % 64);
    own = flip * side > 0 ? own | bit : own & ~bit;
    return !cells_.contains(words_);
  }

  const Matrix& normals_;
  PatternSet cells_, skipped_;
  std::vector<PatternSet::Word> words_;
};

}  // namespace

double Arrangement::cell_bound() const {
  if (size() == 0) return 1;
  double sum = 0;
  double binomial = 1;
  for (Index k = 0; k < rank(); ++k) {
    sum += binomial;
    binomial *= static_cast<double>(size() - 1 - k) / static_cast<double>(k + 1);
  }
  return 2 * std::round(sum);
}

RowSpace::RowSpace(const ScaledRows& X) {
  const Index d = X.rows.cols();
  if (X.nonzero.empty()) {  // one cell, and any direction is in it
    basis.setIdentity(d, 1);
    arrangement.normals.resize(0, 1);
    return;
  }
  Matrix units = X.unit_rows();
  if (surely_span(units)) {
    basis.setIdentity(d, d);  // keeps the rows exact
  } else {
    const OrthogonalBasis orthogonal = orthogonal_basis(units.transpose(), kDependent);
    basis = orthogonal.Q.leftCols(orthogonal.rank);
    units = (units * basis).rowwise().normalized();
  }
  arrangement = merge_parallel(units, Vector::Constant(units.rows(), kInputError));
}

Arrangement merge_parallel(const Matrix& normals, const Vector& errors) {
  const Index m = normals.rows();
  // Parallel rows have the same |product| with any fixed vector: only neighbours in that order need to be compared.
  const Vector probe =
      Vector::NullaryExpr(normals.cols(), [](Index a) { return std::cos(static_cast<double>(a * a) + 0.7); });
  const Vector keys = (normals * probe.normalized()).cwiseAbs();
  std::vector<Index> order(static_cast<std::size_t>(m));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index k) { return std::pair(keys(k), k); });

  bool certain = true;
  const double window = m == 0 ? 0 : 2 * kApart * errors.maxCoeff();
  std::vector<Index> kept;
  for (const Index k : order) {
    const auto is_same = [&](Index l) {
      const double distance =
          std::min((normals.row(k) - normals.row(l)).norm(), (normals.row(k) + normals.row(l)).norm());
      return distance <= kApart * (errors(k) + errors(l));
    };
    auto twin = kept.rbegin();
    while (twin != kept.rend() && keys(k) - keys(*twin) <= window && !is_same(*twin)) ++twin;
    if (twin == kept.rend() || keys(k) - keys(*twin) > window) {
      kept.push_back(k);
    } else {
      certain = certain && errors(k) + errors(*twin) < kBlurred;
      if (errors(k) < errors(*twin)) *twin = k;
    }
  }
  std::ranges::sort(kept);
  return {normals(kept, Eigen::all), errors(kept), certain};
}

Arrangement restrict_to(const Arrangement& arrangement, Index h, const Matrix& basis) {
  const Index others = arrangement.size() - 1;
  Matrix normals(others, basis.cols());
  Vector errors(others);
  for (Index k = 0; k < others; ++k) {
    const Index source = k < h ? k : k + 1;
    normals.row(k) = arrangement.normals.row(source) * basis;
    const double length = normals.row(k).norm();
    normals.row(k) /= length;
    errors(k) = (arrangement.errors(source) + arrangement.errors(h) + 4 * kEpsilon) / length;
  }
  return merge_parallel(normals, errors);
}

Matrix complement_of(const Vector& unit) { return orthogonal_basis(unit, kDependent).Q.rightCols(unit.size() - 1); }

Cells half_of_cells(const Arrangement& arrangement) {
  const Index r = arrangement.rank();
  const Index m = arrangement.size();
  if (r == 1) return {Matrix::Ones(1, 1), arrangement.certain};
  if (r == 2) return {half_of_sectors(arrangement), arrangement.certain};

  HalfOfCells cells(arrangement);
  bool complete = arrangement.certain;
  for (Index h = 0; h < m; ++h) {
    const Vector normal = arrangement.normals.row(h);
    const Matrix basis = complement_of(normal);
    const Cells restricted = half_of_cells(restrict_to(arrangement, h, basis));
    complete = complete && restricted.complete;
    // Products with a handful of columns: lazy, or Eigen would wake up its threads for each of them.
    const Matrix facets = basis.lazyProduct(restricted.directions);
    const Matrix heights = arrangement.normals.lazyProduct(facets);
    const Vector slopes = arrangement.normals * normal;
    for (Index f = 0; f < facets.cols(); ++f) cells.add_neighbours(h, facets.col(f), heights.col(f), slopes);
  }
  return {cells.directions(), complete && cells.complete()};
}

}  // namespace conelu
