#include "prices/cone_stack.hpp"

#include <algorithm>
#include <cmath>

#include "prices/cone_kernels.hpp"

namespace conelu {
namespace {

constexpr int kMixtures = 1;  // of linearisations, at most
constexpr double kFloor = 1;  // of the mean weight: edges without weight count a little
constexpr double kSlack = 0.3;
constexpr double kLeast = 1e-9;               // of the size of the price: cones shrink in any case
constexpr double kWorthCopying = 0.8;         // share of the rows that still have both signs below which the others go
constexpr std::uint8_t kLastGeneration = 50;  // coordinates stay multiples of 2^-50: exact

/// The t in [0, 1] for which the largest (a + t (b - a))_i / length_i is smallest, nearly.
double best_mixture(const EdgeValues& a, const EdgeValues& b, const EdgeValues& lengths, Index edges) {
  const auto largest = [&](double t) {
    double most = 0;
    for (Index i = 0; i < edges; ++i) most = std::max(most, (a[i] + t * (b[i] - a[i])) / lengths[i]);
    return most;
  };
  double low = 0, high = 1;
  for (int step = 0; step < 8; ++step) {
    const double left = low + 0.4 * (high - low), right = low + 0.6 * (high - low);
    if (largest(left) <= largest(right)) {
      high = right;
    } else {
      low = left;
    }
  }
  return 0.5 * (low + high);
}

}  // namespace

ConeStack::ConeStack(const FoldedPrice& price)
    : price_(price),
      edges_(price.rank()),
      margin_(price.allowance((kLastGeneration + 14) * 4) * (kLastGeneration + 14)),
      cones_(ConeSeed::kLongestPath + 2) {
  const auto rows = static_cast<std::size_t>(std::max(price.up.rows(), price.down.rows()));
  signs_.resize(rows);
  low_.resize(rows);
  high_.resize(rows);
  mixed_up_.resize(rows);
  mixed_down_.resize(rows);
}

void ConeStack::set_orthant(const ConeSeed& seed) {
  Cone& cone = top();
  cone.seed = seed;
  cone.seed.depth = 0;
  cone.bound = seed.bound;
  const Matrix& up = seed.negative ? price_.down : price_.up;
  const Matrix& down = seed.negative ? price_.up : price_.down;
  cone.ups = up.rows();
  cone.downs = down.rows();
  cone.orthant.resize(static_cast<std::size_t>(edges_ * (cone.ups + cone.downs)));
  double* column = cone.orthant.data();
  for (Index i = 0; i < edges_; ++i) {
    const double sign = (seed.orthant >> i) & 1U ? -1.0 : 1.0;
    cone.up[i] = column;
    for (Index k = 0; k < cone.ups; ++k) *column++ = sign * up(k, i);
    cone.down[i] = column;
    for (Index k = 0; k < cone.downs; ++k) *column++ = sign * down(k, i);
    cone.values[i] =
        (seed.negative ? -sign : sign) * price_.g(i) + up.col(i).cwiseAbs().sum() - down.col(i).cwiseAbs().sum();
    cone.generation[i] = 0;
    for (Index j = 0; j < edges_; ++j) cone.gram[i][j] = cone.vectors[i][j] = i == j ? 1.0 : 0.0;
  }
  for (Index i = 0; i < edges_; ++i) {
    for (Index j = 0; j < i; ++j) {
      cone.dips[i][j] = cone.dips[j][i] = cone_kernels::dip(cone.up[i], cone.up[j], cone.ups);
    }
    cone.dips[i][i] = 0;
  }
}

void ConeStack::start(const ConeSeed& seed) {
  bottom_ = top_ = 0;
  set_orthant(seed);
  for (int step = 0; step < seed.depth; ++step) {
    Cone& cone = top();
    cone.first = seed.path[static_cast<std::size_t>(step)] >> 4;
    cone.second = seed.path[static_cast<std::size_t>(step)] & 15;
    cut(cone);
    enter(0);
  }
  bottom_ = top_;
  top().bound = seed.bound;
  top().weights.fill(1);
}

/// Values at the edges of the price with its concave part replaced by the linear function that it is around a point.
void ConeStack::linearise(const Cone& cone, const EdgeValues& weights, EdgeValues& y) {
  cone_kernels::signs_at(cone.down.data(), weights.data(), edges_, cone.downs, signs_.data());
  for (Index i = 0; i < edges_; ++i) {
    y[i] = cone.values[i] + cone_kernels::excess(cone.down[i], signs_.data(), cone.downs);
  }
}

/// Scales the weights to those of a unit vector. True if the price, with only the convex part relaxed, is above the
/// level there: then no other linearisation of the concave part gets below it. `y` is the one around that point.
bool ConeStack::is_above(Cone& cone, const EdgeValues& y, double level) {
  double value = 0, square = 0;
  for (Index i = 0; i < edges_; ++i) {
    value += cone.weights[i] * y[i];
    for (Index j = 0; j < edges_; ++j) square += cone.weights[i] * cone.gram[i][j] * cone.weights[j];
  }
  const double length = std::sqrt(square);
  for (Index i = 0; i < edges_; ++i) cone.weights[i] /= length;
  cone.slack = std::max(0.0, cone.bound - value / length);
  return value > level * length;
}

double ConeStack::bound(double level) {
  Cone& cone = top();
  EdgeValues lengths, y, other;
  // Around where the bound of the parent was reached, and a little inside.
  double mean = 0;
  for (Index i = 0; i < edges_; ++i) mean += cone.weights[i] / static_cast<double>(edges_);
  for (Index i = 0; i < edges_; ++i) {
    cone.weights[i] += mean;
    lengths[i] = 0;
    for (Index j = 0; j < edges_; ++j) lengths[i] += cone.gram[i][j];
  }
  linearise(cone, cone.weights, y);
  bool hopeless = is_above(cone, y, level);
  for (int mixed = 0; !hopeless; ++mixed) {
    cone.bound = std::min(cone.bound, cone_length_above(cone.gram, y, edges_, margin_, cone.weights));
    if (cone.bound <= level) break;
    linearise(cone, cone.weights, other);
    hopeless = is_above(cone, other, level) || mixed == kMixtures;
    const double t = best_mixture(y, other, lengths, edges_);
    for (Index i = 0; i < edges_; ++i) y[i] += t * (other[i] - y[i]);
  }
  return cone.bound;
}

/// The cut that lowers the chords of the convex part most at the point where the bound is reached. What the bound loses
/// by linearising takes short edges.
bool ConeStack::choose_edge(Cone& cone) const {
  double sum = 0, longest = 0;
  EdgeValues distances[kMostEdges];
  for (Index i = 0; i < edges_; ++i) {
    sum += cone.weights[i];
    for (Index j = 0; j < i; ++j) {
      distances[i][j] = std::max(0.0, cone.gram[i][i] + cone.gram[j][j] - 2 * cone.gram[i][j]);
      longest = std::max(longest, distances[i][j]);
    }
  }
  const double floor = kFloor * sum / static_cast<double>(edges_);
  const double slack = (kSlack * cone.slack + kLeast * price_.size) / longest;
  double best = -1;
  for (Index i = 0; i < edges_; ++i) {
    for (Index j = 0; j < i; ++j) {
      if (std::max(cone.generation[i], cone.generation[j]) >= kLastGeneration) continue;
      const double score =
          2 * (std::min(cone.weights[i], cone.weights[j]) + floor) * cone.dips[i][j] + slack * distances[i][j];
      if (score <= best) continue;
      best = score;
      cone.first = i;
      cone.second = j;
    }
  }
  return best >= 0;
}

/// Everything that the two children share.
void ConeStack::cut(Cone& cone) {
  const Index i = cone.first, j = cone.second;
  const double down_dip = cone_kernels::dip(cone.down[i], cone.down[j], cone.downs);
  cone.middle_value = 0.5 * (cone.values[i] + cone.values[j]) - cone.dips[i][j] + down_dip;
  cone.middle_generation = static_cast<std::uint8_t>(std::max(cone.generation[i], cone.generation[j]) + 1);
  for (Index a = 0; a < edges_; ++a) cone.middle[a] = 0.5 * (cone.vectors[i][a] + cone.vectors[j][a]);
  for (Index b = 0; b < edges_; ++b) cone.middle_gram[b] = 0.5 * (cone.gram[i][b] + cone.gram[j][b]);

  const Index ups =
      cone_kernels::find_mixed(cone.up.data(), edges_, cone.ups, low_.data(), high_.data(), mixed_up_.data());
  const Index downs =
      cone_kernels::find_mixed(cone.down.data(), edges_, cone.downs, low_.data(), high_.data(), mixed_down_.data());
  const bool copy = static_cast<double>(ups + downs) < kWorthCopying * static_cast<double>(cone.ups + cone.downs);
  const Index rows = copy ? ups + downs : cone.ups + cone.downs;
  const std::size_t needed = static_cast<std::size_t>(rows * (copy ? edges_ + 1 : 1));
  std::vector<double>& storage = cone.storage;
  if (storage.size() < needed) storage.resize(needed);
  double* column = storage.data();
  if (copy) {
    for (Index a = 0; a < edges_; ++a) {
      for (Index k = 0; k < ups; ++k) column[k] = cone.up[a][mixed_up_[static_cast<std::size_t>(k)]];
      cone.up[a] = column;
      column += ups;
      for (Index k = 0; k < downs; ++k) column[k] = cone.down[a][mixed_down_[static_cast<std::size_t>(k)]];
      cone.down[a] = column;
      column += downs;
    }
    cone.ups = ups;
    cone.downs = downs;
  }
  cone.middle_up = column;
  cone_kernels::average(cone.up[i], cone.up[j], cone.ups, column);
  column += cone.ups;
  cone.middle_down = column;
  cone_kernels::average(cone.down[i], cone.down[j], cone.downs, column);
  for (Index b = 0; b < edges_; ++b) cone.middle_dips[b] = cone_kernels::dip(cone.middle_up, cone.up[b], cone.ups);
}

bool ConeStack::fork() {
  Cone& cone = top();
  if (cone.seed.depth >= ConeSeed::kLongestPath || !choose_edge(cone)) return false;
  cut(cone);
  return true;
}

void ConeStack::enter(int side) {
  const Cone& parent = top();
  Cone& cone = cones_[static_cast<std::size_t>(++top_)];
  const Index replaced = side == 0 ? parent.first : parent.second;
  const Index kept = side == 0 ? parent.second : parent.first;
  cone.seed = parent.seed.child(static_cast<std::uint8_t>(16 * replaced + kept));
  cone.bound = parent.bound;
  cone.gram = parent.gram;
  cone.vectors = parent.vectors;
  cone.dips = parent.dips;
  cone.values = parent.values;
  cone.generation = parent.generation;
  cone.up = parent.up;
  cone.down = parent.down;
  cone.ups = parent.ups;
  cone.downs = parent.downs;

  double square = 0;
  for (Index b = 0; b < edges_; ++b) {
    cone.gram[replaced][b] = cone.gram[b][replaced] = parent.middle_gram[b];
    cone.dips[replaced][b] = cone.dips[b][replaced] = parent.middle_dips[b];
    square += parent.middle[b] * parent.middle[b];
  }
  cone.gram[replaced][replaced] = square;
  cone.dips[replaced][replaced] = 0;
  cone.vectors[replaced] = parent.middle;
  cone.values[replaced] = parent.middle_value;
  // The same point, or the nearest on the new facet: l_i v_i = 2 l_i (middle) - l_i v_j.
  const double moved = std::min(parent.weights[replaced], parent.weights[kept]);
  cone.weights = parent.weights;
  cone.weights[replaced] += moved;
  cone.weights[kept] -= moved;

  cone.generation[replaced] = parent.middle_generation;
  cone.up[replaced] = parent.middle_up;
  cone.down[replaced] = parent.middle_down;
}

ConeSeed ConeStack::child(int height, int side) const {
  const Cone& cone = cones_[static_cast<std::size_t>(bottom_ + height)];
  const Index replaced = side == 0 ? cone.first : cone.second;
  const Index kept = side == 0 ? cone.second : cone.first;
  ConeSeed seed = cone.seed.child(static_cast<std::uint8_t>(16 * replaced + kept));
  seed.bound = cone.bound;
  return seed;
}

Vector ConeStack::middle() const {
  const Cone& cone = cones_[static_cast<std::size_t>(top_)];
  Vector u(edges_);
  for (Index a = 0; a < edges_; ++a) u(a) = ((cone.seed.orthant >> a) & 1U ? -1.0 : 1.0) * cone.middle[a];
  return u;
}

double ConeStack::middle_price() const {
  const Cone& cone = cones_[static_cast<std::size_t>(top_)];
  double square = 0;
  for (Index a = 0; a < edges_; ++a) square += cone.middle[a] * cone.middle[a];
  return cone.middle_value / std::sqrt(square);
}

}  // namespace conelu
