#include "solvers/ipm/norm_cones.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "solvers/ipm/cone_scaling.hpp"

namespace conelu::ipm {

NormCones::NormCones(const Vector& radii, Index columns)
    : kappa_(columns),
      shifts_(columns),
      anchors_(Matrix::Zero(radii.size(), columns)),
      linear_(Matrix::Zero(radii.size(), columns)),
      columns_(columns),
      dimension_(radii.size()) {
  for (Index a = 0; a < radii.size(); ++a) {
    if (radii(a) > 0) features_.push_back(a);
  }
  radii_ = radii(features_);
}

double NormCones::squared_length(Index column, const Eigen::Ref<const Vector>& dx, double drho) const {
  Vector spring = Vector::Zero(dx.size());
  apply_hessian(column, dx, spring);
  const double offset = drho - anchors_.col(column).dot(dx);
  return kappa_(column) * offset * offset + spring.dot(dx);
}

namespace {

/// Pairs of inequalities t_a - v_a >= 0 and t_a + v_a >= 0 with weights alpha and gamma: what q = 1 and q = infinity
/// have in common.
class PairCones : public NormCones {
 public:
  PairCones(const Vector& radii, Index columns)
      : NormCones(radii, columns),
        lower_weight_(reach(), columns),
        upper_weight_(reach(), columns),
        lower_target_(reach(), columns),
        upper_target_(reach(), columns),
        sums_(reach(), columns) {}

  Index products() const override { return 2 * reach() * columns(); }

  NormPoint make_point() const override {
    const Matrix zero = Matrix::Zero(reach(), columns());
    return {Vector::Zero(columns()), zero, zero, zero, zero, Matrix(0, columns()), Matrix(0, columns()), Vector()};
  }

  void update(const NormPoint& at) override {
    lower_weight_ = at.lower_dual.cwiseQuotient(at.lower);
    upper_weight_ = at.upper_dual.cwiseQuotient(at.upper);
    sums_ = lower_weight_ + upper_weight_;
    for (Index c = 0; c < columns(); ++c) update_column(c);
  }

  void set_target(const NormPoint& at, double sigma_mu, const NormPoint* affine) override {
    lower_target_.setConstant(sigma_mu);
    upper_target_.setConstant(sigma_mu);
    if (affine != nullptr) {
      lower_target_ -= affine->lower.cwiseProduct(affine->lower_dual);
      upper_target_ -= affine->upper.cwiseProduct(affine->upper_dual);
    }
    lower_target_.array() /= at.lower.array();
    upper_target_.array() /= at.upper.array();
    for (Index c = 0; c < columns(); ++c) update_linear(c);
  }

  void correct_target(const NormPoint& at, const NormPoint& direction, Steps trial, double lower,
                      double upper) override {
    for (Index c = 0; c < columns(); ++c) {
      for (Index r = 0; r < reach(); ++r) {
        const double below = (at.lower(r, c) + trial.primal * direction.lower(r, c)) *
                             (at.lower_dual(r, c) + trial.dual * direction.lower_dual(r, c));
        const double above = (at.upper(r, c) + trial.primal * direction.upper(r, c)) *
                             (at.upper_dual(r, c) + trial.dual * direction.upper_dual(r, c));
        lower_target_(r, c) += missing_product(below, lower, upper) / at.lower(r, c);
        upper_target_(r, c) += missing_product(above, lower, upper) / at.upper(r, c);
      }
      update_linear(c);
    }
  }

  Steps longest_steps(const NormPoint& at, const NormPoint& direction) const override {
    return {
        std::min(linear_step(at.lower, direction.lower), linear_step(at.upper, direction.upper)),
        std::min(linear_step(at.lower_dual, direction.lower_dual), linear_step(at.upper_dual, direction.upper_dual))};
  }

