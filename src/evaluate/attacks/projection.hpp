#pragma once

#include "conelu/linear_algebra.hpp"

namespace conelu::attacks {

/// z becomes the nearest point of { |z|_2 <= 1, lower <= z <= upper }, for bounds with lower <= 0 <= upper that may be
/// infinite.
///
/// The nearest point is s z, cut at the bounds. With t = s^2 its squared length, sum min(bound^2, t z^2), is concave
/// and piecewise linear in t, so that Newton's method from the left is done after a few passes.
void project_two(const VectorView& lower, const VectorView& upper, Eigen::Ref<Vector> z);

/// The same for |z|_1 <= 1: every |z_a| shrinks by the same theta, down to 0, and is cut at its bound.
void project_one(const VectorView& lower, const VectorView& upper, Eigen::Ref<Vector> z);

}  // namespace conelu::attacks
