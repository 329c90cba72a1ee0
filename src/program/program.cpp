#include "conelu/program.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "linalg/dense.hpp"

namespace conelu {
namespace {

constexpr double kSmallest = 1e-60;
constexpr double kLargest = 1e60;

void require(bool condition, const std::string& message) {
  if (!condition) throw std::invalid_argument(message);
}

void require_finite(const MatrixView& values, const char* what) {
  if (values.allFinite()) return;
  for (Index k = 0; k < values.rows(); ++k) {
    for (Index a = 0; a < values.cols(); ++a) {
      require(std::isfinite(values(k, a)),
              fmt::format("{}: entry ({}, {}) is {}, expected a finite number", what, k, a, values(k, a)));
    }
  }
}

/// Numbers whose products stay far from overflow and underflow, where rounding is no longer relative.
bool is_moderate(double x) { return x == 0 || (std::abs(x) >= kSmallest && std::abs(x) <= kLargest); }

std::vector<Index> rows_with_weight(const VectorView& weights) {
  std::vector<Index> rows;
  for (Index k = 0; k < weights.size(); ++k) {
    require(std::isfinite(weights(k)) && weights(k) >= 0,
            fmt::format("weights: entry {} is {}, expected a finite number >= 0", k, weights(k)));
    if (weights(k) > 0) rows.push_back(k);
  }
  require(!rows.empty(), "weights: all are 0, expected at least one sample with a positive weight");
  return rows;
}

/// A direction that the source vouches for still has to be strictly inside, beyond rounding, to serve as a witness.
bool is_interior(const MatrixView& X, const VectorView& row_norms, const VectorView& signs, const VectorView& u) {
  if (u.size() != X.cols()) return false;
  const double margin = 4 * static_cast<double>(X.cols()) * std::numeric_limits<double>::epsilon() * u.norm();
  if (!(margin > 0)) return false;
  const Vector preactivations = X * u;
  for (Index k = 0; k < X.rows(); ++k) {
    if (row_norms(k) > 0 && !(signs(k) * preactivations(k) > margin * row_norms(k))) return false;
  }
  return true;
}

}  // namespace

Program::Program(const MatrixView& X, const VectorView& y, const VectorView& weights, LossPointer loss, double beta,
                 const PatternSet& patterns)
    : loss_(std::move(loss)), beta_(beta), given_patterns_(patterns.count()) {
  const Index n = X.rows();
  require(loss_ != nullptr, "loss: none given");
  require(n > 0, "X: has no rows, expected at least one sample");
  require(X.cols() > 0, "X: has no columns, expected at least one feature");
  require(y.size() == n, fmt::format("y: has {} entries, expected {}, one per row of X", y.size(), n));
  require(weights.size() == 0 || weights.size() == n,
          fmt::format("weights: has {} entries, expected {}, one per row of X", weights.size(), n));
  require(std::isfinite(beta) && beta > 0, fmt::format("beta: is {}, expected a finite number > 0", beta));
  require(is_moderate(beta), fmt::format("beta: is {}, expected a number from {} to {}", beta, kSmallest, kLargest));
  require(patterns.samples() == n || patterns.count() == 0,
          fmt::format("patterns: are for {} samples, expected {}, one per row of X", patterns.samples(), n));
  require_finite(X, "X");
  require_finite(y, "y");
  require(y.cwiseAbs().maxCoeff() <= kLargest, fmt::format("y: has an entry beyond {}, rescale it", kLargest));
  if (loss_->is_margin_loss()) {
    for (Index k = 0; k < n; ++k) {
      require(y(k) == 1 || y(k) == -1,
              fmt::format("y: entry {} is {}, expected -1 or +1 for the {} loss", k, y(k), loss_->name()));
    }
  }

  const std::vector<Index> rows = rows_with_weight(weights.size() == 0 ? Vector(Vector::Ones(n)) : Vector(weights));
  const PatternSet kept = static_cast<Index>(rows.size()) == n ? patterns : patterns.select_samples(rows);
  X_ = X(rows, Eigen::all);
  y_ = y(rows);
  loss_weights_ = weights.size() == 0 ? Vector(Vector::Ones(n)) : Vector(weights(rows));
  if (loss_->is_averaged()) loss_weights_ /= loss_weights_.sum();
  row_norms_ = X_.rowwise().stableNorm();
  for (Index k = 0; k < samples(); ++k) {
    require(is_moderate(row_norms_(k)),
            fmt::format("X: row {} has length {}, expected 0 or a length from {} to {}: rescale the data",
                        rows[static_cast<std::size_t>(k)], row_norms_(k), kSmallest, kLargest));
    require(is_moderate(loss_weights_(k)),
            fmt::format("weights: entry {} is {} (divided by the sum if the loss is averaged), expected 0 or a number "
                        "from {} to {}",
                        rows[static_cast<std::size_t>(k)], loss_weights_(k), kSmallest, kLargest));
  }
  exact_ = kept.complete();

  activations_.resize(samples(), kept.count());
  witnesses_.resize(dimension(), kept.count());
  for (Index i = 0; i < kept.count(); ++i) {
    const Index before = patterns_;
    auto activation = activations_.col(patterns_);
    for (Index k = 0; k < samples(); ++k) activation(k) = kept.active(i, k) ? 1.0 : 0.0;
    if ((activation.array() * row_norms_.array()).maxCoeff() == 0) continue;  // active on nothing: contributes nothing
    const Vector signs = 2.0 * activation.array() - 1.0;
    if (is_interior(X_, row_norms_, signs, kept.witness(i))) {
      witnesses_.col(patterns_++) = kept.witness(i).stableNormalized();
      continue;
    }
    const LivenessVerdict verdict = decide_liveness(X_, signs);
    if (verdict.liveness == Liveness::live && is_interior(X_, row_norms_, signs, verdict.witness)) {
      witnesses_.col(patterns_++) = verdict.witness.stableNormalized();
    } else if (verdict.liveness == Liveness::live || kept.witness(i).size() > 0) {
      ++narrow_patterns_;  // its source saw an interior where products of this size are rounding errors
    } else if (verdict.liveness == Liveness::thin) {
      ++thin_patterns_;
    }
    // A complete set has a pattern for every cell of X, so one that has no block here may be missed.
    if (patterns_ == before) exact_ = false;
  }
  activations_.conservativeResize(Eigen::NoChange, patterns_);
  witnesses_.conservativeResize(Eigen::NoChange, patterns_);
}

Vector Program::outputs(const MatrixView& U) const {
  Matrix Z(dimension(), patterns());
  for (Index i = 0; i < patterns(); ++i) Z.col(i) = U.col(2 * i) - U.col(2 * i + 1);
  Matrix F(samples(), patterns());
  dense::multiply(1.0, dense::Op::none, X_, dense::Op::none, Z, 0.0, F);
  return F.cwiseProduct(activations_).rowwise().sum();
}

double Program::loss_value(const VectorView& f) const {
  double sum = 0;
  for (Index k = 0; k < samples(); ++k) sum += loss_weights_(k) * loss_->value(f(k), y_(k));
  return sum;
}

double Program::objective(const MatrixView& U) const {
  return loss_value(outputs(U)) + beta_ * U.colwise().stableNorm().sum();
}

}  // namespace conelu
