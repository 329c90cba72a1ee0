#include "patterns/sparse_directions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace conelu {
namespace {

constexpr std::uint64_t kDirectionStream = 0x67617073;  // apart from other uses of the same seed
constexpr std::size_t kFewValues = 64;
constexpr double kClear = 3;  // standard errors between two means that are no accident

/// The smallest difference between values if there are few different ones and it is not tiny, else 0.
double smallest_step(std::vector<double> values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.size() < 2 || values.size() > kFewValues) return 0;
  double step = values.back() - values.front();
  const double tiny = step / static_cast<double>(4 * kFewValues);
  for (std::size_t i = 1; i < values.size(); ++i) step = std::min(step, values[i] - values[i - 1]);
  return step < tiny ? 0 : step;
}

}  // namespace

SparseDirections::SparseDirections(const MatrixView& X, std::vector<Index> features, const Threat& threat,
                                   const VectorView& labels, std::uint64_t seed)
    : X_(X),
      features_(std::move(features)),
      spread_(count()),
      step_(count()),
      cost_(count()),
      trend_(Vector::Zero(X.cols())),
      random_(seed, kDirectionStream) {
  for (Index i = 0; i < count(); ++i) {
    const auto column = X.col(features_[static_cast<std::size_t>(i)]);
    const double deviation = (column.array() - column.mean()).matrix().stableNorm();
    spread_(i) = deviation / std::sqrt(static_cast<double>(X.rows()));
    if (!(spread_(i) > 0)) spread_(i) = column.cwiseAbs().maxCoeff() > 0 ? column.cwiseAbs().maxCoeff() : 1.0;
    const double step = smallest_step({column.begin(), column.end()});
    step_(i) = step > 0 ? step : spread_(i);
    cost_(i) = threat.active() ? threat.radii(features_[static_cast<std::size_t>(i)]) / spread_(i) : 0.0;
  }
  if (labels.size() == 0) return;
  const double mean = labels.mean();
  for (Index k = 0; k < X.rows(); ++k) (labels(k) > mean ? upper_ : lower_).push_back(k);
  if (upper_.empty() || lower_.empty()) upper_.clear(), lower_.clear();
  if (std::min(upper_.size(), lower_.size()) > 1) trend_ = clear_trends();
}

Vector SparseDirections::clear_trends() const {
  struct Mean {
    double value, squared_error;
  };
  const auto mean_of = [&](const std::vector<Index>& samples, Index a) {
    const Vector values = X_.col(a)(samples);
    const auto size = static_cast<double>(samples.size());
    const double mean = values.mean();
    return Mean{mean, (values.array() - mean).square().mean() / size};
  };
  Vector trend = Vector::Zero(X_.cols());
  for (const Index a : features_) {
    const Mean upper = mean_of(upper_, a);
    const Mean lower = mean_of(lower_, a);
    const double change = upper.value - lower.value;
    if (std::abs(change) > kClear * std::sqrt(upper.squared_error + lower.squared_error))
      trend(a) = change > 0 ? 1 : -1;
  }
  return trend;
}

bool SparseDirections::ignore_trends() {
  const bool had_any = (trend_.array() != 0).any();
  trend_.setZero();
  return had_any;
}

SparseDirection SparseDirections::next() {
  SparseDirection direction = any_way();
  for (std::size_t i = 0; i < direction.features.size(); ++i) {
    const double trend = trend_(direction.features[i]);
    if (trend != 0) direction.entries[i] = std::copysign(direction.entries[i], trend);
  }
  return direction;
}

SparseDirection SparseDirections::any_way() {
  switch (turn_++ % 6) {
    case 0:
    case 1:
      return whole_numbers();
    case 2:
      return normal_numbers(few());
    case 3:
      return difference_of_samples();
    case 4:
      return normal_numbers(any_number());
    default:
      return upper_.empty() ? normal_numbers(few()) : difference_of_means();
  }
}

