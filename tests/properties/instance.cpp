#include "properties/instance.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "linalg/random.hpp"

namespace conelu::properties {
namespace {

double power_of_ten(double exponent) { return std::pow(10.0, exponent); }
double between(Random& random, double lower, double upper) { return lower + (upper - lower) * random.uniform(); }

/// Columns first, then rows, then units: a later degeneracy may undo an earlier one, which makes for more mixtures.
Matrix make_features(const Recipe& recipe) {
  Random random(static_cast<std::uint64_t>(recipe.seed), 1);
  const Index n = recipe.n;
  const Index d = recipe.d;
  Matrix X = Matrix::NullaryExpr(n, d, [&] { return random.normal(); });
  if (recipe.grid) X = X.array().round();
  if (recipe.rank_one) X = (X.col(0) * X.row(0)).eval();
  if (recipe.shift > 0) X.array() += power_of_ten(recipe.shift);
  if (recipe.equal_columns) X.col(d - 1) = X.col(0);
  if (recipe.constant_column) X.col(random.below(d)).setConstant(0.7);
  if (recipe.zero_column) X.col(random.below(d)).setZero();
  for (Index k = 1; k < n; ++k) {
    const Index earlier = random.below(k);
    if (recipe.duplicates > 0 && random.below(2) == 0) X.row(k) = X.row(earlier);
    if (recipe.duplicates == 2) X(k, 0) += 1e-9 * random.normal();
    if (recipe.opposites > 0 && random.below(3) == 0) X.row(k) = -X.row(earlier);
  }
  for (Index k = 0; recipe.zero_rows > 0 && k < n; ++k) {
    if (random.below(4) == 0) X.row(k).setZero();
  }
  for (Index a = 0; a < d; ++a) X.col(a) *= power_of_ten(between(random, -recipe.columns, recipe.columns));
  for (Index k = 0; k < n; ++k) X.row(k) *= power_of_ten(between(random, -recipe.rows, recipe.rows));
  return X * power_of_ten(recipe.scale);
}

/// Typical size of the entries that are not 0.
double typical_size(const Matrix& values) {
  const double count = static_cast<double>((values.array() != 0).count());
  return count > 0 ? values.cwiseAbs().sum() / count : 1.0;
}

/// `features` has no bias column.
Vector make_targets(const Recipe& recipe, const Matrix& features, bool labels) {
  Random random(static_cast<std::uint64_t>(recipe.seed), 2);
  const Index n = features.rows();
  const double unit = typical_size(features);
  Vector y(n);
  for (Index k = 0; k < n; ++k) {
    const double noise = random.normal();
    if (recipe.targets == "rule")
      y(k) = (2 / unit * features.row(k).array()).sin().sum() + 0.1 * noise;
    else if (recipe.targets == "noise")
      y(k) = noise;
    else if (recipe.targets == "equal")
      y(k) = 0.3;
    else if (recipe.targets == "zero")
      y(k) = labels ? -1 : 0;
    else if (recipe.targets == "outlier")
      y(k) = k == 0 ? 1e3 : -1;
    else
      throw std::invalid_argument("targets: unknown name '" + recipe.targets + "'");
  }
  if (labels) return y.unaryExpr([](double value) { return value > 0 ? 1.0 : -1.0; });
  y *= power_of_ten(recipe.target_scale);
  if (recipe.target_offset > 0) y.array() += power_of_ten(recipe.target_offset);
  return y;
}

Vector make_weights(const Recipe& recipe) {
  Random random(static_cast<std::uint64_t>(recipe.seed), 3);
  if (recipe.weights == "none") return {};
  Vector weights(recipe.n);
  for (Index k = 0; k < recipe.n; ++k) {
    if (recipe.weights == "usual")
      weights(k) = between(random, 0.5, 2);
    else if (recipe.weights == "zeros")
      weights(k) = random.below(3) == 0 ? 0 : 1;
    else if (recipe.weights == "ratios")
      weights(k) = power_of_ten(between(random, -8, 8));
    else if (recipe.weights == "tiny")
      weights(k) = 1e-8;
    else if (recipe.weights == "huge")
      weights(k) = 1e8;
    else if (recipe.weights == "single")
      weights(k) = 0;
    else
      throw std::invalid_argument("weights: unknown name '" + recipe.weights + "'");
  }
  if (weights.maxCoeff() == 0) weights(random.below(recipe.n)) = 3;
  return weights;
}

Threat make_threat(const Recipe& recipe, const Matrix& features, Index columns) {
  Random random(static_cast<std::uint64_t>(recipe.seed), 4);
  Threat threat{make_norm(recipe.norm), {}};
  if (recipe.radii == "none") return threat;
  threat.radii = Vector::Zero(columns);
  const double size = power_of_ten(0.1 * recipe.eps);
  for (Index a = 0; a < columns; ++a) {
    const bool feature = a < features.cols();
    const double unit = feature ? typical_size(features.col(a)) : 1.0;
    if (recipe.radii == "zero") continue;
    if (recipe.radii == "scalar")
      threat.radii(a) = feature ? size * typical_size(features) : 0.0;
    else if (recipe.radii == "features")
      threat.radii(a) = feature ? size * between(random, 0.2, 2) * unit : 0.0;
    else if (recipe.radii == "some")
      threat.radii(a) = feature && random.below(2) == 0 ? size * unit : 0.0;
    else if (recipe.radii == "bias")
      threat.radii(a) = size * unit;
    else
      throw std::invalid_argument("radii: unknown name '" + recipe.radii + "'");
  }
  return threat;
}

void add_random_bits(PatternSet& patterns, Index n, Index count, Random& random) {
  for (Index i = 0; i < count; ++i) {
    patterns.add(Vector::NullaryExpr(n, [&] { return random.below(2) == 0 ? -1.0 : 1.0; }));
  }
}

PatternSet make_patterns(const Recipe& recipe, const Matrix& X, const Vector& y, const Threat& threat) {
  constexpr double kFewPatterns = 60;
  Random random(static_cast<std::uint64_t>(recipe.seed), 5);
  PatternRequest request;
  request.count = recipe.count;
  request.seed = static_cast<std::uint64_t>(recipe.seed);
  request.all_active = recipe.seed % 2 == 1;
  request.threat = threat;
  request.labels = y;
  const Index n = X.rows();
  PatternSet patterns(n);
  if (recipe.patterns == "none") return patterns;
  if (recipe.patterns == "random" || recipe.patterns == "mixed") add_random_bits(patterns, n, recipe.count, random);
  if (recipe.patterns == "random") return patterns;
  if (recipe.patterns == "mixed") {
    for (const char* source : {"gaussian", "gaps"}) {
      const PatternSet sampled = conelu::make_patterns(source, X, request).patterns;
      for (Index i = 0; i < sampled.count(); ++i) patterns.add_words(sampled.words(i), sampled.witness(i));
    }
    return patterns;
  }
  const bool too_many = recipe.patterns == "all" && pattern_count_bound(X) > kFewPatterns;
  return conelu::make_patterns(too_many ? "gaussian" : recipe.patterns, X, request).patterns;
}

}  // namespace

Instance::Instance(const Recipe& recipe)
    : weights(make_weights(recipe)),
      bias(recipe.bias > 0),
      loss(recipe.make_loss()),
      beta(power_of_ten(0.1 * recipe.beta)),
      method(make_method(recipe.method)) {
  const Matrix features = make_features(recipe);
  X = Matrix::Ones(recipe.n, recipe.d + recipe.bias);
  X.leftCols(recipe.d) = features;
  y = make_targets(recipe, features, loss->is_margin_loss());
  threat = make_threat(recipe, features, X.cols());
  patterns = make_patterns(recipe, X, y, threat);
}

}  // namespace conelu::properties
