#include "evaluate/attacks/walker.hpp"

#include <algorithm>
#include <cmath>

namespace conelu::attacks {
namespace {

constexpr int kSweeps = 2;
constexpr double kShortest = 1e-6;  // of a line's direction, in radii: two points that are all but one show none

}  // namespace

Walker::Walker(const Victims& victims, Index k, double side, const VectorView& point, const VectorView& preactivations)
    : network_(victims.network),
      ball_(victims.ball),
      k_(k),
      side_(side),
      line_(victims.network),
      point_(point),
      preactivations_(preactivations),
      height_(height_at(preactivations_)) {}

void Walker::move_features() {
  // What the other features leave of the ball: |z_a|^p <= 1 - sum of the others'.
  const auto share = [&](double z) {
    return ball_.norm() == Norm::infinity ? 0.0 : ball_.norm() == Norm::two ? z * z : std::abs(z);
  };
  bool moved = true;
  for (int sweep = 0; sweep < kSweeps && moved; ++sweep) {
    moved = false;
    const Vector z = ball_.scaled(k_, point_);
    double used = 0;
    for (const double entry : z) used += share(entry);
    for (Index a = 0; a < z.size(); ++a) {
      if (ball_.radii()(a) == 0) continue;
      const double others = std::min(1.0, std::max(0.0, used - share(z(a))));
      const double room = ball_.norm() == Norm::two ? std::sqrt(1 - others) : 1 - others;
      if (!move_feature(a, room)) continue;
      used = others + share((point_(a) - ball_.centers()(a, k_)) / ball_.radii()(a));
      moved = true;
    }
  }
}

bool Walker::move_feature(Index a, double room) {
  const double center = ball_.centers()(a, k_);
  const double low = std::max(ball_.lowest(a, k_), center - room * ball_.radii()(a));
  const double high = std::min(ball_.highest(a, k_), center + room * ball_.radii()(a));
  const auto best = line_.find(side_, preactivations_, network_.hidden.col(a), std::max(0.0, point_(a) - low),
                               std::max(0.0, high - point_(a)));
  if (!(height_ + best.gain > height_)) return false;
  preactivations_ += best.step * network_.hidden.col(a);
  point_(a) = std::clamp(point_(a) + best.step, ball_.lowest(a, k_), ball_.highest(a, k_));
  height_ += best.gain;
  return true;
}

void Walker::move_to_corners(const VectorView& center_preactivations) {
  if (ball_.norm() != Norm::one) return;
  const auto center = ball_.centers().col(k_);
  bool moved = true;
  for (int sweep = 0; sweep < kSweeps && moved; ++sweep) {
    moved = false;
    for (Index a = 0; a < point_.size(); ++a) {
      for (const double sign : {1.0, -1.0}) {
        const double corner =
            std::clamp(center(a) + sign * ball_.radii()(a), ball_.lowest(a, k_), ball_.highest(a, k_));
        if (corner == center(a)) continue;
        change_ = center_preactivations + (corner - center(a)) * network_.hidden.col(a) - preactivations_;
        const auto best = line_.find(side_, preactivations_, change_, 0, 1);
        if (!(height_ + best.gain > height_)) continue;
        point_ += best.step * (center - point_);
        point_(a) += best.step * (corner - center(a));
        preactivations_ += best.step * change_;
        height_ += best.gain;
        moved = true;
      }
    }
  }
}

void Walker::move_through(const VectorView& point, const VectorView& preactivations) {
  const Vector distance = ball_.scaled(k_, point) - ball_.scaled(k_, point_);
  if (!(distance.lpNorm<Eigen::Infinity>() > kShortest)) return;
  const Vector direction = point - point_;
  change_ = preactivations - preactivations_;
  const auto best = line_.find(side_, preactivations_, change_, ball_.reach(k_, point_, -direction),
                               ball_.reach(k_, point_, direction));
  if (!(height_ + best.gain > height_)) return;
  // Not by adding up the change: a long way along a short line makes rounding errors large.
  const Vector end = point_ + best.step * direction;
  const Vector end_preactivations = network_.hidden * end + network_.hidden_bias;
  const double end_height = height_at(end_preactivations);
  if (!(end_height > height_)) return;
  point_ = end;
  preactivations_ = end_preactivations;
  height_ = end_height;
}

double Walker::height_at(const VectorView& preactivations) const {
  return side_ * (network_.output.dot(preactivations.cwiseMax(0.0)) + network_.output_bias);
}

}  // namespace conelu::attacks
