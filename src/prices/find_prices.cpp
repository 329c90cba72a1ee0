#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "conelu/prices.hpp"
#include "linalg/dense.hpp"
#include "linalg/random.hpp"
#include "linalg/thread_count.hpp"
#include "require.hpp"

namespace conelu {
namespace {

constexpr std::uint64_t kPriceStream = 0x70726963;  // apart from other uses of the same seed
constexpr Index kTile = 64;                         // starts that climb together: their products stay in a cache
constexpr Index kWorthSharing = 5000000;            // products of a step
constexpr double kLonger = 1.5;                     // of a step after one that paid
constexpr double kShorter = 0.4;                    // and after one that did not
constexpr double kShortest = 1e-7;                  // a start whose steps are shorter has arrived
/// Of the steps and of the starts: most hills can be told by their foot.
constexpr double kFirstSteps = 0.2, kSecondSteps = 0.5;
constexpr double kFirstStarts = 0.35, kSecondStarts = 0.3;

/// The rows that count, with their multipliers.
struct PricedRows {
  Matrix X;
  Vector nu;

  PricedRows(const MatrixView& all, const VectorView& multipliers) {
    std::vector<Index> rows;
    for (Index k = 0; k < all.rows(); ++k) {
      if (multipliers(k) != 0) rows.push_back(k);
    }
    X = all(rows, Eigen::all);
    nu = multipliers(rows);
  }
};

/// Some starts on their way up.
class Climbers {
 public:
  explicit Climbers(Matrix directions)
      : U_(std::move(directions)),
        tangents_(Matrix::Zero(U_.rows(), U_.cols())),
        prices_(Vector::Zero(U_.cols())),
        lengths_(Vector::Ones(U_.cols())) {}

  Index count() const { return U_.cols(); }
  const Matrix& directions() const { return U_; }
  const Vector& prices() const { return prices_; }

  /// False if `go_on` said no.
  bool climb(const PricedRows& rows, int steps, const std::function<bool()>& go_on);
  void keep(const std::vector<Index>& which) {
    U_ = Matrix(U_(Eigen::all, which));
    tangents_ = Matrix(tangents_(Eigen::all, which));
    prices_ = Vector(prices_(which));
    lengths_ = Vector(lengths_(which));
  }

 private:
  struct Workspace {
    Matrix trial, gradients, products;
  };

  bool is_climbing(Index j) const {
    return !(lengths_(j) < kShortest) &&
           tangents_.col(j).squaredNorm() * lengths_(j) * lengths_(j) > kShortest * kShortest;
  }
  void step(const PricedRows& rows, Index first, Index count, bool is_first, Workspace& work);
  void judge(Index j, bool is_first, double price, const Eigen::Ref<const Vector>& trial,
             const Eigen::Ref<const Vector>& gradient);