  double product_sum(const NormPoint& at, const NormPoint* direction, Steps steps) const override {
    if (direction == nullptr) {
      return at.lower.cwiseProduct(at.lower_dual).sum() + at.upper.cwiseProduct(at.upper_dual).sum();
    }
    return (at.lower + steps.primal * direction->lower)
               .cwiseProduct(at.lower_dual + steps.dual * direction->lower_dual)
               .sum() +
           (at.upper + steps.primal * direction->upper)
               .cwiseProduct(at.upper_dual + steps.dual * direction->upper_dual)
               .sum();
  }

  void set_attack(const NormPoint& at, Index column, Eigen::Ref<Vector> delta) const override {
    delta.setZero();
    for (Index r = 0; r < reach(); ++r) {
      delta(feature(r)) = radius(r) * (at.lower_dual(r, column) - at.upper_dual(r, column));
    }
  }

 protected:
  virtual void update_column(Index column) = 0;
  virtual void update_linear(Index column) = 0;

  /// Both multipliers of a pair, and its slacks if these are not better known from the primal side: a row of large
  /// weight would multiply the rounding errors of its slack.
  void complete_pair(const NormPoint& at, Index r, Index column, double lower_dual, double upper_dual, double lower,
                     double upper, NormPoint& direction) const {
    const double alpha = lower_weight_(r, column);
    const double gamma = upper_weight_(r, column);
    direction.lower_dual(r, column) = lower_dual - at.lower_dual(r, column);
    direction.upper_dual(r, column) = upper_dual - at.upper_dual(r, column);
    direction.lower(r, column) = alpha > 1 ? (lower_target_(r, column) - lower_dual) / alpha : lower;
    direction.upper(r, column) = gamma > 1 ? (upper_target_(r, column) - upper_dual) / gamma : upper;
  }

  Matrix lower_weight_, upper_weight_, lower_target_, upper_target_;
  Matrix sums_;  // of the two weights
};

/// q = 1: rho = sum_a t_a.
class SumCones final : public PairCones {
 public:
  using PairCones::PairCones;

  void start(Index column, const Eigen::Ref<const Vector>& x, double rho, double mu, NormPoint& at) const override {
    double norm = 0;
    for (Index r = 0; r < reach(); ++r) norm += radius(r) * std::abs(x(feature(r)));
    const double room = (rho - norm) / static_cast<double>(reach());
    at.rho(column) = rho;
    for (Index r = 0; r < reach(); ++r) {
      const double v = radius(r) * x(feature(r));
      at.lower(r, column) = room + std::abs(v) - v;
      at.upper(r, column) = room + std::abs(v) + v;
      at.lower_dual(r, column) = mu / at.lower(r, column);
      at.upper_dual(r, column) = mu / at.upper(r, column);
    }
  }

  void add_hessian(Index column, Eigen::Ref<Matrix> H) const override {
    for (Index r = 0; r < reach(); ++r) H(feature(r), feature(r)) += curvature(r, column);
  }

  void apply_hessian(Index column, const Eigen::Ref<const Vector>& x, Eigen::Ref<Vector> y) const override {
    for (Index r = 0; r < reach(); ++r) y(feature(r)) += curvature(r, column) * x(feature(r));
  }

  void set_root(Index column, Eigen::Ref<Matrix> B) const override {
    B.setZero();
    for (Index r = 0; r < reach(); ++r) B(r, feature(r)) = std::sqrt(curvature(r, column));
  }

  void complete(const NormPoint& at, Index column, const Eigen::Ref<const Vector>& dx, double drho, double chi,
                const Eigen::Ref<const Vector>& spring, NormPoint& direction) const override {
    direction.rho(column) = drho;
    for (Index r = 0; r < reach(); ++r) {
      const double alpha = lower_weight_(r, column);
      const double gamma = upper_weight_(r, column);
      const double below = lower_target_(r, column);
      const double above = upper_target_(r, column);
      const double half = 0.5 * spring(feature(r)) / radius(r);
      const double dv = radius(r) * dx(feature(r));
      const double common = below + above - chi;
      // The two multipliers add up to chi and differ by (m chi + S dx - l) / eps; slacks t -+ v without going through
      // t.
      complete_pair(at, r, column, (alpha * (chi - above) + gamma * below) / sums_(r, column) + half,
                    (gamma * (chi - below) + alpha * above) / sums_(r, column) - half,
                    (common - 2 * gamma * dv) / sums_(r, column), (common + 2 * alpha * dv) / sums_(r, column),
                    direction);
    }
  }

