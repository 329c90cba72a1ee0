#include "solvers/ipm/cone_scaling.hpp"

#include <algorithm>
#include <cmath>

namespace conelu::ipm {
namespace {

/// sqrt(x0^2 - |x|^2) without squaring away the small difference.
double cone_length(double x0, double norm) { return std::sqrt(std::max((x0 - norm) * (x0 + norm), 1e-300)); }

}  // namespace

ConeScaling::ConeScaling(Index dimension, Index count)
    : q0_(count),
      eta_(count),
      l0_(count),
      determinant_(count),
      q1_(dimension, count),
      l1_(dimension, count),
      r0_(count),
      g0_(count),
      r1_(dimension, count),
      g1_(dimension, count) {}

void ConeScaling::update(const ConePoints& at) {
  for (Index j = 0; j < q0_.size(); ++j) {
    const auto x = at.x.col(j);
    const auto z = at.z.col(j);
    const double primal = cone_length(at.x0(j), x.norm());
    const double dual = cone_length(at.z0(j), z.norm());
    const double gamma = std::sqrt(0.5 * (1.0 + (at.x0(j) * at.z0(j) + x.dot(z)) / (primal * dual)));
    q1_.col(j) = (x / primal - z / dual) / (2 * gamma);
    q0_(j) = std::sqrt(1.0 + q1_.col(j).squaredNorm());
    eta_(j) = std::sqrt(primal / dual);
    determinant_(j) = primal * dual;
    // l = W (z0, z)
    const double q_z = q1_.col(j).dot(z);
    l0_(j) = eta_(j) * (q0_(j) * at.z0(j) + q_z);
    l1_.col(j) = eta_(j) * (z + q1_.col(j) * (at.z0(j) + q_z / (1.0 + q0_(j))));
  }
}

void ConeScaling::set_anchor(Index cone, Eigen::Ref<Vector> m) const {
  m = (2.0 * q0_(cone) / (2.0 * q0_(cone) * q0_(cone) - 1.0)) * q1_.col(cone);
}

void ConeScaling::add_hessian(Index cone, Eigen::Ref<Matrix> H) const {
  const double inverse = 1.0 / (eta_(cone) * eta_(cone));
  const double rank_one = -2.0 * inverse / (2.0 * q0_(cone) * q0_(cone) - 1.0);
  const auto q = q1_.col(cone);
  for (Index b = 0; b < H.cols(); ++b) {
    H.col(b).tail(H.rows() - b) += (rank_one * q(b)) * q.tail(H.rows() - b);
    H(b, b) += inverse;
  }
}

void ConeScaling::set_root(Index cone, Eigen::Ref<Matrix> B) const {
  // Eigenvalues 1 / eta across q1 and 1 / (eta sqrt(2 q0^2 - 1)) along it.
  const double q0 = q0_(cone);
  const auto q = q1_.col(cone);
  const double along = 1.0 / std::sqrt(2.0 * q0 * q0 - 1.0);
  const double length2 = q.squaredNorm();
  const double rank_one = length2 > 0 ? (along - 1.0) / length2 : 0.0;
  for (Index b = 0; b < B.cols(); ++b) {
    B.col(b) = (rank_one * q(b) / eta_(cone)) * q;
    B(b, b) += 1.0 / eta_(cone);
  }
}

void ConeScaling::apply_hessian(Index cone, const Eigen::Ref<const Vector>& x, Eigen::Ref<Vector> y) const {
  const double inverse = 1.0 / (eta_(cone) * eta_(cone));
  const double rank_one = -2.0 * inverse / (2.0 * q0_(cone) * q0_(cone) - 1.0);
  const auto q = q1_.col(cone);
  y += inverse * x + (rank_one * q.dot(x)) * q;
}

void ConeScaling::set_target(double sigma_mu, const ConePoints* affine) {
  for (Index j = 0; j < q0_.size(); ++j) {
    const auto l = l1_.col(j);
    r0_(j) = sigma_mu - l0_(j) * l0_(j) - l.squaredNorm();
    r1_.col(j) = -2.0 * l0_(j) * l;
    if (affine != nullptr) {
      const auto q = q1_.col(j);
      const auto du = affine->x.col(j);
      const auto dz = affine->z.col(j);
      // W^-1 (dx0, du) = (a0, du / eta + a_q q) and W (dz0, dz) = (b0, eta dz + b_q q)
      const double q_du = q.dot(du);
      const double q_dz = q.dot(dz);
      const double a0 = (q0_(j) * affine->x0(j) - q_du) / eta_(j);
      const double b0 = eta_(j) * (q0_(j) * affine->z0(j) + q_dz);
      const double a_q = (q_du / (1.0 + q0_(j)) - affine->x0(j)) / eta_(j);
      const double b_q = eta_(j) * (affine->z0(j) + q_dz / (1.0 + q0_(j)));
      r0_(j) -= a0 * b0 + du.dot(dz) + b_q * q_du / eta_(j) + a_q * eta_(j) * q_dz + a_q * b_q * q.squaredNorm();
      r1_.col(j) -= a0 * (eta_(j) * dz + b_q * q) + b0 * (du / eta_(j) + a_q * q);
    }
    divide_target(j);
  }
}

void ConeScaling::correct_target(const ConePoints& direction, double primal_step, double dual_step, double lower,
                                 double upper) {
  for (Index j = 0; j < q0_.size(); ++j) {
    const auto q = q1_.col(j);
    const auto du = direction.x.col(j);
    const auto dz = direction.z.col(j);
    const double q_du = q.dot(du);
    const double q_dz = q.dot(dz);
    const double a_q = primal_step * (q_du / (1.0 + q0_(j)) - direction.x0(j)) / eta_(j);
    const double b_q = dual_step * eta_(j) * (direction.z0(j) + q_dz / (1.0 + q0_(j)));
    const double a0 = l0_(j) + primal_step * (q0_(j) * direction.x0(j) - q_du) / eta_(j);
    const double b0 = l0_(j) + dual_step * eta_(j) * (q0_(j) * direction.z0(j) + q_dz);
    const double step_a = primal_step / eta_(j);
    const double step_b = dual_step * eta_(j);
    auto v1 = g1_.col(j);  // overwritten by divide_target
    double v0 = a0 * b0;
    double size = 0;
    for (Index i = 0; i < v1.size(); ++i) {
      const double a1 = l1_(i, j) + step_a * du(i) + a_q * q(i);
      const double b1 = l1_(i, j) + step_b * dz(i) + b_q * q(i);
      v0 += a1 * b1;
      v1(i) = a0 * b1 + b0 * a1;
      size += v1(i) * v1(i);
    }
    size = std::sqrt(size);
    const double large = missing_product(v0 + size, lower, upper);
    const double small = missing_product(v0 - size, lower, upper);
    r0_(j) += 0.5 * (large + small);
    if (size > 0) r1_.col(j) += (0.5 * (large - small) / size) * v1;
    divide_target(j);
  }
}

void ConeScaling::divide_target(Index cone) {
  const double q0 = q0_(cone);
  const auto q = q1_.col(cone);
  const auto l = l1_.col(cone);
  auto g = g1_.col(cone);
  const double x0 = (l0_(cone) * r0_(cone) - l.dot(r1_.col(cone))) / determinant_(cone);
  g = (r1_.col(cone) - x0 * l) / l0_(cone);
  const double q_x = q.dot(g);
  g0_(cone) = (q0 * x0 - q_x) / eta_(cone);
  g = (g + q * (q_x / (1.0 + q0) - x0)) / eta_(cone);
}

void ConeScaling::add_right_side(Index cone, Eigen::Ref<Vector> rhs) const {
  const double q0 = q0_(cone);
  rhs += g1_.col(cone) + (2.0 * q0 * g0_(cone) / (2.0 * q0 * q0 - 1.0)) * q1_.col(cone);
}

double ConeScaling::free_step(Index cone, const Eigen::Ref<const Vector>& dx) const {
  const double q0 = q0_(cone);
  const double eta2 = eta_(cone) * eta_(cone);
  return (eta2 * g0_(cone) + 2.0 * q0 * q1_.col(cone).dot(dx)) / (2.0 * q0 * q0 - 1.0);
}

void ConeScaling::complete(Index cone, double dx0, const Eigen::Ref<const Vector>& dx, double& dz0,
                           Eigen::Ref<Vector> dz) const {
  const double q0 = q0_(cone);
  const double eta2 = eta_(cone) * eta_(cone);
  const auto q = q1_.col(cone);
  const double q_dx = q.dot(dx);
  dz0 = g0_(cone) - ((2.0 * q0 * q0 - 1.0) * dx0 - 2.0 * q0 * q_dx) / eta2;
  dz = g1_.col(cone) - (dx + 2.0 * (q_dx - q0 * dx0) * q) / eta2;
}

void set_penalty_target(double sigma_mu, const Iterate* affine, ConeScaling& cones) {
  if (affine == nullptr) {
    cones.set_target(sigma_mu, nullptr);
  } else {
    const ConePoints direction = penalty_cones(*affine);
    cones.set_target(sigma_mu, &direction);
  }
}

void complete_penalty(const ConeScaling& cones, Index block, Iterate& direction) {
  double unmoved = 0;  // the multiplier of t_j, up to rounding
  direction.t(block) = cones.free_step(block, direction.U.col(block));
  cones.complete(block, direction.t(block), direction.U.col(block), unmoved, direction.zeta.col(block));
}

double cone_step(double x0, const Eigen::Ref<const Vector>& x, double d0, const Eigen::Ref<const Vector>& d) {
  const double length = cone_length(x0, x.norm());
  const double rho0 = (x0 * d0 - x.dot(d)) / (length * length);
  const double c = (rho0 + d0 / length) / (x0 / length + 1.0);
  double rho1 = 0;
  for (Index a = 0; a < x.size(); ++a) {
    const double component = (d(a) - c * x(a)) / length;
    rho1 += component * component;
  }
  const double decrease = std::sqrt(rho1) - rho0;
  return decrease > 1.0 ? 1.0 / decrease : 1.0;
}

}  // namespace conelu::ipm
