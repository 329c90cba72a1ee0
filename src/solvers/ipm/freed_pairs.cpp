#include "solvers/ipm/freed_pairs.hpp"

#include "linalg/dense.hpp"
#include "solvers/ipm/cone_scaling.hpp"

namespace conelu::ipm {
FreedPairs::FreedPairs(const ScaledProblem& problem)
    : problem_(problem),
      is_freed_(Matrix::Zero(problem.groups(), problem.blocks())),
      gates_(is_freed_),
      closed_(is_freed_),
      compliance_(is_freed_),
      over_target_(is_freed_),
      floor_target_(is_freed_),
      side_compliance_(problem.groups(), 2),
      side_offset_(problem.groups(), 2),
      scratch_(problem.groups(), problem.blocks()) {
  for (Index j = 0; j < problem.blocks(); ++j) {
    for (Index g = 0; g < problem.groups(); ++g) is_freed_(g, j) = problem.pair(g, j) == Pair::freed ? 1.0 : 0.0;
  }
}

void FreedPairs::linearize(const Iterate& at, Matrix& weights) {
  side_compliance_.setZero();
  for (Index j = 0; j < problem_.blocks(); ++j) {
    for (Index g = 0; g < problem_.groups(); ++g) {
      if (!freed(g, j)) continue;
      const double over = at.lambda(g, j) / at.s(g, j);
      const double floor = at.omega(g, j) / at.xi(g, j);
      compliance_(g, j) = 1 / (over + floor);
      gates_(g, j) = over * compliance_(g, j);
      closed_(g, j) = floor * compliance_(g, j);
      weights(g, j) = over * floor * compliance_(g, j);
      side_compliance_(g, side_of(j)) += compliance_(g, j);
    }
  }
}

void FreedPairs::put_in_series(Matrix& side_theta, Vector& across_theta) {
  loss_theta_ = side_theta;
  loss_across_ = across_theta;
  for (Index g = 0; g < problem_.groups(); ++g) {
    const Series s = series(g);
    side_theta(g, up) = (s.a + s.c_down * s.determinant) / s.sum;
    side_theta(g, down) = (s.b + s.c_up * s.determinant) / s.sum;
    across_theta(g) = s.x / s.sum;
  }
}

/// Theta = [a + x, -x; -x, b + x] and the compliances of both sides: det(I + C Theta) is `sum`.
FreedPairs::Series FreedPairs::series(Index group) const {
  Series s{loss_theta_(group, up), loss_theta_(group, down), loss_across_(group), side_compliance_(group, up),
           side_compliance_(group, down)};
  s.determinant = s.a * s.b + (s.a + s.b) * s.x;
  s.sum = 1 + s.c_up * (s.a + s.x) + s.c_down * (s.b + s.x) + s.c_up * s.c_down * s.determinant;
  return s;
}

void FreedPairs::set_target(const Iterate& at, double sigma_mu, const Iterate* affine) {
  for (Index j = 0; j < problem_.blocks(); ++j) {
    for (Index g = 0; g < problem_.groups(); ++g) {
      if (!freed(g, j)) continue;
      const double over = affine == nullptr ? 0.0 : affine->s(g, j) * affine->lambda(g, j);
      const double floor = affine == nullptr ? 0.0 : affine->xi(g, j) * affine->omega(g, j);
      over_target_(g, j) = (sigma_mu - over) / at.s(g, j);
      floor_target_(g, j) = (sigma_mu - floor) / at.xi(g, j);
    }
  }
}

void FreedPairs::correct_target(const Iterate& at, const Iterate& direction, Steps trial, double lower, double upper) {
  for (Index j = 0; j < problem_.blocks(); ++j) {
    for (Index g = 0; g < problem_.groups(); ++g) {
      if (!freed(g, j)) continue;
      const double over =
          (at.s(g, j) + trial.primal * direction.s(g, j)) * (at.lambda(g, j) + trial.dual * direction.lambda(g, j));
      const double floor =
          (at.xi(g, j) + trial.primal * direction.xi(g, j)) * (at.omega(g, j) + trial.dual * direction.omega(g, j));
      over_target_(g, j) += missing_product(over, lower, upper) / at.s(g, j);
      floor_target_(g, j) += missing_product(floor, lower, upper) / at.xi(g, j);
    }
  }
}

void FreedPairs::set_row_targets(Matrix& rows) const {
  for (Index j = 0; j < problem_.blocks(); ++j) {
    for (Index g = 0; g < problem_.groups(); ++g) {
      if (!freed(g, j)) continue;
      // (b T_over - a T_floor) / (a + b), a / (a + b) being the gate
      rows(g, j) = closed_(g, j) * over_target_(g, j) - gates_(g, j) * floor_target_(g, j);
    }
  }
}

void FreedPairs::put_targets_in_series(const Matrix& side_theta, const Vector& across_theta, Matrix& side_target) {
  Matrix& offset = side_offset_;
  offset.setZero();
  for (Index j = 0; j < problem_.blocks(); ++j) {
    for (Index g = 0; g < problem_.groups(); ++g) {
      if (freed(g, j)) {
        offset(g, side_of(j)) += (over_target_(g, j) + floor_target_(g, j)) * compliance_(g, j);
      }
    }
  }
  for (Index g = 0; g < problem_.groups(); ++g) {
    const Series s = series(g);
    const double t_up = side_target(g, up);
    const double t_down = side_target(g, down);
    const double across = across_theta(g) * (offset(g, up) - offset(g, down));
    side_target(g, up) = ((1 + (s.b + s.x) * s.c_down) * t_up + s.x * s.c_down * t_down) / s.sum +
                         side_theta(g, up) * offset(g, up) + across;
    side_target(g, down) = ((1 + (s.a + s.x) * s.c_up) * t_down + s.x * s.c_up * t_up) / s.sum +
                           side_theta(g, down) * offset(g, down) - across;
  }
}

void FreedPairs::pull(const BlockFactors& blocks, const Matrix& du, const Vector& dtau, Matrix& extra) {
  dense::multiply(1.0, dense::Op::none, problem_.X, dense::Op::none, du, 0.0, scratch_);
  extra.setZero();
  for (Index j = 0; j < problem_.blocks(); ++j) {
    const double common = blocks.centers().col(j).dot(du.col(j)) + dtau(j);
    const auto signs = problem_.signs.col(problem_.pattern_of(j)).array();
    extra.col(side_of(j)).array() += gates_.col(j).array() * (common - signs * scratch_.col(j).array());
    if (problem_.open.size() == 0) continue;
    extra.col(side_helped(j)).array() += problem_.open.col(j).array() * (common - scratch_.col(j).array());
  }
}

void FreedPairs::push(const BlockFactors& blocks, const Matrix& N, Matrix& R, Vector& R_tau) {
  for (Index j = 0; j < problem_.blocks(); ++j) {
    scratch_.col(j) = gates_.col(j).cwiseProduct(N.col(side_of(j)));
    double sum = scratch_.col(j).sum();
    scratch_.col(j).array() *= problem_.signs.col(problem_.pattern_of(j)).array();
    if (problem_.open.size() > 0) {
      const auto helped = problem_.open.col(j).cwiseProduct(N.col(side_helped(j)));
      sum += helped.sum();
      scratch_.col(j) += helped;
    }
    R.col(j) -= sum * blocks.centers().col(j);
    R_tau(j) -= sum;
  }
  dense::multiply(1.0, dense::Op::transpose, problem_.X, dense::Op::none, scratch_, 1.0, R);
}

void FreedPairs::sides_of_losses(const Matrix& N, Matrix& b) const {
  b += side_offset_ - side_compliance_.cwiseProduct(N);
}

void FreedPairs::complete(const Iterate& at, const Matrix& N, Iterate& direction) const {
  for (Index j = 0; j < problem_.blocks(); ++j) {
    for (Index g = 0; g < problem_.groups(); ++g) {
      if (!freed(g, j)) continue;
      const double dg = -direction.s(g, j);
      const double over = at.lambda(g, j) / at.s(g, j);
      const double floor = at.omega(g, j) / at.xi(g, j);
      const double free = (over_target_(g, j) + floor_target_(g, j) - N(g, side_of(j))) * compliance_(g, j);
      // The two multipliers add up to N; that of the row in the block is what the block's equation has seen.
      const double row = closed_(g, j) * over_target_(g, j) - gates_(g, j) * floor_target_(g, j);
      const double lambda = row + over * floor * compliance_(g, j) * dg + gates_(g, j) * N(g, side_of(j));
      const double omega = N(g, side_of(j)) - lambda;
      direction.lambda(g, j) = lambda - at.lambda(g, j);
      direction.omega(g, j) = omega - at.omega(g, j);
      direction.s(g, j) = over > 1 ? (over_target_(g, j) - lambda) / over : free - closed_(g, j) * dg;
      direction.xi(g, j) = floor > 1 ? (floor_target_(g, j) - omega) / floor : gates_(g, j) * dg + free;
    }
  }
}

}  // namespace conelu::ipm
