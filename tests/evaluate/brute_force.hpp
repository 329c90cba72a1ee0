#pragma once

#include "evaluate/verify_problems.hpp"

namespace conelu::test {

/// The exact minimum of side * f over what an attacker can reach from x, for networks of any size of which at most two
/// inputs can be moved: all points where it can be are tried.
///
/// f is linear within each cell of the lines where neurons have their kinks. So a minimum is where two of these lines
/// meet: kinks, sides of the ball, limits of the features; on the round ball also where such a line leaves it, and
/// where a cell's slope touches it.
class BruteForce {
 public:
  BruteForce(const Network& network, const Vector& x, const VerifySettings& settings)
      : network_(network), x_(x), norm_(settings.threat.norm) {
    for (Index a = 0; a < x.size(); ++a) {
      const Room room = room_of(x, settings, a);
      if (room.down == 0 && room.up == 0) continue;
      moved_.push_back(a);
      radii_.push_back(settings.threat.radii(a));
      rooms_.push_back({room.down / radii_.back(), room.up / radii_.back()});
    }
  }

  std::size_t moved() const { return moved_.size(); }

  double lowest(double side) {
    side_ = side;
    best_ = side * output_at(network_, x_);
    if (moved_.size() == 1) try_line();
    if (moved_.size() == 2) try_plane();
    return best_;
  }

 private:
  struct Line {
    Eigen::Vector2d normal;  // normal'z = offset
    double offset;
  };

  void try_point(const std::vector<double>& z) {
    double size = 0;
    for (const double entry : z)
      size += norm_ == Norm::one ? std::abs(entry) : norm_ == Norm::two ? entry * entry : 0.0;
    if (!(size <= 1 + 1e-12)) return;
    Vector p = x_;
    for (std::size_t i = 0; i < z.size(); ++i) {
      if (!(z[i] >= -rooms_[i].down - 1e-12 && z[i] <= rooms_[i].up + 1e-12)) return;
      p(moved_[i]) += radii_[i] * z[i];
    }
    best_ = std::min(best_, side_ * output_at(network_, p));
  }

  double slope(Index j, std::size_t i) const { return network_.hidden(j, moved_[i]) * radii_[i]; }
  double constant(Index j) const { return network_.hidden.row(j).dot(x_) + network_.hidden_bias(j); }

  void try_line() {
    try_point({-rooms_[0].down});
    try_point({rooms_[0].up});
    for (Index j = 0; j < network_.neurons(); ++j) try_point({-constant(j) / slope(j, 0)});
  }

  void try_plane() {
    std::vector<Line> lines;
    for (Index j = 0; j < network_.neurons(); ++j) lines.push_back({{slope(j, 0), slope(j, 1)}, -constant(j)});
    for (const std::size_t i : {0, 1}) {
      lines.push_back({Eigen::Vector2d::Unit(static_cast<Index>(i)), -rooms_[i].down});
      lines.push_back({Eigen::Vector2d::Unit(static_cast<Index>(i)), rooms_[i].up});
    }
    if (norm_ == Norm::one) {
      for (const double offset : {-1.0, 1.0}) {
        lines.push_back({{1, 1}, offset});
        lines.push_back({{1, -1}, offset});
      }
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) try_crossing(lines[i], lines[j]);
      if (norm_ == Norm::two) try_ends(lines[i]);
    }
    if (norm_ == Norm::two) try_slopes();
  }

  void try_crossing(const Line& a, const Line& b) {
    const double determinant = a.normal(0) * b.normal(1) - a.normal(1) * b.normal(0);
    if (determinant == 0) return;
    try_point({(a.offset * b.normal(1) - b.offset * a.normal(1)) / determinant,
               (a.normal(0) * b.offset - b.normal(0) * a.offset) / determinant});
  }

  /// Where a line leaves the unit disc.
  void try_ends(const Line& line) {
    const double distance = line.offset / line.normal.norm();
    if (!(std::abs(distance) < 1)) return;
    const Eigen::Vector2d foot = line.normal.normalized() * distance;
    const Eigen::Vector2d along =
        Eigen::Vector2d(-line.normal(1), line.normal(0)).normalized() * std::sqrt(1 - distance * distance);
    for (const double sign : {-1.0, 1.0}) try_point({foot(0) + sign * along(0), foot(1) + sign * along(1)});
  }

  void try_slopes() {
    const Index m = network_.neurons();
    for (int gates = 0; gates < (1 << m); ++gates) {
      Eigen::Vector2d sum(0, 0);
      for (Index j = 0; j < m; ++j) {
        if ((gates >> j) & 1) sum += network_.output(j) * Eigen::Vector2d(slope(j, 0), slope(j, 1));
      }
      if (!(sum.norm() > 0)) continue;
      const Eigen::Vector2d z = -side_ * sum.normalized();
      try_point({z(0), z(1)});
    }
  }

  const Network& network_;
  Vector x_;
  Norm norm_;
  std::vector<Index> moved_;
  std::vector<double> radii_;
  std::vector<Room> rooms_;  // in units of the radii
  double side_ = 1;
  double best_ = 0;
};

}  // namespace conelu::test