 private:
  double curvature(Index r, Index column) const {
    return 4 * radius(r) * radius(r) * lower_weight_(r, column) * upper_weight_(r, column) / sums_(r, column);
  }

  void update_column(Index column) override {
    double compliance = 0;
    for (Index r = 0; r < reach(); ++r) {
      compliance += 1 / sums_(r, column);
      anchors_(feature(r), column) =
          radius(r) * (lower_weight_(r, column) - upper_weight_(r, column)) / sums_(r, column);
    }
    kappa_(column) = 1 / compliance;
  }

  void update_linear(Index column) override {
    double shift = 0;
    for (Index r = 0; r < reach(); ++r) {
      const double lower = lower_target_(r, column);
      const double upper = upper_target_(r, column);
      shift += (lower + upper) / sums_(r, column);
      linear_(feature(r), column) =
          2 * radius(r) * (lower_weight_(r, column) * upper - upper_weight_(r, column) * lower) / sums_(r, column);
    }
    shifts_(column) = shift;
  }
};

/// q = infinity: t_a = rho for every a.
class MaxCones final : public PairCones {
 public:
  using PairCones::PairCones;

  void start(Index column, const Eigen::Ref<const Vector>& x, double rho, double mu, NormPoint& at) const override {
    at.rho(column) = rho;
    for (Index r = 0; r < reach(); ++r) {
      const double v = radius(r) * x(feature(r));
      at.lower(r, column) = rho - v;
      at.upper(r, column) = rho + v;
      at.lower_dual(r, column) = mu / at.lower(r, column);
      at.upper_dual(r, column) = mu / at.upper(r, column);
    }
  }

  // Features have anchors M_a of weight a_a each: S = diag(curvatures) + sum_{a<b} (a_a a_b / kappa) g g' with
  // g = M_a e_a - M_b e_b. Pair by pair nothing cancels, however much one feature outweighs the others.
  void add_hessian(Index column, Eigen::Ref<Matrix> H) const override {
    for (Index r = 0; r < reach(); ++r) {
      const double own = own_anchor(r, column);
      double others = 0;
      for (Index l = 0; l < reach(); ++l) {
        if (l == r) continue;
        const double weight = pair_weight(r, l, column);
        others += weight;
        if (l > r) H(feature(l), feature(r)) -= weight * own * own_anchor(l, column);
      }
      H(feature(r), feature(r)) += curvature(r, column) + others * own * own;
    }
  }

  void apply_hessian(Index column, const Eigen::Ref<const Vector>& x, Eigen::Ref<Vector> y) const override {
    for (Index r = 0; r < reach(); ++r) {
      const double own = own_anchor(r, column);
      double pull = 0;
      for (Index l = 0; l < reach(); ++l) {
        if (l != r) pull += pair_weight(r, l, column) * (own * x(feature(r)) - own_anchor(l, column) * x(feature(l)));
      }
      y(feature(r)) += curvature(r, column) * x(feature(r)) + own * pull;
    }
  }

  void set_root(Index column, Eigen::Ref<Matrix> B) const override {
    B.setZero();
    add_hessian(column, B);
    Eigen::LDLT<Matrix, Eigen::Lower> factor(B);
    const Vector roots = factor.vectorD().cwiseMax(0.0).cwiseSqrt();
    const Matrix permutation = factor.transpositionsP() * Matrix::Identity(B.rows(), B.cols());
    B = roots.asDiagonal() * (Matrix(factor.matrixL()).transpose() * permutation);
  }

