#include "conelu/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "linalg/dense.hpp"
#include "patterns/separating_directions.hpp"
#include "require.hpp"

namespace conelu {
namespace {

constexpr double kSmallest = 1e-60;
constexpr double kLargest = 1e60;
// Patterns of random directions have wide cones with so many features, and no more than so many rows for each of them.
constexpr Index kManyFeatures = 64;
constexpr Index kRowsPerFeature = 10;

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

/// Empty weights are ones.
std::vector<Index> rows_with_weight(const VectorView& weights, Index n) {
  std::vector<Index> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), Index{0});
  if (weights.size() == 0) return rows;
  rows.clear();
  for (Index k = 0; k < weights.size(); ++k) {
    require(std::isfinite(weights(k)) && weights(k) >= 0,
            fmt::format("weights: entry {} is {}, expected a finite number >= 0", k, weights(k)));
    if (weights(k) > 0) rows.push_back(k);
  }
  require(!rows.empty(), "weights: all are 0, expected at least one sample with a positive weight");
  return rows;
}

void check_radii(const Vector& radii, Index d) {
  if (radii.size() == 0) return;
  require(radii.size() == d, fmt::format("eps: has {} radii, expected {}, one per column of X", radii.size(), d));
  for (Index a = 0; a < d; ++a) {
    require(std::isfinite(radii(a)) && radii(a) >= 0 && is_moderate(radii(a)),
            fmt::format("eps: the radius of column {} is {}, expected 0 or a number from {} to {}", a, radii(a),
                        kSmallest, kLargest));
  }
}

/// A direction that the source vouches for still has to be strictly inside, beyond rounding, to serve as a witness.
bool is_interior(const MatrixView& X, const VectorView& row_norms, const VectorView& signs, const Threat& threat,
                 const VectorView& u) {
  if (u.size() != X.cols()) return false;
  const double share = 4 * static_cast<double>(X.cols()) * std::numeric_limits<double>::epsilon();
  const double length = u.norm();
  if (!(length > 0)) return false;
  const double attack = threat.worst_change(u) * (1 + share);
  const Vector preactivations = X * u;
  for (Index k = 0; k < X.rows(); ++k) {
    if (row_norms(k) == 0 && !threat.active()) continue;
    if (!(signs(k) * preactivations(k) > share * length * row_norms(k) + attack)) return false;
  }
  return true;
}

}  // namespace

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names = {"cones", "reduced", "gated", "hybrid",
                                                 "separate"};  // in the order of Method
  return names;
}

const char* to_string(Method method) { return method_names()[static_cast<std::size_t>(method)].c_str(); }

Method make_method(const std::string& name) {
  const std::vector<std::string>& names = method_names();
  const auto found = std::find(names.begin(), names.end(), name);
  require(found != names.end(),
          fmt::format("method: unknown name '{}', expected one of {}", name, fmt::join(names, ", ")));
  return static_cast<Method>(found - names.begin());
}

Program::Program(const MatrixView& X, const VectorView& y, const VectorView& weights, LossPointer loss, double beta,
                 Threat threat, Method method)
    : loss_(std::move(loss)), beta_(beta), threat_(std::move(threat)), method_(method), robust_(threat_.active()) {
  const Index n = X.rows();
  require(loss_ != nullptr, "loss: none given");
  require(n > 0, "X: has no rows, expected at least one sample");
  require(X.cols() > 0, "X: has no columns, expected at least one feature");
  require(y.size() == n, fmt::format("y: has {} entries, expected {}, one per row of X", y.size(), n));
  require(weights.size() == 0 || weights.size() == n,
          fmt::format("weights: has {} entries, expected {}, one per row of X", weights.size(), n));
  require(std::isfinite(beta) && beta > 0, fmt::format("beta: is {}, expected a finite number > 0", beta));
  require(is_moderate(beta), fmt::format("beta: is {}, expected a number from {} to {}", beta, kSmallest, kLargest));
  check_radii(threat_.radii, X.cols());
  require_finite(X, "X");
  require_finite(y, "y");
  require(y.cwiseAbs().maxCoeff() <= kLargest, fmt::format("y: has an entry beyond {}, rescale it", kLargest));
  if (loss_->is_margin_loss()) {
    for (Index k = 0; k < n; ++k) {
      require(y(k) == 1 || y(k) == -1,
              fmt::format("y: entry {} is {}, expected -1 or +1 for the {} loss", k, y(k), loss_->name()));
    }
  }

  const std::vector<Index> rows = rows_with_weight(weights, n);
  X_ = X(rows, Eigen::all);
  y_ = y(rows);
  loss_weights_ = weights.size() == 0 ? Vector(Vector::Ones(n)) : Vector(weights(rows));
  if (loss_->is_averaged()) loss_weights_ /= loss_weights_.sum();
  row_norms_ = X_.rowwise().stableNorm();
  for (Index k = 0; k < samples(); ++k) {
    require(is_moderate(row_norms_(k)),
            fmt::format("X: row {} has length {}, expected 0 or a length from {} to {}: rescale the data "
                        "(--standardize, --min-max)",
                        rows[static_cast<std::size_t>(k)], row_norms_(k), kSmallest, kLargest));
    require(is_moderate(loss_weights_(k)),
            fmt::format("weights: entry {} is {} (divided by the sum if the loss is averaged), expected 0 or a number "
                        "from {} to {}",
                        rows[static_cast<std::size_t>(k)], loss_weights_(k), kSmallest, kLargest));
  }
}

