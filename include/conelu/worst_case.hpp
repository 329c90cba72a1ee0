#pragma once

#include "conelu/export.hpp"
#include "conelu/network.hpp"

namespace CONELU_API conelu {

/// The perturbation of every sample (n x d, rows inside the ball) that is worst for the program's own bound at U: the
/// closed form of Theorem LEMMA:INNER_MAX for any norm and loss.
///
///     margin losses    delta_k = -y_k argmax { s_k'delta }           (-eps y_k sgn(s_k) for p = infinity)
///     residual losses  delta_k = sgn(f_k - y_k) argmax { s_k'delta }
///
/// Where U satisfies the cones no attack on the recovered network does more. Under `reduced` neurons may change sides
/// within the ball, and this is a good attack, no more.
Matrix worst_perturbations(const Program& program, const MatrixView& U);

/// Certified lowest and highest output of the network on the ball around every row of X (n x 2), valid in spite of
/// rounding, for the price of a few forward passes.
///
/// With t_j the pre-activation at x, A_j = |eps o hidden_j|_q its largest change and z_j its value anywhere in the
/// ball, both choices of a gate g (e = 2 g - 1) bound a neuron from both sides (section 10 of docs/method.md):
///
///     g z_j  <=  (z_j)_+  <=  g z_j + (A_j - e t_j)_+
///
/// Neurons that push towards the bound need the left side, those that push against it the right one; the terms g z_j go
/// together into one weight vector, whose change is its dual norm. Neurons that cannot change sides are exact this way:
/// if all are, so are the bounds. For the others any gate is sound: the better of all 0 and the gates at x is improved
/// one gate after another, row by row.
///
/// Radii: one per input, or one more for the bias as an input of constant 1. Throws std::invalid_argument if X or the
/// threat do not fit the network. Rows that are not finite get infinite bounds.
Matrix output_bounds(const Network& network, const MatrixView& X, const Threat& threat);

}  // namespace conelu
