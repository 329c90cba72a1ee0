#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "linalg/random.hpp"
#include "patterns/patience.hpp"
#include "patterns/scaled_rows.hpp"
#include "patterns/sources.hpp"
#include "require.hpp"

namespace conelu {
namespace {

constexpr std::uint64_t kPerturbationStream = 0x706572747572;  // apart from other uses of the same seed
constexpr Index kPerturbations = 10;                           // S, which the paper leaves open

/// Every sample moved to an extreme point of its ball: for p = inf a corner, eps o sgn(r) with r ~ N(0, I) as in the
/// paper; for p = 2 a point of the ellipsoid, eps o r / |r|; for p = 1 plus or minus one radius in one feature.
/// Features of radius 0 stay as they are. Only the change of the products with a direction is ever formed.
class Perturbation {
 public:
  explicit Perturbation(const Threat& threat) : norm_(threat.norm) {
    for (Index a = 0; a < threat.radii.size(); ++a) {
      if (threat.radii(a) > 0) features_.push_back(a);
    }
    radii_ = threat.radii(features_);
  }
  bool is_none() const { return features_.empty(); }

  /// The direction that the next perturbations are multiplied with.
  void set_direction(const VectorView& a) { reach_ = radii_.cwiseProduct(a(features_)); }

  /// delta'a for a random perturbation delta of one sample.
  double draw(Random& random) const {
    switch (norm_) {
      case Norm::infinity:
        return corner(random);
      case Norm::two:
        return point_of_ellipsoid(random);
      case Norm::one:
        break;
    }
    const double reach = reach_(random.below(reach_.size()));
    return random.next() >> 63 ? reach : -reach;
  }

 private:
  /// The signs of normal numbers are fair coins; a word holds 64 of them.
  double corner(Random& random) const {
    double sum = 0;
    std::uint64_t coins = 0;
    for (Index a = 0; a < reach_.size(); ++a, coins >>= 1) {
      if (a % 64 == 0) coins = random.next();
      sum += coins & 1 ? reach_(a) : -reach_(a);
    }
    return sum;
  }
  double point_of_ellipsoid(Random& random) const {
    double sum = 0;
    double square = 0;
    for (Index a = 0; a < reach_.size(); ++a) {
      const double r = random.normal();
      sum += reach_(a) * r;
      square += r * r;
    }
    return square > 0 ? sum / std::sqrt(square) : 0.0;
  }

  Norm norm_;
  std::vector<Index> features_;
  Vector radii_, reach_;
};

}  // namespace

SampledPatterns perturbed_patterns(const MatrixView& X, const PatternRequest& request) {
  require_count(request);
  require_threat_fits(X, request);
  require(request.directions >= 0, fmt::format("directions: is {}, expected a number >= 0", request.directions));
  require(request.perturbations >= 0,
          fmt::format("perturbations: is {}, expected a number >= 0", request.perturbations));
  SampledPatterns result{.patterns = initial_patterns(X, request)};
  PatternSet& patterns = result.patterns;
  Perturbation perturbation(request.threat);
  // Without a threat the perturbed patterns of a direction are all the same as its first.
  const Index tries = perturbation.is_none() ? 1 : request.perturbations > 0 ? request.perturbations : kPerturbations;
  const Vector norms = X.rowwise().stableNorm();
  Random random(request.seed, kPerturbationStream);
  Patience patience;
  Vector a(X.cols());
  while (patterns.count() < request.count && !result.exhausted) {
    if (request.directions > 0 && result.draws == request.directions) break;
    ++result.draws;
    for (double& entry : a) entry = random.normal();
    const Vector products = products_in_order(X, a);
    const double doubtful = rounding_share(a.size()) * a.norm();
    perturbation.set_direction(a);
    for (Index j = 0; j < tries && patterns.count() < request.count; ++j) {
      Vector perturbed = products;
      if (j > 0) {
        for (double& product : perturbed) product += perturbation.draw(random);
      }
      // The direction vouches for the pattern only if the perturbation changed no sign.
      bool is_interior = true;
      for (Index k = 0; k < X.rows(); ++k) {
        is_interior =
            is_interior && ((norms(k) == 0 && perturbed(k) >= 0) ||
                            (std::abs(products(k)) > doubtful * norms(k) && (products(k) >= 0) == (perturbed(k) >= 0)));
      }
      const bool is_new = patterns.add(perturbed, is_interior ? a : Vector());
      if (perturbation.is_none()) {
        patience.count(is_new, patterns.count(), X);
      } else {
        patience.count(is_new, patterns.count());
      }
    }
    result.exhausted = request.directions == 0 && patience.is_over();
  }
  return result;
}

}  // namespace conelu