Program::Program(const MatrixView& X, const VectorView& y, const VectorView& weights, LossPointer loss, double beta,
                 const PatternSet& patterns, Threat threat, Method method)
    : Program(X, y, weights, std::move(loss), beta, std::move(threat), method) {
  const Index n = X.rows();
  require(patterns.samples() == n || patterns.count() == 0,
          fmt::format("patterns: are for {} samples, expected {}, one per row of X", patterns.samples(), n));
  const PatternSet kept = samples() == n ? patterns : patterns.select_samples(rows_with_weight(weights, n));
  given_patterns_ = patterns.count();
  // With a threat or freed pairs the optimum is that of a bound on training, not of training itself.
  exact_ = kept.complete() && !robust_ && method_ == Method::cones;
  if (has_gates(method_)) {
    Matrix gates(samples(), 2 * kept.count());
    for (Index j = 0; j < gates.cols(); ++j) {
      for (Index k = 0; k < samples(); ++k) gates(k, j) = kept.active(j / 2, k) ? 1.0 : 0.0;
    }
    set_gates(gates);
    return;
  }

  activations_.resize(samples(), kept.count());
  witnesses_.resize(dimension(), kept.count());
  for (Index i = 0; i < kept.count(); ++i) {
    for (Index k = 0; k < samples(); ++k) activations_(k, i) = kept.active(i, k) ? 1.0 : 0.0;
  }
  const Matrix guesses = guess_witnesses(kept);
  for (Index i = 0; i < kept.count(); ++i) {
    const Vector activation = activations_.col(i);
    if (!carries_weight(activation)) continue;
    const Vector witness = find_witness(activation, kept.witness(i), guesses.col(i));
    if (witness.size() > 0) {
      activations_.col(patterns_) = activation;
      witnesses_.col(patterns_++) = witness.stableNormalized();
    } else {
      exact_ = false;  // a complete set has a pattern for every cell of X, so one that has no block may be missed
    }
  }
  activations_.conservativeResize(Eigen::NoChange, patterns_);
  witnesses_.conservativeResize(Eigen::NoChange, patterns_);
  find_cells();
}

Program::Program(const MatrixView& X, const VectorView& y, const VectorView& weights, LossPointer loss, double beta,
                 const MatrixView& gates, Threat threat, Method method)
    : Program(X, y, weights, std::move(loss), beta, std::move(threat), method) {
  require(has_gates(method),
          fmt::format("method: {} has patterns, not gates; expected gated, hybrid or separate", to_string(method)));
  require(gates.rows() == X.rows() && gates.cols() % 2 == 0,
          fmt::format("gates: is {} x {}, expected {} rows, one per row of X, and an even number of columns",
                      gates.rows(), gates.cols(), X.rows()));
  require((gates.array() == 0 || gates.array() == 1).all(), "gates: has an entry that is not 0 or 1");
  given_patterns_ = gates.cols() / 2;
  set_gates(gates(rows_with_weight(weights, X.rows()), Eigen::all));
}

Program Program::select_patterns(const std::vector<Index>& patterns) const {
  require(!has_gates(method_), fmt::format("method: {} has gates, not patterns to select", to_string(method_)));
  for (const Index i : patterns) {
    require(i >= 0 && i < patterns_, fmt::format("patterns: {} is not one of the {} live ones", i, patterns_));
  }
  Program part = *this;
  part.patterns_ = part.given_patterns_ = static_cast<Index>(patterns.size());
  part.thin_patterns_ = part.narrow_patterns_ = 0;
  part.activations_ = activations_(Eigen::all, patterns);
  part.witnesses_ = witnesses_(Eigen::all, patterns);
  part.exact_ = false;
  part.find_cells();
  return part;
}

