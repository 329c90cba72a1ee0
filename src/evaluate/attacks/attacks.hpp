#pragma once

#include "evaluate/attacks/peaks.hpp"
#include "evaluate/attacks/victims.hpp"

/// Adding an attack: a file with one such function, its declaration here and its line in attack.cpp.
namespace conelu::attacks {

void fgsm(Victims& victims);
void pgd(Victims& victims);
void strong(Victims& victims);

/// Gradient steps up sides * f from a point per row. The step starts at the whole radius; whenever it has failed a few
/// times, it is halved and the row goes back to its highest point, as in APGD (Croce and Hein 2020). Raises the peaks.
void climb(Victims& victims, const Vector& sides, const Matrix& start, Peaks& peaks);

/// Raises the peaks of sides * f without gradients: from where they are, from random extreme points of the ball and
/// from points between, single features are moved to where they do most, until none helps; then the whole point along
/// the line through the peak.
///
/// Along a line f is piecewise linear and its maximum is found exactly, kinks included. Valleys between kinks, where
/// gradients lead from wall to wall, are followed by the lines through two of their points.
void search(Victims& victims, const Vector& sides, Random& random, Peaks& peaks);

}  // namespace conelu::attacks
