#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "linalg/dense.hpp"
#include "linalg/random.hpp"
#include "patterns/scaled_rows.hpp"
#include "patterns/sources.hpp"

namespace conelu {
namespace {

constexpr std::uint64_t kStream = 0x6761757373;  // apart from other uses of the same seed
constexpr Index kBatch = 128;
constexpr Index kIdleBeforeCounting = 64;  // the bound on the number of patterns costs more than a few draws

/// Draws without a new pattern after which the rest is not worth waiting for: were the patterns not yet seen to cover
/// 4 / patience of all directions between them, a run that long would show one of them with probability 98 %.
Index patience(Index found) { return std::max<Index>(5000, 10 * found); }

/// Directions a ~ N(0, I), drawn one after another and multiplied in batches.
class Draws {
 public:
  Draws(const MatrixView& X, std::uint64_t seed)
      : X_(X),
        norms_(X.rowwise().stableNorm()),
        random_(seed, kStream),
        directions_(X.cols(), kBatch),
        products_(X.rows(), kBatch) {}

  /// Adds the pattern of the next direction; true if it was new.
  bool add_next(PatternSet& patterns) {
    if (next_ == kBatch) refill();
    const auto a = directions_.col(next_);
    auto products = products_.col(next_++);
    const double doubtful = rounding_share(a.size()) * a.norm();
    bool is_interior = true;
    for (Index k = 0; k < products.size(); ++k) {
      if (norms_(k) == 0 || std::abs(products(k)) > doubtful * norms_(k)) continue;
      is_interior = false;
      products(k) = dot_in_order(k);
    }
    return patterns.add(products, is_interior ? Vector(a) : Vector());
  }

 private:
  void refill() {
    for (double& entry : directions_.reshaped()) entry = random_.normal();
    dense::multiply(1.0, dense::Op::none, X_, dense::Op::none, directions_, 0.0, products_);
    next_ = 0;
  }

  /// BLAS sums in an order that depends on threads and machine; where that could decide a sign, this order does.
  double dot_in_order(Index k) const {
    double sum = 0;
    for (Index a = 0; a < X_.cols(); ++a) sum += X_(k, a) * directions_(a, next_ - 1);
    return sum;
  }

  MatrixView X_;
  Vector norms_;
  Random random_;
  Matrix directions_;
  Matrix products_;
  Index next_ = kBatch;
};

}  // namespace

SampledPatterns gaussian_patterns(const MatrixView& X, const PatternRequest& request) {
  if (request.count < 1) throw std::invalid_argument(fmt::format("count: is {}, expected at least 1", request.count));
  SampledPatterns result{.patterns = initial_patterns(X, request)};
  PatternSet& patterns = result.patterns;
  Draws draws(X, request.seed);
  double most = std::numeric_limits<double>::infinity();
  Index idle = 0;
  while (patterns.count() < request.count && !result.exhausted) {
    ++result.draws;
    idle = draws.add_next(patterns) ? 0 : idle + 1;
    if (idle == kIdleBeforeCounting) most = std::min(most, pattern_count_bound(X));
    result.exhausted = idle >= patience(patterns.count()) || static_cast<double>(patterns.count()) >= most;
  }
  return result;
}

}  // namespace conelu
