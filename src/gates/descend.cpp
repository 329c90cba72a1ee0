#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "conelu/gates.hpp"
#include "gates/certified_batch.hpp"
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