  Matrix U_;
  Matrix tangents_;  // the way to the top of the linear price of each one's cell
  Vector prices_;
  Vector lengths_;  // of the next step, as a share of that way
  bool started_ = false;
};

bool Climbers::climb(const PricedRows& rows, int steps, const std::function<bool()>& go_on) {
  const Index tiles = (count() + kTile - 1) / kTile;
  // Sharing out a short step costs more in waiting than it saves.
  const ThreadCount threads(rows.X.size() * count() > kWorthSharing ? 0 : 1);
  std::vector<Workspace> work(static_cast<std::size_t>(omp_get_max_threads()));
  for (int i = 0; i < steps; ++i) {
    if (go_on && !go_on()) return false;
    const bool is_first = !started_;
#pragma omp parallel for schedule(dynamic, 1)
    for (Index t = 0; t < tiles; ++t) {
      const Index first = t * kTile;
      step(rows, first, std::min(kTile, count() - first), is_first,
           work[static_cast<std::size_t>(omp_get_thread_num())]);
    }
    started_ = true;
  }
  return true;
}

/// Of a tile. Only the newest point of each start is evaluated, so a step that does not pay costs no more than one that
/// does.
void Climbers::step(const PricedRows& rows, Index first, Index count, bool is_first, Workspace& work) {
  const Index n = rows.X.rows();
  std::vector<Index> climbing;
  for (Index j = first; j < first + count; ++j) {
    if (is_first || is_climbing(j)) climbing.push_back(j);
  }
  if (climbing.empty()) return;
  const auto m = static_cast<Index>(climbing.size());
  work.trial.resize(U_.rows(), m);
  work.gradients.resize(U_.rows(), m);
  work.products.resize(n, m);
  for (Index i = 0; i < m; ++i) {
    const Index j = climbing[static_cast<std::size_t>(i)];
    work.trial.col(i) = U_.col(j) + lengths_(j) * tangents_.col(j);
    work.trial.col(i).stableNormalize();
  }
  dense::multiply(1.0, dense::Op::none, rows.X, dense::Op::none, work.trial, 0.0, work.products);
  for (Index i = 0; i < m; ++i) {
    double* product = work.products.col(i).data();
    const double* nu = rows.nu.data();
    for (Index k = 0; k < n; ++k) product[k] = product[k] > 0 ? nu[k] : 0.0;
  }
  dense::multiply(1.0, dense::Op::transpose, rows.X, dense::Op::none, work.products, 0.0, work.gradients);
  for (Index i = 0; i < m; ++i) {
    // Homogeneous: its gradient tells the value.
    const double price = work.gradients.col(i).dot(work.trial.col(i));
    judge(climbing[static_cast<std::size_t>(i)], is_first, price, work.trial.col(i), work.gradients.col(i));
  }
}

/// A start climbs on the side on which it stands.
void Climbers::judge(Index j, bool is_first, double price, const Eigen::Ref<const Vector>& trial,
                     const Eigen::Ref<const Vector>& gradient) {
  double& best = prices_(j);
  double& length = lengths_(j);
  const bool pays = is_first ? std::isfinite(price) : std::abs(price) > std::abs(best) && (price > 0) == (best > 0);
  if (!pays) {
    length *= kShorter;
    return;
  }
  best = price;
  U_.col(j) = trial;
  tangents_.col(j) = price != 0 ? Vector(gradient / price - trial) : Vector(Vector::Zero(trial.size()));
  length = is_first ? 1.0 : std::min(1.0, kLonger * length);
}

/// Half of them are directions in units of each feature's size. The others, if a column is constant, are such normals
/// of hyperplanes that lie somewhere between two random samples.
Matrix random_hyperplanes(const Matrix& X, Index count, std::uint64_t seed) {
  const Index d = X.cols();
  const Vector sizes = (X.colwise().squaredNorm() / static_cast<double>(std::max<Index>(1, X.rows()))).cwiseSqrt();
  Index constant = -1;
  for (Index a = 0; a < d; ++a) {
    if (X.rows() > 0 && X(0, a) != 0 && (X.col(a).array() == X(0, a)).all()) constant = a;
  }
  Random random(seed, kPriceStream);
  Matrix directions(d, count);
  for (Index j = 0; j < count; ++j) {
    auto u = directions.col(j);
    for (Index a = 0; a < d; ++a) {
      const double normal = random.normal();
      u(a) = sizes(a) > 0 ? normal / sizes(a) : 0.0;
    }
    if (constant >= 0 && d > 1 && j % 2 == 0) {
      u(constant) = 0;
      const double one = X.row(random.below(X.rows())).dot(u), other = X.row(random.below(X.rows())).dot(u);
      u(constant) = -(one + random.uniform() * (other - one)) / X(0, constant);
      if (random.next() % 2 == 0) u = -u;
    }
    if (!(u.stableNorm() > 0)) u = Vector::Unit(d, j % d);
    u.stableNormalize();
  }
  return directions;
}

std::vector<Index> by_falling_price(const Vector& prices) {
  std::vector<Index> order(static_cast<std::size_t>(prices.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](Index j) { return std::abs(prices(j)); });
  return order;
}

}  // namespace

Vector prices_of(const MatrixView& X, const VectorView& nu, const MatrixView& directions) {
  require(nu.size() == X.rows(), fmt::format("nu: has {} entries, expected {}, one per row of X", nu.size(), X.rows()));
  require(directions.rows() == X.cols() || directions.cols() == 0,
          fmt::format("directions: have {} entries, expected {}, one per column of X", directions.rows(), X.cols()));
  Vector prices(directions.cols());
  Matrix products(X.rows(), std::min(kTile, directions.cols()));
  for (Index first = 0; first < directions.cols(); first += kTile) {
    const Index count = std::min(kTile, directions.cols() - first);
    auto part = products.leftCols(count);
    dense::multiply(1.0, dense::Op::none, X, dense::Op::none, directions.middleCols(first, count), 0.0, part);
    prices.segment(first, count) = part.cwiseMax(0.0).transpose() * nu;
  }
  return prices;
}

Vector slopes_at_zero(const Loss& loss, const VectorView& y, const VectorView& loss_weights) {
  require(loss_weights.size() == y.size(),
          fmt::format("loss_weights: has {} entries, expected {}, one per target", loss_weights.size(), y.size()));
  Vector slopes(y.size());
  for (Index k = 0; k < y.size(); ++k) {
    const Loss::Kinks kinks = loss.kinks(y(k));
    const auto count = static_cast<std::size_t>(kinks.count);
    const double highest = *std::max_element(kinks.offset.begin(), kinks.offset.begin() + kinks.count);
    double sum = 0;
    int at_highest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (kinks.offset[i] < highest) continue;
      sum += kinks.slope[i];
      ++at_highest;
    }
    slopes(k) = loss_weights(k) * loss.cost_slope(highest) * sum / at_highest;
  }
  return slopes;
}

