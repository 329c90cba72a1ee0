#include "evaluate/verify/goal.hpp"

#include <cmath>

#include "program/rounding.hpp"

namespace conelu::verification {

Goal::Goal(const VerifySettings& settings, double y) {
  if (settings.task == Task::classification) {
    sides = {{y, 0}};
    threshold = 0;
    strict = y < 0;  // an output of 0 means the class +1
  } else {
    sides = {{1, -y}, {-1, y}};
    threshold = -settings.max_error;
    strict = false;
  }
}

Evaluation Goal::value(const Side& side, const Evaluation& output) const {
  const double value = side.sign * output.output + side.shift;
  const double rounded = side.shift == 0 ? 0.0 : 2 * rounding::kEpsilon * (std::abs(value) + std::abs(side.shift));
  return {value, output.error + rounded};
}

}  // namespace conelu::verification
