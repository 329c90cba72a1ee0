#include "gates/certified_batch.hpp"

#include <algorithm>
#include <cmath>

#include "baselines/slice.hpp"
#include "linalg/dense.hpp"

namespace conelu {

using dense::Op;

namespace {

double output_sign(Index block) { return block % 2 == 0 ? 1.0 : -1.0; }

}  // namespace

CertifiedBatch::CertifiedBatch(const Loss& loss, Method method)
    : loss_(loss),
      separate_(method == Method::separate),
      // The gates of `gated` are closed against the side of a margin; a residual has both sides.
      may_open_(method == Method::hybrid || (method == Method::gated && !loss.is_margin_loss())) {}

bool CertifiedBatch::opposes(Index j, Index k) const { return output_sign(j) * sides_(k) < 0; }

const Vector& CertifiedBatch::bound(const Matrix& U, const Threat& threat, const Matrix& points, const Vector& y) {
  set_products(U, threat, points, y);
  choose(products_, 1.0, best_);
  set_bound(U, threat, points, best_);
  if (!separate_ && threat.active()) {
    products_at_worst_.resize(U.cols(), points.cols());
    dense::multiply(1.0, Op::transpose, U, Op::none, best_.worst, 0.0, products_at_worst_);
    try_gates(U, threat, points, 0.5);
    if (may_open_) try_gates(U, threat, points, 0.0);
  }
  return best_.bound;
}

void CertifiedBatch::add_slope(const Matrix& U, const Threat& threat, const Matrix& points, const Vector& y,
                               const Vector& weights, Matrix& slope) {
  bound(U, threat, points, y);
  // d worst / d margin, sample by sample; then the rows of the slope
  Vector share_sums = Vector::Zero(U.cols());
  for (Index k = 0; k < points.cols(); ++k) {
    const double push = weights(k) * std::abs(baselines::loss_slope(loss_, sides_(k) * best_.bound(k), y(k)));
    best_.gates.col(k) *= -push;
    best_.shares.col(k) *= push;
    share_sums += best_.shares.col(k).cwiseAbs();
    if (separate_) share_sums += best_.gates.col(k).cwiseAbs();
  }
  dense::multiply(1.0, Op::none, best_.worst, Op::transpose, best_.gates, 1.0, slope);
  dense::multiply(1.0, Op::none, points, Op::transpose, best_.shares, 1.0, slope);
  for (Index j = 0; threat.active() && j < U.cols(); ++j) {
    if (share_sums(j) > 0) slope.col(j) += share_sums(j) * threat.worst_perturbation(U.col(j));
  }
}

void CertifiedBatch::set_products(const Matrix& U, const Threat& threat, const Matrix& points, const Vector& y) {
  products_.resize(U.cols(), points.cols());
  dense::multiply(1.0, Op::transpose, U, Op::none, points, 0.0, products_);
  attacks_.resize(U.cols());
  for (Index j = 0; j < U.cols(); ++j) attacks_(j) = threat.active() ? threat.worst_change(U.col(j)) : 0.0;
  sides_ = y;
  if (loss_.is_margin_loss()) return;
  for (Index k = 0; k < points.cols(); ++k) {
    double f = 0;
    for (Index j = 0; j < U.cols(); ++j) f += output_sign(j) * std::max(0.0, products_(j, k));
    sides_(k) = f < y(k) ? 1.0 : -1.0;
  }
}

void CertifiedBatch::choose(const Matrix& products, double least, Choice& choice) const {
  choice.gates.resize(products.rows(), products.cols());
  choice.shares.resize(products.rows(), products.cols());
  for (Index k = 0; k < products.cols(); ++k) {
    for (Index j = 0; j < products.rows(); ++j) {
      const double t = products_(j, k);
      const double attack = attacks_(j);
      const bool against = opposes(j, k);
      const bool helps = separate_ ? t > attack : products(j, k) > 0;
      const bool open = against ? may_open_ && t > 0 && t >= least * attack : helps;
      choice.gates(j, k) = open ? sides_(k) * output_sign(j) : 0.0;
      const double share = open ? -1.0 : 1.0;
      choice.shares(j, k) = against && attack + share * t > 0 ? share : 0.0;
    }
  }
}

void CertifiedBatch::set_bound(const Matrix& U, const Threat& threat, const Matrix& points, Choice& choice) {
  const Index count = points.cols();
  weights_.resize(points.rows(), count);
  dense::multiply(1.0, Op::none, U, Op::none, choice.gates, 0.0, weights_);
  choice.worst = points;
  choice.bound.resize(count);
  const bool joint = threat.active() && !separate_;
  for (Index k = 0; k < count; ++k) {
    if (joint) choice.worst.col(k) -= threat.worst_perturbation(weights_.col(k));
    const auto shares = choice.shares.col(k);
    double taken = shares.dot(products_.col(k)) + shares.cwiseAbs().dot(attacks_);
    if (!joint) taken += choice.gates.col(k).cwiseAbs().dot(attacks_);
    choice.bound(k) = weights_.col(k).dot(choice.worst.col(k)) - taken;
  }
}

void CertifiedBatch::try_gates(const Matrix& U, const Threat& threat, const Matrix& points, double least) {
  choose(products_at_worst_, least, other_);
  set_bound(U, threat, points, other_);
  for (Index k = 0; k < points.cols(); ++k) {
    if (!(other_.bound(k) > best_.bound(k))) continue;
    best_.gates.col(k) = other_.gates.col(k);
    best_.shares.col(k) = other_.shares.col(k);
    best_.worst.col(k) = other_.worst.col(k);
    best_.bound(k) = other_.bound(k);
  }
}

}  // namespace conelu
