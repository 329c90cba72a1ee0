#pragma once

#include <fmt/format.h>

#include <random>

#include "conelu/model.hpp"

/// Models to export.
namespace conelu::test {

/// `classes` 0: a regression; 2: one network; more: one each, of different width. With `scaled`, features far from 0
/// and of very different size, as tables have them.
inline Model random_model(Index classes, Index d, Index neurons, bool scaled, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const auto entry = [&] { return normal(random); };
  Model model;
  model.task = classes == 0 ? Task::regression : Task::classification;
  for (Index k = 0; k < classes; ++k) model.classes.push_back(fmt::format("class {}", k));
  for (Index a = 0; a < d; ++a) model.features.push_back(fmt::format("feature {}", a));
  if (scaled) {
    model.preprocessing.center = Vector::NullaryExpr(d, [&] { return 50 * entry(); });
    model.preprocessing.scale = Vector::NullaryExpr(d, [&] { return std::exp(2 * entry()); });
  }
  for (Index k = 0; k < (classes > 2 ? classes : 1); ++k) {
    const Index m = neurons + k;
    model.networks.push_back({Matrix::NullaryExpr(m, d, entry), Vector::NullaryExpr(m, entry),
                              Vector::NullaryExpr(m, entry), classes == 0 ? 10 * entry() : entry()});
  }
  if (classes > 2) model.class_trainings.resize(static_cast<std::size_t>(classes));
  return model;
}

/// Rows of raw features whose standardised values are those of a normal distribution.
inline Matrix random_rows(const Model& model, Index n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const auto d = static_cast<Index>(model.features.size());
  Matrix X = Matrix::NullaryExpr(n, d, [&] { return normal(random); });
  if (model.preprocessing.scale.size() > 0) X.array().rowwise() *= model.preprocessing.scale.transpose().array();
  if (model.preprocessing.center.size() > 0) X.rowwise() += model.preprocessing.center.transpose();
  return X;
}

/// The contract's formula, written out once more: f = sum_j output_j (hidden_j . x' + hidden_bias_j)_+ + output_bias.
inline double output_by_hand(const Network& network, const Preprocessing& preprocessing,
                             const Eigen::Ref<const Vector>& x) {
  long double f = network.output_bias;
  for (Index j = 0; j < network.neurons(); ++j) {
    long double z = network.hidden_bias(j);
    for (Index a = 0; a < x.size(); ++a) {
      const long double center = preprocessing.center.size() > 0 ? preprocessing.center(a) : 0.0;
      const long double scale = preprocessing.scale.size() > 0 ? preprocessing.scale(a) : 1.0;
      z += network.hidden(j, a) * ((x(a) - center) / scale);
    }
    if (z > 0) f += network.output(j) * z;
  }
  return static_cast<double>(f);
}

/// Predictions come with the class or score; what exporters are held to is the scores.
inline Matrix scores_by_hand(const Model& model, const MatrixView& raw) {
  Matrix scores(raw.rows(), static_cast<Index>(model.networks.size()));
  for (Index k = 0; k < raw.rows(); ++k) {
    for (Index c = 0; c < scores.cols(); ++c) {
      scores(k, c) =
          output_by_hand(model.networks[static_cast<std::size_t>(c)], model.preprocessing, raw.row(k).transpose());
    }
  }
  return scores;
}

}  // namespace conelu::test
