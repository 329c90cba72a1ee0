#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "baselines/slice.hpp"
#include "conelu/gates.hpp"
#include "linalg/dense.hpp"
#include "linalg/random.hpp"
#include "linalg/thread_count.hpp"
#include "require.hpp"

namespace conelu {
namespace {

constexpr std::uint64_t kDescentStream = 0x67617465;  // apart from other uses of the same seed
constexpr double kRate = 0.005;                       // of what moves an output by about 1, all features together
constexpr double kFirstSize = 0.35;                   // of the pre-activations at the start
constexpr double kGrowing = 0.5;                      // share of the way on which the radii grow
constexpr Index kAskEvery = 64;

/// The certified worst case of a few samples and its slope in the blocks; samples are columns.
///
/// Of a few choices of gates each sample takes the one that bounds it best. Blocks that help its side are open where
/// they are active, at x or at the worst point of the first choice (`separate`: where their own attacks leave
/// something). Blocks that oppose it are closed, and under `hybrid` open where t = x'u is large: closed they cost
/// t + A, all of their attack A by itself; open A - t, and their attack goes into one norm with the others', where it
/// may cancel. From which t on that is cheaper depends on the others, so several are tried.
class CertifiedBatch {
 public:
  CertifiedBatch(const Loss& loss, Method method) : loss_(loss), method_(method) {}

  /// Adds the slope of sum_k c_k worst_k to `slope` (d x J).
  void add_slope(const Matrix& U, const Threat& threat, const Matrix& points, const Vector& y, const Vector& weights,
                 Matrix& slope) {
    set_products(U, threat, points, y);
    choose(products_, 1.0, best_);
    bound(U, threat, points, best_);
    if (method_ != Method::separate) {
      products_at_worst_.resize(U.cols(), points.cols());
      dense::multiply(1.0, dense::Op::transpose, U, dense::Op::none, best_.worst, 0.0, products_at_worst_);
      try_gates(U, threat, points, 0.5);
      if (method_ == Method::hybrid) try_gates(U, threat, points, 0.0);
    }

    // d worst / d margin, sample by sample; then the rows of the slope
    Vector share_sums = Vector::Zero(U.cols());
    for (Index k = 0; k < points.cols(); ++k) {
      const double push = weights(k) * std::abs(baselines::loss_slope(loss_, sides_(k) * best_.bound(k), y(k)));
      best_.gates.col(k) *= -push;
      best_.shares.col(k) *= push;
      share_sums += best_.shares.col(k).cwiseAbs();
      if (method_ == Method::separate) share_sums += best_.gates.col(k).cwiseAbs();
    }
    dense::multiply(1.0, dense::Op::none, best_.worst, dense::Op::transpose, best_.gates, 1.0, slope);
    dense::multiply(1.0, dense::Op::none, points, dense::Op::transpose, best_.shares, 1.0, slope);
    for (Index j = 0; threat.active() && j < U.cols(); ++j) {
      if (share_sums(j) > 0) slope.col(j) += share_sums(j) * threat.worst_perturbation(U.col(j));
    }
  }

 private:
  struct Choice {
    Matrix gates;   // J x batch: what an open gate's block does to the side that counts, 1 or -1; closed: 0
    Matrix shares;  // J x batch: 1 where the attacker has t + A of a pair beyond the gate, -1: A - t, 0: nothing
    Matrix worst;   // d x batch: where the attacker would go
    Vector bound;   // of side * f
  };

  static double sign_of(Index j) { return j % 2 == 0 ? 1.0 : -1.0; }
  bool opposes(Index j, Index k) const { return sign_of(j) * sides_(k) < 0; }