/// Of the samples that are left. Nothing is constrained, so any direction is a witness.
void Program::set_gates(const MatrixView& gates) {
  blocks_per_pattern_ = 1;
  patterns_ = gates.cols();
  activations_ = gates;
  for (Index j = 0; method_ != Method::hybrid && j < patterns_; ++j) {
    for (Index k = 0; k < samples(); ++k) {
      if (pair(k, j) == Pair::freed && loss_->is_margin_loss()) activations_(k, j) = 0;
    }
  }
  witnesses_ = Matrix::Zero(dimension(), patterns_);
  witnesses_.row(0).setOnes();
  if (!separate()) return find_cells();
  cell_of_.assign(static_cast<std::size_t>(samples()), 0);
  cell_activations_ = Matrix::Zero(1, patterns_);
}

/// `cones`: a pattern that is active on nothing contributes nothing. Freed pairs would only raise its objective.
bool Program::carries_weight(const Eigen::Ref<const Vector>& activation) const {
  return (activation.array() * row_norms_.array()).maxCoeff() > 0;
}

/// Directions to try for patterns that come without one, or zeros.
Matrix Program::guess_witnesses(const PatternSet& kept) const {
  Matrix guesses = Matrix::Zero(dimension(), kept.count());
  const bool wide = dimension() >= kManyFeatures && samples() <= kRowsPerFeature * dimension();
  if (method_ != Method::cones || robust_ || !wide) return guesses;
  std::vector<Index> without;
  for (Index i = 0; i < kept.count(); ++i) {
    if (kept.witness(i).size() == 0) without.push_back(i);
  }
  if (without.empty()) return guesses;
  const Matrix signs = 2.0 * activations_(Eigen::all, without).array() - 1.0;
  guesses(Eigen::all, without) = separating_directions(X_, row_norms_, signs);
  return guesses;
}

/// A direction strictly inside the cone of the pattern's kept rows, or nothing, and the reason is counted.
Vector Program::find_witness(const Eigen::Ref<const Vector>& activation, const Vector& suggestion,
                             const Vector& guess) {
  const auto seek = [&](const Matrix& X, const Vector& norms, const Vector& signs) -> Vector {
    if (is_interior(X, norms, signs, threat_, suggestion)) return suggestion;
    if (is_interior(X, norms, signs, threat_, guess)) return guess;
    const LivenessVerdict verdict = decide_liveness(X, signs, threat_);
    if (verdict.liveness == Liveness::live && is_interior(X, norms, signs, threat_, verdict.witness)) {
      return verdict.witness;
    }
    if (verdict.liveness == Liveness::live || (suggestion.size() > 0 && !robust_)) {
      ++narrow_patterns_;  // its source saw an interior where products of this size are rounding errors
    } else if (verdict.liveness == Liveness::thin) {
      ++thin_patterns_;
    }
    return {};
  };
  if (method_ == Method::cones) return seek(X_, row_norms_, 2.0 * activation.array() - 1.0);
  // A constant column that nobody can perturb is inside every such cone; else the active rows decide.
  for (Index a = 0; a < dimension(); ++a) {
    const double entry = X_(0, a);
    if (entry != 0 && (!robust_ || threat_.radii(a) == 0) && (X_.col(a).array() == entry).all()) {
      return Vector::Unit(dimension(), a) * (entry > 0 ? 1.0 : -1.0);
    }
  }
  std::vector<Index> active;
  for (Index k = 0; k < samples(); ++k) {
    if (activation(k) > 0) active.push_back(k);
  }
  return seek(X_(active, Eigen::all), row_norms_(active), Vector::Ones(static_cast<Index>(active.size())));
}

/// Sorted by their activations, samples of a cell are neighbours; cells are numbered by their first sample.
void Program::find_cells() {
  const auto rows_differ = [&](Index k, Index l) {
    for (Index i = 0; i < patterns_; ++i) {
      if (activations_(k, i) != activations_(l, i)) return activations_(k, i) < activations_(l, i) ? -1 : 1;
    }
    return 0;
  };
  std::vector<Index> order(static_cast<std::size_t>(samples()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index k, Index l) {
    const int sign = rows_differ(k, l);
    return sign != 0 ? sign < 0 : k < l;
  });
  std::vector<Index> first(order.size());  // of each sample: the first sample of its cell
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto k = static_cast<std::size_t>(order[i]);
    first[k] =
        i > 0 && rows_differ(order[i - 1], order[i]) == 0 ? first[static_cast<std::size_t>(order[i - 1])] : order[i];
  }
  std::vector<Index> representatives;
  cell_of_.resize(order.size());
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (first[k] == static_cast<Index>(k)) {
      cell_of_[k] = static_cast<Index>(representatives.size());
      representatives.push_back(first[k]);
    } else {
      cell_of_[k] = cell_of_[static_cast<std::size_t>(first[k])];
    }
  }
  cell_activations_ = activations_(representatives, Eigen::all);
}

