#include "linalg/dense.hpp"
#include "linalg/random.hpp"
#include "patterns/patience.hpp"
#include "patterns/scaled_rows.hpp"
#include "patterns/sources.hpp"

namespace conelu {
namespace {

constexpr std::uint64_t kGaussianStream = 0x6761757373;  // apart from other uses of the same seed
constexpr Index kBatch = 128;

/// Directions a ~ N(0, I), drawn one after another and multiplied in batches.
class Draws {
 public:
  Draws(const MatrixView& X, std::uint64_t seed)
      : X_(X),
        norms_(X.rowwise().stableNorm()),
        random_(seed, kGaussianStream),
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
  require_count(request);
  SampledPatterns result{.patterns = initial_patterns(X, request)};
  PatternSet& patterns = result.patterns;
  Draws draws(X, request.seed);
  Patience patience;
  while (patterns.count() < request.count && !patience.is_over()) {
    ++result.draws;
    const bool is_new = draws.add_next(patterns);
    patience.count(is_new, patterns.count(), X);
  }
  result.exhausted = patience.is_over();
  return result;
}

}  // namespace conelu
