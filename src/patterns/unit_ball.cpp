#include "patterns/unit_ball.hpp"

#include <algorithm>
#include <cmath>

namespace conelu {
namespace {

/// Slacks w - v, w + v and 1 - sum w. With weights alpha, gamma, omega of these rows, a = alpha + gamma,
/// c = (gamma - alpha) / a and w' = w + c o v the matrix is that of
///     sum a w'^2 + sum (4 alpha gamma / a) v^2 + omega (sum w' - c'v)^2,
/// from which eliminating w' leaves diag(4 alpha gamma / a) + kappa c c' with kappa = omega / (1 + omega sum(1 / a)).
class CrossPolytope final : public UnitBall {
 public:
  using UnitBall::UnitBall;
  Index unknowns() const override { return features(); }
  Index size() const override { return 2 * features() + 1; }
  double degree() const override { return static_cast<double>(size()); }
  bool is_round() const override { return false; }
  Vector constant() const override { return Vector::Unit(size(), size() - 1); }

  Vector start(const VectorView& v) const override {
    return v.cwiseAbs().array() + 0.5 * (1 - v.lpNorm<1>()) / static_cast<double>(features());
  }
  Vector start_duals(const VectorView& delta, double room) const override {
    const double largest = delta.lpNorm<Eigen::Infinity>() + room;
    Vector z(size());
    z << 0.5 * (largest + delta.array()), 0.5 * (largest - delta.array()), largest;
    return z;
  }
  void slacks(const VectorView& v, const VectorView& w, Eigen::Ref<Vector> s) const override {
    s.head(features()) = w - v;
    s.segment(features(), features()) = w + v;
    s(size() - 1) = -w.sum();
  }
  Vector pull(const VectorView& z) const override { return z.head(features()) - z.segment(features(), features()); }
  Vector on_unknowns(const VectorView& z) const override {
    return (z.head(features()) + z.segment(features(), features())).array() - z(size() - 1);
  }

  void scale(const VectorView& s, const VectorView& z) override {
    s_ = s;
    weights_ = z.cwiseQuotient(s);
    const auto alpha = weights_.head(features());
    const auto gamma = weights_.segment(features(), features());
    sum_ = alpha + gamma;
    lean_ = (gamma - alpha).cwiseQuotient(sum_);
    stiffness_ = 4 * alpha.cwiseProduct(gamma).cwiseQuotient(sum_);
    kappa_ = 1 / (1 / weights_(size() - 1) + sum_.cwiseInverse().sum());
  }
  void add_to(Eigen::Ref<Matrix> matrix) const override {
    matrix.diagonal().head(features()) += stiffness_;
    for (Index a = 0; a < features(); ++a) {
      matrix.col(a).segment(a, features() - a) += kappa_ * lean_(a) * lean_.tail(features() - a);
    }
  }
  void condense(const VectorView& on_w, Eigen::Ref<Vector> on_v) override {
    on_w_ = on_w;
    offset_ = on_w_.cwiseQuotient(sum_).sum();
    on_v += lean_.cwiseProduct((kappa_ * offset_ - on_w_.array()).matrix());
  }
  Vector expand(const VectorView& v) const override {
    const double push = kappa_ * (lean_.dot(v) - offset_);
    return (on_w_.array() + push).matrix().cwiseQuotient(sum_) - lean_.cwiseProduct(v);
  }
  Vector weigh(const VectorView& ds) const override { return weights_.cwiseProduct(ds); }
  Vector corrected(double mu, const VectorView& ds, const VectorView& dz) const override {
    return (mu - ds.array() * dz.array()) / s_.array();
  }
  double longest_step(const VectorView& value, const VectorView& change, double limit) const override {
    for (Index i = 0; i < value.size(); ++i) {
      if (change(i) < 0) limit = std::min(limit, -value(i) / change(i));
    }
    return limit;
  }
  bool is_inside(const VectorView& value) const override { return value.minCoeff() > 0; }

 private:
  Vector s_, weights_;
  Vector sum_, lean_, stiffness_;  ///< a, c and 4 alpha gamma / a
  double kappa_ = 0, offset_ = 0;
  Vector on_w_;
};

/// Nesterov-Todd scaling with eta and p, p'Jp = 1: W = eta (p0, p1'; p1, I + p1 p1' / (1 + p0)) and
/// W^-2 = (2 Jp (Jp)' - J) / eta^2, whose part in v is (I + 2 p1 p1') / eta^2.
class EuclideanBall final : public UnitBall {
 public:
  using UnitBall::UnitBall;
  Index unknowns() const override { return 0; }
  Index size() const override { return features() + 1; }
  double degree() const override { return 1; }
  bool is_round() const override { return true; }
  Vector constant() const override { return Vector::Unit(size(), 0); }

