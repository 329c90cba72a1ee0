#include "patterns/threatened_cone.hpp"

#include <algorithm>
#include <cmath>

#include "patterns/close_rows.hpp"
#include "patterns/scaled_rows.hpp"

namespace conelu {
namespace {

constexpr double kCentredExcess = 0.2;  // share of the best excess over 1 at which a witness is good enough
constexpr double kTryBalance = 1e-2;    // sums over free columns below which setting them to 0 is worth an attempt
constexpr double kTryTight = 1e-6;      // the same by the rows that matter alone
constexpr double kStrict = 1e-12;       // share of the radii that a proof must spare to be beyond rounding
constexpr int kMaxThreatenedSteps = 100;
// Free columns have no units. They get a box that is wide against all that the perturbed ones can add up to: for one
// column more than enough; rarely, several need a wider one.
constexpr double kBox = 2;
constexpr double kWiderBox = 1e3;
constexpr double kWidestBox = 1e7;

/// Multipliers of the program moved to A'y = 0 in the given columns of its rows; empty if that fails.
std::optional<Vector> balanced_multipliers(const Eigen::Ref<const Matrix>& columns, const MarginProgram& program) {
  const Vector y = program.multipliers() / program.multipliers().sum();
  if (columns.cols() == 0) return y;
  const double imbalance = (columns.transpose() * y).lpNorm<1>();
  if (imbalance > kTryBalance) return {};
  const std::optional<Vector> balanced = gordan_multipliers(columns, y);
  if (balanced || imbalance > kTryTight) return balanced;
  const Vector tight = tight_multipliers(program);
  if ((columns.transpose() * tight).lpNorm<1>() <= kProven) return tight;
  return gordan_multipliers(columns, tight);
}

/// MarginProgram for a cone, and what its iterates say about it.
class Trial {
 public:
  Trial(const Matrix& S, const Threat& threat, double box)
      : perturbed_(threat.radii.size()),
        free_(S.cols() - perturbed_),
        reach_{threat.norm, Vector::Ones(perturbed_)},
        units_(S.cols()),
        A_(in_units(S, threat, box)),
        program_(A_, threat.norm, perturbed_) {}

  bool advance() { return program_.advance(); }
  Vector direction() const { return units_.cwiseProduct(program_.direction()); }
  Vector multipliers() const { return program_.multipliers(); }

  /// True if the direction is inside the cone, and not much worse than any other.
  bool is_centred() const {
    const auto v = program_.direction();
    const double excess = (A_ * v).minCoeff() / reach_.worst_change(v.head(perturbed_)) - threshold_;
    return excess > 0 && excess >= kCentredExcess * (program_.bound() - threshold_);
  }
  /// Multipliers that prove that there is no interior, with something to spare.
  std::optional<Vector> proof() const {
    if (!(spared(program_.multipliers()) > 0)) return {};
    const std::optional<Vector> y = balanced();
    return y && spared(*y) > kStrict ? y : std::nullopt;
  }
  std::optional<Vector> balanced() const { return balanced_multipliers(A_.rightCols(free_), program_); }
  /// True if the largest margin is 1 as far as one can tell.
  bool is_flat() const { return std::abs(program_.bound() / threshold_ - 1) < kStrict; }
  bool is_in_the_way() const { return free_ > 0 && program_.direction().tail(free_).lpNorm<Eigen::Infinity>() > 0.9; }

 private:
  Matrix in_units(const Matrix& S, const Threat& threat, double box) {
    Matrix A = S;
    A.leftCols(perturbed_) *= threat.radii.cwiseInverse().asDiagonal();
    double longest = 1;
    for (Index k = 0; k < A.rows(); ++k)
      longest = std::max(longest, reach_.size(A.row(k).head(perturbed_).transpose()));
    A.rightCols(free_) *= box * longest;
    units_ << threat.radii.cwiseInverse(), Vector::Constant(free_, box * longest);
    threshold_ = 1 / A.rowwise().norm().maxCoeff();
    return threshold_ * A;
  }
  /// 1 - |A'y / radii|_p / sum y over the perturbed columns
  double spared(const Vector& y) const {
    return 1 - reach_.size(A_.leftCols(perturbed_).transpose() * y) / (threshold_ * y.sum());
  }

  Index perturbed_, free_;
  Threat reach_;  ///< with unit radii
  Vector units_;  ///< u / v
  double threshold_ = 1;
  Matrix A_;  ///< the rows for v, times threshold_
  MarginProgram program_;
};

}  // namespace

ConeVerdict decide_threatened_cone(const Matrix& S, const Threat& threat) {
  const Index perturbed = threat.radii.size();
  const Vector norms = S.rowwise().norm();
  const auto is_inside = [&](const Vector& u) {
    const double attack = threat.worst_change(u.head(perturbed));
    const Vector doubtful = rounding_share(S.cols()) * (u.norm() * norms.array() + attack);
    return (S * u - doubtful).minCoeff() > attack;
  };
  // A proof with something to spare leaves only u that are 0 wherever somebody can perturb: the free columns decide.
  const auto proven = [&](const Vector& y) -> ConeVerdict {
    const bool thin = perturbed < S.cols() && liveness_of(S.rightCols(S.cols() - perturbed)) != Liveness::zero;
    return {thin ? Liveness::thin : Liveness::zero, {}, y};
  };

  if (const auto pair = find_close_rows(S, threat, 20 * S.rows() + S.size() * S.cols())) {
    Vector y = Vector::Zero(S.rows());
    y(pair->first) = y(pair->second) = 1;
    return proven(y);
  }
  Vector unproven;
  for (double box = kBox; box < kWidestBox; box *= kWiderBox) {
    Trial trial(S, threat, box);
    for (int step = 0; step < kMaxThreatenedSteps; ++step) {
      if (trial.is_centred() && is_inside(trial.direction())) break;
      if (const auto y = trial.proof()) return proven(*y);
      if (trial.is_flat() || !trial.advance()) break;
    }
    if (is_inside(trial.direction())) return {Liveness::live, trial.direction(), {}};
    unproven = trial.balanced().value_or(trial.multipliers());
    if (!trial.is_in_the_way()) break;
  }
  return {Liveness::thin, {}, unproven};
}

}  // namespace conelu