  void complete(const NormPoint& at, Index column, const Eigen::Ref<const Vector>& dx, double drho, double chi,
                const Eigen::Ref<const Vector>& spring, NormPoint& direction) const override {
    direction.rho(column) = drho;
    for (Index r = 0; r < reach(); ++r) {
      const Index a = feature(r);
      const double dv = radius(r) * dx(a);
      // The light one of the two multipliers from its slack, the other from what they have to differ by.
      const double difference = (chi * anchors_(a, column) + spring(a) - linear_(a, column)) / radius(r);
      double lower_dual = lower_target_(r, column) - lower_weight_(r, column) * (drho - dv);
      double upper_dual = upper_target_(r, column) - upper_weight_(r, column) * (drho + dv);
      if (lower_weight_(r, column) > upper_weight_(r, column)) {
        lower_dual = upper_dual + difference;
      } else {
        upper_dual = lower_dual - difference;
      }
      complete_pair(at, r, column, lower_dual, upper_dual, drho - dv, drho + dv, direction);
    }
  }

 private:
  double pair_weight(Index r, Index l, Index column) const {
    return sums_(r, column) * (sums_(l, column) / kappa_(column));
  }
  double own_anchor(Index r, Index column) const {
    return radius(r) * (lower_weight_(r, column) - upper_weight_(r, column)) / sums_(r, column);
  }
  double curvature(Index r, Index column) const {
    return 4 * radius(r) * radius(r) * lower_weight_(r, column) * upper_weight_(r, column) / sums_(r, column);
  }

  void update_column(Index column) override {
    kappa_(column) = sums_.col(column).sum();
    for (Index r = 0; r < reach(); ++r) {
      anchors_(feature(r), column) = sums_(r, column) * own_anchor(r, column) / kappa_(column);
    }
  }

  void update_linear(Index column) override {
    const double sum = lower_target_.col(column).sum() + upper_target_.col(column).sum();
    shifts_(column) = sum / kappa_(column);
    for (Index r = 0; r < reach(); ++r) {
      linear_(feature(r), column) =
          anchors_(feature(r), column) * sum + radius(r) * (upper_target_(r, column) - lower_target_(r, column));
    }
  }
};

/// q = 2: a second-order cone each.
class EuclideanCones final : public NormCones {
 public:
  EuclideanCones(const Vector& radii, Index columns)
      : NormCones(radii, columns), scaling_(reach(), columns), small_(reach()) {}

  Index products() const override { return columns(); }

  NormPoint make_point() const override {
    const Matrix none(0, columns());
    const Matrix zero = Matrix::Zero(reach(), columns());
    return {Vector::Zero(columns()), none, none, none, none, zero, zero, Vector::Zero(columns())};
  }

  void start(Index column, const Eigen::Ref<const Vector>& x, double rho, double mu, NormPoint& at) const override {
    at.rho(column) = rho;
    for (Index r = 0; r < reach(); ++r) at.vector(r, column) = radius(r) * x(feature(r));
    // mu times minus the gradient of log(rho^2 - |v|^2) / 2
    const double norm = at.vector.col(column).norm();
    const double scale = mu / ((rho - norm) * (rho + norm));
    at.dual_rho(column) = scale * rho;
    at.dual.col(column) = -scale * at.vector.col(column);
  }

  void update(const NormPoint& at) override {
    scaling_.update(points(at));
    for (Index c = 0; c < columns(); ++c) {
      kappa_(c) = scaling_.kappa(c);
      scaling_.set_anchor(c, small_);
      for (Index r = 0; r < reach(); ++r) anchors_(feature(r), c) = radius(r) * small_(r);
    }
  }

  void add_hessian(Index column, Eigen::Ref<Matrix> H) const override {
    Matrix S = Matrix::Zero(reach(), reach());
    scaling_.add_hessian(column, S);
    for (Index r = 0; r < reach(); ++r) {
      for (Index l = r; l < reach(); ++l) H(feature(l), feature(r)) += radius(l) * S(l, r) * radius(r);
    }
  }

  void apply_hessian(Index column, const Eigen::Ref<const Vector>& x, Eigen::Ref<Vector> y) const override {
    Vector v(reach());
    for (Index r = 0; r < reach(); ++r) v(r) = radius(r) * x(feature(r));
    Vector product = Vector::Zero(reach());
    scaling_.apply_hessian(column, v, product);
    for (Index r = 0; r < reach(); ++r) y(feature(r)) += radius(r) * product(r);
  }