SparseDirection SparseDirections::whole_numbers() {
  static constexpr std::array<double, 8> kCoefficients = {1, 1, 1, 1, 2, 2, 3, 4};
  SparseDirection direction;
  for (const Index i : choose(few())) {
    const std::uint64_t draw = random_.next() >> 60;
    const double coefficient = kCoefficients[draw >> 1] * (draw & 1 ? 1.0 : -1.0);
    direction.features.push_back(features_[static_cast<std::size_t>(i)]);
    direction.entries.push_back(coefficient / step_(i));
  }
  return direction;
}

SparseDirection SparseDirections::normal_numbers(Index size) {
  SparseDirection direction;
  for (const Index i : choose(size)) {
    direction.features.push_back(features_[static_cast<std::size_t>(i)]);
    direction.entries.push_back(random_.normal() / spread_(i));
  }
  return direction;
}

/// The features where `change` is largest in units of the attacker's reach, at random which and how many of them.
SparseDirection SparseDirections::difference(const Vector& change) {
  std::vector<Index> order = choose(std::min(count(), 4 * any_number()));
  const auto gain = [&](Index i) { return std::abs(change(i)) / (cost_(i) + 1e-3); };
  std::ranges::stable_sort(order, std::ranges::greater(), gain);
  order.resize(static_cast<std::size_t>(std::min<Index>(static_cast<Index>(order.size()), any_number())));
  SparseDirection direction;
  for (const Index i : order) {
    if (change(i) == 0) continue;
    direction.features.push_back(features_[static_cast<std::size_t>(i)]);
    direction.entries.push_back(change(i) / spread_(i));
  }
  return direction;
}

SparseDirection SparseDirections::difference_of_samples() {
  const auto any_of = [&](const std::vector<Index>& samples) {
    return samples.empty() ? random_.below(X_.rows())
                           : samples[static_cast<std::size_t>(random_.below(static_cast<Index>(samples.size())))];
  };
  const Index k = any_of(upper_);
  const Index l = any_of(lower_);
  return difference((X_.row(k) - X_.row(l))(features_).transpose().cwiseQuotient(spread_));
}

/// Between a few random samples of each class: with all of them there would be one direction only.
SparseDirection SparseDirections::difference_of_means() {
  const auto mean_of = [&](const std::vector<Index>& samples) {
    const Index size = 1 + random_.below(static_cast<Index>(samples.size()));
    Vector sum = Vector::Zero(count());
    for (Index i = 0; i < size; ++i) {
      const Index k = samples[static_cast<std::size_t>(random_.below(static_cast<Index>(samples.size())))];
      sum += X_.row(k)(features_).transpose();
    }
    return Vector(sum / static_cast<double>(size));
  };
  const Vector upper = mean_of(upper_);
  return difference((upper - mean_of(lower_)).cwiseQuotient(spread_));
}

std::vector<Index> SparseDirections::choose(Index size) {
  std::vector<Index> chosen;
  if (2 * size > count()) {  // a shuffle of all
    chosen.resize(features_.size());
    std::iota(chosen.begin(), chosen.end(), Index{0});
    for (Index i = 0; i < size; ++i) {
      std::swap(chosen[static_cast<std::size_t>(i)], chosen[static_cast<std::size_t>(i + random_.below(count() - i))]);
    }
    chosen.resize(static_cast<std::size_t>(size));
    return chosen;
  }
  while (static_cast<Index>(chosen.size()) < size) {
    const Index i = random_.below(count());
    if (std::ranges::find(chosen, i) == chosen.end()) chosen.push_back(i);
  }
  return chosen;
}

/// Small numbers more often than large ones: uniform on a logarithmic scale.
Index SparseDirections::any_number() {
  const double exponent = random_.uniform() * std::log2(static_cast<double>(count()));
  return std::clamp<Index>(static_cast<Index>(std::lround(std::exp2(exponent))), 1, count());
}

}  // namespace conelu