  void set_products(const Matrix& U, const Threat& threat, const Matrix& points, const Vector& y) {
    products_.resize(U.cols(), points.cols());
    dense::multiply(1.0, dense::Op::transpose, U, dense::Op::none, points, 0.0, products_);
    attacks_.resize(U.cols());
    for (Index j = 0; j < U.cols(); ++j) attacks_(j) = threat.active() ? threat.worst_change(U.col(j)) : 0.0;
    sides_ = y;
    if (loss_.is_margin_loss()) return;
    for (Index k = 0; k < points.cols(); ++k) {
      double f = 0;
      for (Index j = 0; j < U.cols(); ++j) f += sign_of(j) * std::max(0.0, products_(j, k));
      sides_(k) = f < y(k) ? 1.0 : -1.0;
    }
  }

  /// Helping blocks as `products` say, opposing ones open from `least` attacks on.
  void choose(const Matrix& products, double least, Choice& choice) const {
    choice.gates.resize(products.rows(), products.cols());
    choice.shares.resize(products.rows(), products.cols());
    for (Index k = 0; k < products.cols(); ++k) {
      for (Index j = 0; j < products.rows(); ++j) {
        const double t = products_(j, k);
        const double attack = attacks_(j);
        const bool against = opposes(j, k);
        const bool open = against                        ? method_ == Method::hybrid && t > 0 && t >= least * attack
                          : method_ == Method::separate ? t > attack
                                                         : products(j, k) > 0;
        choice.gates(j, k) = open ? sides_(k) * sign_of(j) : 0.0;
        const double share = open ? -1.0 : 1.0;
        choice.shares(j, k) = against && attack + share * t > 0 ? share : 0.0;
      }
    }
  }

  void bound(const Matrix& U, const Threat& threat, const Matrix& points, Choice& choice) {
    const Index count = points.cols();
    weights_.resize(points.rows(), count);
    dense::multiply(1.0, dense::Op::none, U, dense::Op::none, choice.gates, 0.0, weights_);
    choice.worst = points;
    choice.bound.resize(count);
    const bool joint = threat.active() && method_ != Method::separate;
    for (Index k = 0; k < count; ++k) {
      if (joint) choice.worst.col(k) -= threat.worst_perturbation(weights_.col(k));
      const auto shares = choice.shares.col(k);
      double taken = shares.dot(products_.col(k)) + shares.cwiseAbs().dot(attacks_);
      if (!joint) taken += choice.gates.col(k).cwiseAbs().dot(attacks_);
      choice.bound(k) = weights_.col(k).dot(choice.worst.col(k)) - taken;
    }
  }

  void try_gates(const Matrix& U, const Threat& threat, const Matrix& points, double least) {
    choose(products_at_worst_, least, other_);
    bound(U, threat, points, other_);
    for (Index k = 0; k < points.cols(); ++k) {
      if (!(other_.bound(k) > best_.bound(k))) continue;
      best_.gates.col(k) = other_.gates.col(k);
      best_.shares.col(k) = other_.shares.col(k);
      best_.worst.col(k) = other_.worst.col(k);
      best_.bound(k) = other_.bound(k);
    }
  }

  const Loss& loss_;
  Method method_;
  Matrix products_, products_at_worst_;  // J x batch
  Matrix weights_;                       // d x batch
  Vector attacks_, sides_;
  Choice best_, other_;
};

class AdamSteps {
 public:
  AdamSteps(Index rows, Index columns) : mean_(Matrix::Zero(rows, columns)), square_(mean_) {}

  /// rates: one per row
  void step(const Vector& rates, const Matrix& slope, Matrix& U) {
    constexpr double kMean = 0.9;
    constexpr double kSquare = 0.999;
    constexpr double kTiny = std::numeric_limits<double>::min();  // 0 / 0 is no step
    ++steps_;
    mean_ = kMean * mean_ + (1 - kMean) * slope;
    square_.array() = kSquare * square_.array() + (1 - kSquare) * slope.array().square();
    const double mean_share = 1 - std::pow(kMean, steps_);
    const double square_share = 1 - std::pow(kSquare, steps_);
    U.array() -=
        ((mean_.array() / mean_share) / ((square_.array() / square_share).sqrt() + kTiny)).colwise() * rates.array();
  }