  void set_root(Index column, Eigen::Ref<Matrix> B) const override {
    Matrix root(reach(), reach());
    scaling_.set_root(column, root);
    B.setZero();
    for (Index r = 0; r < reach(); ++r) B.col(feature(r)).head(reach()) = radius(r) * root.col(r);
  }

  void set_target(const NormPoint& at, double sigma_mu, const NormPoint* affine) override {
    if (affine != nullptr) {
      const ConePoints direction = points(*affine);
      scaling_.set_target(sigma_mu, &direction);
    } else {
      scaling_.set_target(sigma_mu, nullptr);
    }
    update_linear(at);
  }

  void correct_target(const NormPoint& at, const NormPoint& direction, Steps trial, double lower,
                      double upper) override {
    scaling_.correct_target(points(direction), trial.primal, trial.dual, lower, upper);
    update_linear(at);
  }

  void complete(const NormPoint& at, Index column, const Eigen::Ref<const Vector>& dx, double drho, double chi,
                const Eigen::Ref<const Vector>& spring, NormPoint& direction) const override {
    direction.rho(column) = drho;
    direction.dual_rho(column) = chi - at.dual_rho(column);
    for (Index r = 0; r < reach(); ++r) {
      const Index a = feature(r);
      direction.vector(r, column) = radius(r) * dx(a);
      const double gradient = chi * anchors_(a, column) + spring(a) - linear_(a, column);
      direction.dual(r, column) = -gradient / radius(r) - at.dual(r, column);
    }
  }

  Steps longest_steps(const NormPoint& at, const NormPoint& direction) const override {
    Steps steps;
    for (Index c = 0; c < columns(); ++c) {
      steps.primal =
          std::min(steps.primal, cone_step(at.rho(c), at.vector.col(c), direction.rho(c), direction.vector.col(c)));
      steps.dual =
          std::min(steps.dual, cone_step(at.dual_rho(c), at.dual.col(c), direction.dual_rho(c), direction.dual.col(c)));
    }
    return steps;
  }

  double product_sum(const NormPoint& at, const NormPoint* direction, Steps steps) const override {
    if (direction == nullptr) return at.rho.dot(at.dual_rho) + at.vector.cwiseProduct(at.dual).sum();
    return (at.rho + steps.primal * direction->rho).dot(at.dual_rho + steps.dual * direction->dual_rho) +
           (at.vector + steps.primal * direction->vector).cwiseProduct(at.dual + steps.dual * direction->dual).sum();
  }

  void set_attack(const NormPoint& at, Index column, Eigen::Ref<Vector> delta) const override {
    delta.setZero();
    for (Index r = 0; r < reach(); ++r) delta(feature(r)) = -radius(r) * at.dual(r, column);
  }

 private:
  static ConePoints points(const NormPoint& at) { return {at.rho, at.vector, at.dual_rho, at.dual}; }

  void update_linear(const NormPoint& at) {
    for (Index c = 0; c < columns(); ++c) {
      const double first = at.dual_rho(c) + scaling_.target0(c);
      shifts_(c) = first / kappa_(c);
      const auto target = scaling_.target(c);
      for (Index r = 0; r < reach(); ++r) {
        linear_(feature(r), c) = radius(r) * (at.dual(r, c) + target(r)) + first * anchors_(feature(r), c);
      }
    }
  }

  ConeScaling scaling_;
  Vector small_;
};

}  // namespace

std::unique_ptr<NormCones> make_norm_cones(Norm norm, const Vector& radii, Index columns) {
  switch (norm) {
    case Norm::infinity:
      return std::make_unique<SumCones>(radii, columns);
    case Norm::two:
      return std::make_unique<EuclideanCones>(radii, columns);
    case Norm::one:
      break;
  }
  return std::make_unique<MaxCones>(radii, columns);
}

}  // namespace conelu::ipm
