#include "solvers/ipm/heavy_rows.hpp"

#include <algorithm>
#include <compare>
#include <numeric>

#include "linalg/dense.hpp"

namespace conelu::ipm {

using dense::Op;

HeavyRows::HeavyRows(Index size, Index most)
    : rows_(size, most), solved_rows_(size, most), system_(most, most), p_(most) {}

bool HeavyRows::factor(const Eigen::Ref<const Matrix>& L, bool orthogonal) {
  orthogonal_ = orthogonal && count_ > 0;
  if (count_ == 0) return true;
  if (orthogonal_) {
    factor_orthogonal(L);
    return true;
  }
  auto B = solved_rows_.leftCols(count_);
  B = rows_.leftCols(count_);
  dense::solve_lower(Op::none, L, B);
  auto C = system_.topLeftCorner(count_, count_);
  C.setIdentity();
  dense::rank_update(1.0, Op::transpose, B, 1.0, C);
  return dense::cholesky(C);
}

void HeavyRows::factor_orthogonal(const Eigen::Ref<const Matrix>& L) {
  const Index size = L.rows();
  const Index all = count_ + size;
  Vector lengths(all);
  for (Index h = 0; h < count_; ++h) lengths(h) = rows_.col(h).norm();
  for (Index i = 0; i < size; ++i) lengths(count_ + i) = L.col(i).tail(size - i).norm();
  std::vector<Index> order(static_cast<std::size_t>(all));
  std::iota(order.begin(), order.end(), Index{0});
  // Long rows first: reflections would mix their rounding errors into short ones above them.
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::strong_order(lengths(a), lengths(b)) > 0; });
  if (stacked_.cols() != size || stacked_.rows() < all) stacked_.resize(rows_.cols() + size, size);
  place_.resize(static_cast<std::size_t>(all));
  for (Index row = 0; row < all; ++row) {
    const Index source = order[static_cast<std::size_t>(row)];
    place_[static_cast<std::size_t>(source)] = row;
    if (source < count_) {
      stacked_.row(row) = rows_.col(source).transpose();
    } else {
      const Index i = source - count_;
      stacked_.row(row).setZero();
      stacked_.row(row).tail(size - i) = L.col(i).tail(size - i).transpose();
    }
  }
  if (work_.size() == 0) {
    work_.resize(65 * size);
    r_.resize(stacked_.rows());
    q_.resize(stacked_.rows());
  }
  dense::triangularize(stacked_.topRows(all), work_);
}

void HeavyRows::add_rows(const Eigen::Ref<const Vector>& x, Eigen::Ref<Vector> g) const {
  if (count_ > 0) dense::multiply_vector(1.0, Op::none, rows_.leftCols(count_), x, 1.0, g);
}

void HeavyRows::solve(const Eigen::Ref<const Matrix>& L, Eigen::Ref<Vector> z) {
  if (orthogonal_) {
    solve_orthogonal(z);
    return;
  }
  dense::solve_lower(Op::none, L, z);
  if (count_ > 0) {
    const auto B = solved_rows_.leftCols(count_);
    auto p = p_.head(count_);
    dense::multiply_vector(1.0, Op::transpose, B, z, 1.0, p);
    dense::solve_cholesky(system_.topLeftCorner(count_, count_), p);
    dense::multiply_vector(-1.0, Op::none, B, p, 1.0, z);
  }
  dense::solve_lower(Op::transpose, L, z);
}

/// With F = Q1 R: r = Q1 R^-T g + Q2 Q2'f and R z = R^-T g - Q1'f.
void HeavyRows::solve_orthogonal(Eigen::Ref<Vector> z) {
  const Index size = z.size();
  const Index all = count_ + size;
  const auto F = stacked_.topRows(all);
  auto q = q_.head(all);
  auto r = r_.head(all);
  q.setZero();
  for (Index h = 0; h < count_; ++h) q(place_[static_cast<std::size_t>(h)]) = p_(h);
  dense::apply_orthogonal(Op::transpose, F, work_, q);
  dense::solve_upper(Op::transpose, F.topRows(size), z);
  r = q;
  r.head(size) = z;
  dense::apply_orthogonal(Op::none, F, work_, r);
  for (Index h = 0; h < count_; ++h) p_(h) = r(place_[static_cast<std::size_t>(h)]);
  z -= q.head(size);
  dense::solve_upper(Op::none, F.topRows(size), z);
}

}  // namespace conelu::ipm
