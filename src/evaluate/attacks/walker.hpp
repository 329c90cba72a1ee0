#pragma once

#include "evaluate/attacks/line_search.hpp"
#include "evaluate/attacks/victims.hpp"

namespace conelu::attacks {

/// A point of one row that moves along lines through the ball, each time to the highest point of side * f on the line.
class Walker {
 public:
  Walker(const Victims& victims, Index k, double side, const VectorView& point, const VectorView& preactivations);

  const Vector& point() const { return point_; }
  const Vector& preactivations() const { return preactivations_; }
  double height() const { return height_; }

  /// Single features in turn, the others staying, until none helps.
  void move_features();
  /// Towards the corners of the 1-norm's ball in turn: on its surface no feature can move alone.
  void move_to_corners(const VectorView& center_preactivations);
  /// On the line through another point, on both sides of it.
  void move_through(const VectorView& point, const VectorView& preactivations);

 private:
  /// Within `room` radii of the center; false if it is best where it is.
  bool move_feature(Index a, double room);
  double height_at(const VectorView& preactivations) const;

  const Network& network_;
  const Ball& ball_;
  Index k_;
  double side_;
  LineSearch line_;
  Vector point_;
  Vector preactivations_;
  Vector change_;  // of the preactivations along a line
  double height_;
};

}  // namespace conelu::attacks