  Vector start(const VectorView&) const override { return {}; }
  Vector start_duals(const VectorView& delta, double room) const override {
    Vector z(size());
    z << delta.norm() + room, -delta;
    return z;
  }
  void slacks(const VectorView& v, const VectorView&, Eigen::Ref<Vector> s) const override {
    s(0) = 0;
    s.tail(features()) = v;
  }
  Vector pull(const VectorView& z) const override { return -z.tail(features()); }
  Vector on_unknowns(const VectorView&) const override { return {}; }

  void scale(const VectorView& s, const VectorView& z) override {
    const double size_s = std::sqrt(determinant(s));
    const double size_z = std::sqrt(determinant(z));
    eta_ = std::sqrt(size_s / size_z);
    p_ = s / size_s;
    p_(0) += z(0) / size_z;
    p_.tail(features()) -= z.tail(features()) / size_z;
    p_ /= std::sqrt(2 * (1 + s.dot(z) / (size_s * size_z)));
    scaled_ = scaled(z);
  }
  void add_to(Eigen::Ref<Matrix> matrix) const override {
    const double unit = 1 / (eta_ * eta_);
    const auto p1 = p_.tail(features());
    matrix.diagonal().head(features()).array() += unit;
    for (Index a = 0; a < features(); ++a) {
      matrix.col(a).segment(a, features() - a) += 2 * unit * p1(a) * p1.tail(features() - a);
    }
  }
  void condense(const VectorView&, Eigen::Ref<Vector>) override {}
  Vector expand(const VectorView&) const override { return {}; }
  Vector weigh(const VectorView& ds) const override { return unscaled(unscaled(ds)); }
  Vector corrected(double mu, const VectorView& ds, const VectorView& dz) const override {
    const Index e = features();
    const Vector a = unscaled(ds);
    const Vector b = scaled(dz);
    Vector target(size());
    target << mu - a.dot(b), -a(0) * b.tail(e) - b(0) * a.tail(e);
    Vector quotient(size());  // of the Jordan product with the scaled point
    quotient(0) = (scaled_(0) * target(0) - scaled_.tail(e).dot(target.tail(e))) / determinant(scaled_);
    quotient.tail(e) = (target.tail(e) - quotient(0) * scaled_.tail(e)) / scaled_(0);
    return unscaled(quotient);
  }
  double longest_step(const VectorView& value, const VectorView& change, double limit) const override {
    const Index e = features();
    const double size_value = std::sqrt(determinant(value));
    const Vector unit = value / size_value;
    const double along = unit(0) * change(0) - unit.tail(e).dot(change.tail(e));
    const double rest = (change.tail(e) - (along + change(0)) / (unit(0) + 1) * unit.tail(e)).norm();
    return rest > along ? std::min(limit, size_value / (rest - along)) : limit;
  }
  bool is_inside(const VectorView& value) const override { return value(0) > 0 && determinant(value) > 0; }

 private:
  double determinant(const VectorView& x) const {
    const double length = x.tail(features()).norm();
    return (x(0) - length) * (x(0) + length);
  }
  Vector scaled(const VectorView& x) const { return eta_ * apply(x, 1); }     ///< W x
  Vector unscaled(const VectorView& x) const { return apply(x, -1) / eta_; }  ///< W^-1 x
  Vector apply(const VectorView& x, double sign) const {
    const Index e = features();
    const double product = p_.tail(e).dot(x.tail(e));
    Vector result(size());
    result << p_(0) * x(0) + sign * product, x.tail(e) + (sign * x(0) + product / (1 + p_(0))) * p_.tail(e);
    return result;
  }

  Vector p_, scaled_;
  double eta_ = 1;
};

}  // namespace

std::unique_ptr<UnitBall> make_dual_ball(Norm norm, Index features) {
  if (features == 0 || norm == Norm::one) return nullptr;
  if (norm == Norm::two) return std::make_unique<EuclideanBall>(features);
  return std::make_unique<CrossPolytope>(features);
}

}  // namespace conelu