 private:
  Matrix mean_, square_;
  int steps_ = 0;
};

/// Samples in an order that is drawn anew for every pass.
class Deck {
 public:
  Deck(Index n, Random& random) : random_(random), order_(static_cast<std::size_t>(n)) {
    std::iota(order_.begin(), order_.end(), Index{0});
  }

  Index draw() {
    if (next_ == 0) next_ = order_.size();
    std::swap(order_[next_ - 1], order_[static_cast<std::size_t>(random_.below(static_cast<Index>(next_)))]);
    return order_[--next_];
  }

 private:
  Random& random_;
  std::vector<Index> order_;
  std::size_t next_ = 0;
};

double output_size(const VectorView& y, const Loss& loss) {
  if (loss.is_margin_loss()) return 1;
  const double size = std::sqrt(y.squaredNorm() / static_cast<double>(y.size()));
  return size > 0 ? size : 1;
}

}  // namespace

Matrix descend(const MatrixView& X, const VectorView& y, const VectorView& loss_weights, const Loss& loss, double beta,
               const Threat& threat, Method method, const DescentSettings& settings,
               const std::function<bool()>& go_on) {
  require(settings.blocks > 0 && settings.blocks % 2 == 0, "blocks: expected an even number > 0");
  require(settings.batch > 0 && settings.steps >= 0, "batch: expected a number > 0, and steps >= 0");
  require(y.size() == X.rows() && loss_weights.size() == X.rows(), "y and weights: expected an entry per row of X");
  const Index n = X.rows();
  const Index d = X.cols();
  const Index batch = std::min(settings.batch, n);
  const ThreadCount guard(1);  // products of a batch are too small to share
  const Index steps = settings.steps > 0 ? settings.steps : std::clamp<Index>(50 * n, 4000, 160000);
  const Matrix points = X.transpose();
  const Vector sizes = (points.rowwise().squaredNorm() / static_cast<double>(n)).cwiseSqrt();
  // What one unit of a feature's weight does; a feature that is always 0 has none.
  const Vector unit =
      (sizes.array() > 0).select(output_size(y, loss) / (std::sqrt(static_cast<double>(d)) * sizes.array()), 0.0);

  Random random(settings.seed, kDescentStream);
  Vector first_sizes = kFirstSize * unit;
  for (Index a = 0; a < d; ++a) {
    if (X.col(a).maxCoeff() == X.col(a).minCoeff()) first_sizes(a) = 0;  // kinks at 0 to begin with
  }
  Matrix U(d, settings.blocks);
  for (Index j = 0; j < U.cols(); ++j) {
    for (Index a = 0; a < d; ++a) U(a, j) = first_sizes(a) * random.normal();
  }
  Deck deck(n, random);
  CertifiedBatch certified(loss, method);
  AdamSteps adam(d, settings.blocks);
  Matrix batch_points(d, batch), slope(d, settings.blocks);
  Vector batch_y(batch), batch_weights(batch);
  Threat growing = threat;
  for (Index step = 0; step < steps; ++step) {
    if (step % kAskEvery == 0 && go_on && !go_on()) break;
    const double done = static_cast<double>(step) / static_cast<double>(steps);
    if (threat.active()) growing.radii = threat.radii * std::min(1.0, done / kGrowing);
    for (Index b = 0; b < batch; ++b) {
      const Index k = deck.draw();
      batch_points.col(b) = points.col(k);
      batch_y(b) = y(k);
      batch_weights(b) = loss_weights(k) * static_cast<double>(n) / static_cast<double>(batch);
    }
    for (Index j = 0; j < U.cols(); ++j) {
      const double length = U.col(j).norm();
      slope.col(j) = length > 0 ? Vector(beta / length * U.col(j)) : Vector(Vector::Zero(d));
    }
    certified.add_slope(U, growing, batch_points, batch_y, batch_weights, slope);
    adam.step(kRate * 0.5 * (1 + std::cos(std::numbers::pi * done)) * unit, slope, U);
  }
  return U;
}

}  // namespace conelu