double beta_max(const MatrixView& X, const VectorView& y, const VectorView& loss_weights, const Loss& loss,
                std::uint64_t seed) {
  // At zero there are few hills: a scale needs no more starts than seconds allow.
  const double size = static_cast<double>(std::max<Index>(1, X.size()));
  const PriceSettings settings{std::clamp(static_cast<Index>(2e8 / size), Index{20}, Index{500}), 60, seed};
  return find_prices(X, slopes_at_zero(loss, y, loss_weights), settings).largest();
}

PricedDirections find_prices(const MatrixView& X, const VectorView& nu, const PriceSettings& settings,
                             const MatrixView& first, const std::function<bool()>& go_on) {
  require(nu.size() == X.rows(), fmt::format("nu: has {} entries, expected {}, one per row of X", nu.size(), X.rows()));
  require(X.allFinite(), "X: has an entry that is not finite");
  require(nu.allFinite(), "nu: has an entry that is not finite");
  require(first.cols() == 0 || first.rows() == X.cols(),
          fmt::format("first: has directions of {} entries, expected {}, one per column of X", first.rows(), X.cols()));
  PriceSettings::visit(settings, [](const char* name, auto value, auto lowest, auto highest) {
    require(value >= lowest && value <= highest,
            fmt::format("{}: is {}, expected a number from {} to {}", name, value, lowest, highest));
  });
  const PricedRows rows(X, nu);
  if (rows.nu.size() == 0 || X.cols() == 0) return {Matrix(X.cols(), 0), Vector(0)};
  Matrix starts(X.cols(), first.cols() + settings.starts);
  starts.rightCols(settings.starts) = random_hyperplanes(rows.X, settings.starts, settings.seed);
  if (first.cols() > 0) starts.leftCols(first.cols()) = first;
  for (Index j = 0; j < first.cols(); ++j) starts.col(j).stableNormalize();
  Climbers climbers(std::move(starts));
  const auto climb = [&](double from, double to) {
    const auto steps = [&](double share) { return static_cast<int>(std::lround(share * settings.steps)); };
    return climbers.climb(rows, std::max(1, steps(to) - steps(from)), go_on);
  };
  const auto keep = [&](double share) {
    std::vector<Index> order = by_falling_price(climbers.prices());
    order.resize(static_cast<std::size_t>(std::ceil(share * static_cast<double>(order.size()))));
    climbers.keep(order);
  };
  if (climb(0, kFirstSteps)) {
    keep(kFirstStarts);
    if (climb(kFirstSteps, kSecondSteps)) {
      keep(kSecondStarts);
      climb(kSecondSteps, 1);
    }
  }

  PricedDirections found{Matrix(X.cols(), climbers.count()), Vector(climbers.count())};
  PatternSet patterns(X.rows());
  Index count = 0;
  Vector products(X.rows());
  for (const Index j : by_falling_price(climbers.prices())) {
    dense::multiply_vector(1.0, dense::Op::none, X, climbers.directions().col(j), 0.0, products);
    if (!patterns.add(products)) continue;
    found.directions.col(count) = climbers.directions().col(j);
    found.prices(count++) = climbers.prices()(j);
  }
  found.directions.conservativeResize(Eigen::NoChange, count);
  found.prices.conservativeResize(count);
  return found;
}

}  // namespace conelu
