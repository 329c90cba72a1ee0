#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include "conelu/certificate.hpp"

namespace conelu::problems {

/// A primal-dual pair for tiny programs that owes nothing to the library's solvers.
///
/// Every norm, maximum and positive part is replaced by a smooth majorant of width eta, every kept pair by a
/// logarithmic barrier of weight eta, and the sum minimised by Newton's method with differences of gradients. The
/// derivatives of the smooth pieces are dual feasible by themselves: where the gradient is 0, they form a dual point,
/// and its gap is of the order of eta.
class SmoothedSolver {
 public:
  explicit SmoothedSolver(const Program& program) : program_(program) {
    U_.resize(program.dimension(), program.blocks());
    for (Index j = 0; j < program.blocks(); ++j) U_.col(j) = program.witnesses().col(program.pattern_of(j));
  }

  void solve(double eta_end) {
    // The smooth norms are larger than the norms: a point of the program is inside its smooth cones if it is large.
    Matrix gradient;
    while (U_.size() > 0 && !evaluate(U_, kStart, gradient)) U_ *= 2;
    for (double eta = kStart; minimise(eta) && eta > eta_end; eta = std::max(eta_end, 0.5 * eta)) {
    }
  }

  const Matrix& blocks() const { return U_; }
  const DualPoint& dual() const { return dual_; }
  /// How far it came: usually all the way.
  double eta() const { return eta_; }

 private:
  static constexpr double kStart = 0.01;

  /// Smooth |eps o u|_q with its gradient: the norm of the gradient is at most 1 in the ball's own.
  double norm(const Vector& u, double eta, Vector& gradient) const {
    const Threat& threat = program_.threat();
    gradient = Vector::Zero(u.size());
    if (!threat.active()) return 0;
    const Vector e = threat.radii.cwiseProduct(u);
    if (threat.norm == Norm::infinity) {
      const Vector size = (e.array().square() + eta * eta).sqrt();
      gradient = threat.radii.cwiseProduct(e.cwiseQuotient(size));
      return size.sum();
    }
    if (threat.norm == Norm::two) {
      const double size = std::sqrt(e.squaredNorm() + eta * eta);
      gradient = threat.radii.cwiseProduct(e) / size;
      return size;
    }
    const double largest = e.cwiseAbs().maxCoeff();
    const Vector plus = ((e.array() - largest) / eta).exp();
    const Vector minus = ((-e.array() - largest) / eta).exp();
    gradient = threat.radii.cwiseProduct(plus - minus) / (plus.sum() + minus.sum());
    return largest + eta * std::log(plus.sum() + minus.sum());
  }

  /// Smooth positive part and its slope.
  static double positive(double t, double eta, double& slope) {
    slope = 1 / (1 + std::exp(-t / eta));
    return t > 0 ? t + eta * std::log1p(std::exp(-t / eta)) : eta * std::log1p(std::exp(t / eta));
  }

