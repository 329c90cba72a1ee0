#pragma once

#include "conelu/linear_algebra.hpp"

namespace conelu {

/// Directions with the given patterns, found for many patterns at once: column i of the result has
/// signs_ki x_k'u_i > 0 for all rows k of length above 0, or is zero if none was found in time.
///
/// A pattern's outputs b = E X u are the points of a subspace that are positive, and the nearest points of {b >= 1} to
/// it are in it if it has any such. So project to and fro, with Nesterov's momentum:
///
///     b <- max(1, E X (X'X)^-1 X'E b)
///
/// E^2 = I: one factor of X'X serves all patterns, and a step for all of them is two products of matrices. With a feature
/// for every four to six rows random patterns take 10 to 40 steps, of 4 n d flops where one of MarginProgram takes
/// n d^2; with fewer features cones are narrow, steps get small, and it is not worth trying. Nothing is said of a
/// pattern without a direction (very narrow cones have none by rule), and whoever takes one should look at it with
/// rounding in mind.
Matrix separating_directions(const MatrixView& X, const VectorView& row_norms, const MatrixView& signs);

}  // namespace conelu
