#include "solvers/ipm/cone_scaling.hpp"

#include <algorithm>
#include <cmath>

namespace conelu::ipm {
namespace {

/// sqrt(x0^2 - |x|^2) without squaring away the small difference.
double cone_length(double x0, double norm) { return std::sqrt(std::max((x0 - norm) * (x0 + norm), 1e-300)); }

}  // namespace

ConeScaling::ConeScaling(const ScaledProblem& problem)
    : q0_(problem.blocks()),
      eta_(problem.blocks()),
      l0_(problem.blocks()),
      determinant_(problem.blocks()),
      q1_(problem.dimension(), problem.blocks()),
      l1_(problem.dimension(), problem.blocks()),
      r0_(problem.blocks()),
      g0_(problem.blocks()),
      r1_(problem.dimension(), problem.blocks()),
      g1_(problem.dimension(), problem.blocks()) {}

void ConeScaling::update(const Iterate& at) {
  for (Index j = 0; j < q0_.size(); ++j) {
    const auto u = at.U.col(j);
    const auto zeta = at.zeta.col(j);
    const double primal = cone_length(at.t(j), u.norm());
    const double dual = cone_length(1.0, zeta.norm());
    const double gamma = std::sqrt(0.5 * (1.0 + (at.t(j) + u.dot(zeta)) / (primal * dual)));
    q1_.col(j) = (u / primal - zeta / dual) / (2 * gamma);
    q0_(j) = std::sqrt(1.0 + q1_.col(j).squaredNorm());
    eta_(j) = std::sqrt(primal / dual);
    determinant_(j) = primal * dual;
    // l = W (1, zeta)
    const double q_zeta = q1_.col(j).dot(zeta);
    l0_(j) = eta_(j) * (q0_(j) + q_zeta);
    l1_.col(j) = eta_(j) * (zeta + q1_.col(j) * (1.0 + q_zeta / (1.0 + q0_(j))));
  }
}

void ConeScaling::add_hessian(Index block, Eigen::Ref<Matrix> H) const {
  const double inverse = 1.0 / (eta_(block) * eta_(block));
  const double rank_one = -2.0 * inverse / (2.0 * q0_(block) * q0_(block) - 1.0);
  const auto q = q1_.col(block);
  for (Index b = 0; b < H.cols(); ++b) {
    H.col(b).tail(H.rows() - b) += (rank_one * q(b)) * q.tail(H.rows() - b);
    H(b, b) += inverse;
  }
}

void ConeScaling::set_root(Index block, Eigen::Ref<Matrix> B) const {
  // Eigenvalues 1 / eta across q1 and 1 / (eta sqrt(2 q0^2 - 1)) along it.
  const double q0 = q0_(block);
  const auto q = q1_.col(block);
  const double along = 1.0 / std::sqrt(2.0 * q0 * q0 - 1.0);
  const double length2 = q.squaredNorm();
  const double rank_one = length2 > 0 ? (along - 1.0) / length2 : 0.0;
  for (Index b = 0; b < B.cols(); ++b) {
    B.col(b) = (rank_one * q(b) / eta_(block)) * q;
    B(b, b) += 1.0 / eta_(block);
  }
}

void ConeScaling::apply_hessian(Index block, const Eigen::Ref<const Vector>& x, Eigen::Ref<Vector> y) const {
  const double inverse = 1.0 / (eta_(block) * eta_(block));
  const double rank_one = -2.0 * inverse / (2.0 * q0_(block) * q0_(block) - 1.0);
  const auto q = q1_.col(block);
  y += inverse * x + (rank_one * q.dot(x)) * q;
}

void ConeScaling::set_target(double sigma_mu, const Iterate* affine) {
  for (Index j = 0; j < q0_.size(); ++j) {
    const auto l = l1_.col(j);
    r0_(j) = sigma_mu - l0_(j) * l0_(j) - l.squaredNorm();
    r1_.col(j) = -2.0 * l0_(j) * l;
    if (affine != nullptr) {
      const auto q = q1_.col(j);
      const auto du = affine->U.col(j);
      const auto dz = affine->zeta.col(j);
      // W^-1 (dt, du) = (a0, du / eta + a_q q) and W (0, dzeta) = (b0, eta dz + b_q q)
      const double q_du = q.dot(du);
      const double q_dz = q.dot(dz);
      const double a0 = (q0_(j) * affine->t(j) - q_du) / eta_(j);
      const double b0 = eta_(j) * q_dz;
      const double a_q = (q_du / (1.0 + q0_(j)) - affine->t(j)) / eta_(j);
      const double b_q = b0 / (1.0 + q0_(j));
      r0_(j) -= a0 * b0 + du.dot(dz) + b_q * q_du / eta_(j) + a_q * b0 + a_q * b_q * q.squaredNorm();
      r1_.col(j) -= a0 * (eta_(j) * dz + b_q * q) + b0 * (du / eta_(j) + a_q * q);
    }
    divide_target(j);
  }
}

void ConeScaling::correct_target(const Iterate& direction, double primal_step, double dual_step, double lower,
                                 double upper) {
  for (Index j = 0; j < q0_.size(); ++j) {
    const auto q = q1_.col(j);
    const auto du = direction.U.col(j);
    const auto dz = direction.zeta.col(j);
    const double q_du = q.dot(du);
    const double q_dz = q.dot(dz);
    const double a_q = primal_step * (q_du / (1.0 + q0_(j)) - direction.t(j)) / eta_(j);
    const double b_q = dual_step * eta_(j) * q_dz / (1.0 + q0_(j));
    const double a0 = l0_(j) + primal_step * (q0_(j) * direction.t(j) - q_du) / eta_(j);
    const double b0 = l0_(j) + dual_step * eta_(j) * q_dz;
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

void ConeScaling::divide_target(Index block) {
  const double q0 = q0_(block);
  const auto q = q1_.col(block);
  const auto l = l1_.col(block);
  auto g = g1_.col(block);
  const double x0 = (l0_(block) * r0_(block) - l.dot(r1_.col(block))) / determinant_(block);
  g = (r1_.col(block) - x0 * l) / l0_(block);
  const double q_x = q.dot(g);
  g0_(block) = (q0 * x0 - q_x) / eta_(block);
  g = (g + q * (q_x / (1.0 + q0) - x0)) / eta_(block);
}

void ConeScaling::add_right_side(Index block, Eigen::Ref<Vector> rhs) const {
  const double q0 = q0_(block);
  rhs += g1_.col(block) + (2.0 * q0 * g0_(block) / (2.0 * q0 * q0 - 1.0)) * q1_.col(block);
}

void ConeScaling::complete(Index block, Iterate& direction) const {
  const double q0 = q0_(block);
  const double eta2 = eta_(block) * eta_(block);
  const auto q = q1_.col(block);
  const auto du = direction.U.col(block);
  const double q_du = q.dot(du);
  // The multiplier of t_j stays 1, which determines dt.
  const double dt = (eta2 * g0_(block) + 2.0 * q0 * q_du) / (2.0 * q0 * q0 - 1.0);
  direction.t(block) = dt;
  direction.zeta.col(block) = g1_.col(block) - (du + 2.0 * (q_du - q0 * dt) * q) / eta2;
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