  /// The gradient at U, with the dual point that its pieces are; false outside the kept pairs.
  bool evaluate(const Matrix& U, double eta, Matrix& gradient) {
    const Index n = program_.samples();
    const Index J = program_.blocks();
    const Matrix S = program_.cell_weights(U);
    const bool separate = program_.method() == Method::separate;
    const Vector f = separate ? Vector(Vector::Zero(n)) : program_.outputs(U);
    const Matrix T = program_.X() * U;
    dual_.nu = dual_.mu = Vector::Zero(n);
    dual_.lambda = Matrix::Zero(n, J);
    dual_.cell_attacks = Matrix::Zero(program_.dimension(), program_.cells());
    dual_.block_attacks = Matrix::Zero(program_.dimension(), J);

    Matrix cell_directions(program_.dimension(), program_.cells());
    Matrix block_directions(program_.dimension(), J);
    Vector rho(program_.cells());
    Vector attack(J);
    Vector direction;
    for (Index c = 0; c < program_.cells(); ++c) {
      rho(c) = separate ? 0.0 : norm(S.col(c), eta, direction);
      cell_directions.col(c) = separate ? Vector(Vector::Zero(program_.dimension())) : direction;
    }
    for (Index j = 0; j < J; ++j) {
      attack(j) = norm(U.col(j), eta, direction);
      block_directions.col(j) = direction;
    }
    const auto active = [&](Index k, Index j) { return program_.activations()(k, program_.pattern_of(j)); };
    Matrix freed = Matrix::Zero(n, 2);  // column 0: v, 1: w; `separate`: with all that open gates of the others leave
    for (Index j = 0; j < J; ++j) {
      for (Index k = 0; k < n; ++k) {
        const double sign = separate ? -1 : 2 * active(k, j) - 1;
        if (separate) freed(k, 1 - j % 2) += active(k, j) * (attack(j) - T(k, j));
        const Pair pair = program_.pair(k, j);
        const bool trivial = program_.row_norms()(k) == 0 && !program_.robust();
        if (pair == Pair::kept && !trivial) {
          const double slack = sign * T(k, j) - attack(j);
          if (!(slack > 0)) return false;
          dual_.lambda(k, j) = eta / slack;
        } else if (pair == Pair::freed) {
          freed(k, j % 2) += positive(attack(j) - sign * T(k, j), eta, dual_.lambda(k, j));
        }
      }
    }
    for (Index k = 0; k < n; ++k) {
      const Loss::Kinks kinks = program_.loss().kinks(program_.y()(k));
      const Index cell = program_.cell_of()[static_cast<std::size_t>(k)];
      std::array<double, 2> value{-INFINITY, -INFINITY};
      for (std::size_t i = 0; i < static_cast<std::size_t>(kinks.count); ++i) {
        const double slope = kinks.slope[i];
        value[i] = slope * f(k) + kinks.offset[i];
        if (slope != 0) value[i] += rho(cell) + freed(k, slope > 0 ? 0 : 1);
      }
      const double largest = std::max(value[0], value[1]);
      const double first = std::exp((value[0] - largest) / eta);
      const double second = std::exp((value[1] - largest) / eta);
      const double r = largest + eta * std::log(first + second);
      const double price = program_.loss_weights()(k) * program_.loss().cost_slope(r);
      const std::array<double, 2> share{first / (first + second), second / (first + second)};
      for (std::size_t i = 0; i < static_cast<std::size_t>(kinks.count); ++i) {
        dual_.nu(k) += price * share[i] * kinks.slope[i];
        dual_.mu(k) += price * share[i] * std::abs(kinks.slope[i]);
      }
      dual_.cell_attacks.col(cell) += dual_.mu(k) * cell_directions.col(cell);
      for (Index j = 0; j < J; ++j) {
        if (program_.pair(k, j) != Pair::freed) continue;
        dual_.lambda(k, j) *= 0.5 * (dual_.mu(k) + (j % 2 == 0 ? 1 : -1) * dual_.nu(k));
      }
    }
    gradient.resize(U.rows(), J);
    for (Index j = 0; j < J; ++j) {
      const double sigma = j % 2 == 0 ? 1 : -1;
      const Vector open = separate
                              ? Vector(0.5 * program_.activations().col(j).cwiseProduct(dual_.mu - sigma * dual_.nu))
                              : Vector(Vector::Zero(n));
      dual_.block_attacks.col(j) = (dual_.lambda.col(j) + open).sum() * block_directions.col(j);
      Vector g = dual_.block_attacks.col(j);
      g += sigma * dual_.cell_attacks * program_.cell_activations().col(program_.pattern_of(j));
      for (Index k = 0; k < n; ++k) {
        const double own = separate ? -open(k) : sigma * active(k, j) * dual_.nu(k);
        const double sign = separate ? 1 : 1 - 2 * active(k, j);
        g += (own + sign * dual_.lambda(k, j)) * program_.X().row(k).transpose();
      }
      gradient.col(j) = g + program_.beta() * U.col(j) / std::sqrt(U.col(j).squaredNorm() + eta * eta);
    }
    return true;
  }

  /// False, and nothing is changed, if rounding stops it on the way.
  bool minimise(double eta) {
    const Index N = U_.size();
    const Matrix U = U_;
    const DualPoint dual = dual_;
    Matrix gradient, other, step;
    Matrix H(N, N);
    for (int iteration = 0; iteration < 100; ++iteration) {
      if (!evaluate(U_, eta, gradient)) break;
      if (gradient.norm() < 1e-7 * program_.beta()) {
        eta_ = eta;
        return true;
      }
      for (Index i = 0; i < N; ++i) {
        const double h = 1e-4 * eta;
        Matrix V = U_;
        V.data()[i] += h;
        evaluate(V, eta, other);
        H.col(i) = ((other - gradient) / h).reshaped();
      }
      H = 0.5 * (H + H.transpose().eval());
      // Differences leave small eigenvalues with any sign.
      const Eigen::SelfAdjointEigenSolver<Matrix> eigen(H);
      const Vector curvature = eigen.eigenvalues().cwiseMax(1e-9 * (1 + eigen.eigenvalues().maxCoeff()));
      const Vector along = (eigen.eigenvectors().transpose() * gradient.reshaped()).cwiseQuotient(curvature);
      step = -(eigen.eigenvectors() * along).reshaped(U_.rows(), U_.cols());
      // Far from the solution there may be next to no curvature.
      const double longest = 1 + U_.norm();
      if (step.norm() > longest) step *= longest / step.norm();
      // Convex, so a step is short enough while the function still falls at its end, or nearly does.
      double t = 1;
      while (t > 1e-12) {
        const bool inside = evaluate(U_ + t * step, eta, other);
        if (inside && (other.cwiseProduct(step).sum() <= 0 || other.norm() < 0.9 * gradient.norm())) break;
        t *= 0.5;
      }
      U_ += t * step;
    }
    U_ = U;
    dual_ = dual;
    return false;
  }

  const Program& program_;
  Matrix U_;
  DualPoint dual_;
  double eta_ = 1;
};

}  // namespace conelu::problems