Pair Program::pair(Index sample, Index block) const {
  if (method_ == Method::cones) return Pair::kept;
  const double sigma = block % 2 == 0 ? 1.0 : -1.0;
  if (loss_->is_margin_loss() && sigma * y_(sample) > 0) return Pair::none;
  // 0 >= 0 has no slack to work with and nothing to say.
  if (row_norms_(sample) == 0 && !robust_) return Pair::none;
  return !unconstrained() && activations_(sample, pattern_of(block)) > 0 ? Pair::kept : Pair::freed;
}

Matrix Program::block_sums(const MatrixView& U) const {
  Matrix Z = Matrix::Zero(dimension(), patterns());
  for (Index j = 0; j < blocks(); ++j) Z.col(pattern_of(j)) += (j % 2 == 0 ? 1.0 : -1.0) * U.col(j);
  return Z;
}

Vector Program::outputs(const MatrixView& U) const {
  const Matrix Z = block_sums(U);
  Matrix F(samples(), patterns());
  dense::multiply(1.0, dense::Op::none, X_, dense::Op::none, Z, 0.0, F);
  return F.cwiseProduct(activations_).rowwise().sum();
}

Matrix Program::cell_weights(const MatrixView& U) const { return block_sums(U) * cell_activations_.transpose(); }

double Program::loss_value(const VectorView& f) const {
  double sum = 0;
  for (Index k = 0; k < samples(); ++k) sum += loss_weights_(k) * loss_->value(f(k), y_(k));
  return sum;
}

/// Of a margin loss only the side that hurts is bounded; the other one is put there, too.
Matrix Program::separate_range(const MatrixView& U) const {
  Matrix range = Matrix::Zero(samples(), 2);
  const Matrix preactivations = X_ * U;
  for (Index j = 0; j < blocks(); ++j) {
    const double sigma = j % 2 == 0 ? 1.0 : -1.0;
    const double attack = threat_.worst_change(U.col(j));
    for (Index k = 0; k < samples(); ++k) {
      const double t = preactivations(k, j);
      if (activations_(k, j) > 0) range(k, j % 2) += sigma * (t - attack);
      if (pair(k, j) == Pair::freed) range(k, 1 - j % 2) += sigma * std::max(0.0, t + attack);
    }
  }
  for (Index k = 0; loss_->is_margin_loss() && k < samples(); ++k) {
    range.row(k).setConstant(range(k, y_(k) > 0 ? 0 : 1));
  }
  return range;
}

Matrix Program::output_range(const MatrixView& U) const {
  if (separate()) return separate_range(U);
  const Vector f = outputs(U);
  Matrix range(samples(), 2);
  range << f, f;
  if (robust_) {
    const Matrix S = cell_weights(U);
    Vector rho(cells());
    for (Index c = 0; c < cells(); ++c) rho(c) = threat_.worst_change(S.col(c));
    for (Index k = 0; k < samples(); ++k) {
      range(k, 0) -= rho(cell_of_[static_cast<std::size_t>(k)]);
      range(k, 1) += rho(cell_of_[static_cast<std::size_t>(k)]);
    }
  }
  if (method_ == Method::cones) return range;
  const Matrix preactivations = X_ * U;
  for (Index j = 0; j < blocks(); ++j) {
    const double attack = threat_.worst_change(U.col(j));
    for (Index k = 0; k < samples(); ++k) {
      if (pair(k, j) != Pair::freed) continue;
      const double share = std::max(0.0, attack - row_sign(k, j) * preactivations(k, j));
      if (j % 2 == 0) {
        range(k, 1) += share;
      } else {
        range(k, 0) -= share;
      }
    }
  }
  return range;
}

double Program::objective(const MatrixView& U) const {
  const Matrix range = output_range(U);
  double sum = 0;
  for (Index k = 0; k < samples(); ++k) {
    sum += loss_weights_(k) * std::max(loss_->value(range(k, 0), y_(k)), loss_->value(range(k, 1), y_(k)));
  }
  return sum + beta_ * U.colwise().stableNorm().sum();
}

}  // namespace conelu
