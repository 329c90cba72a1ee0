#include "evaluate/summary/damage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "conelu/attack.hpp"

namespace conelu::summary {

Damage::Damage(Index rows)
    : severity(Vector::Constant(rows, -std::numeric_limits<double>::infinity())),
      broken_(static_cast<std::size_t>(rows), 0) {}

void Damage::include(const Question& question, Index first, const Vector& outputs) {
  const bool classifies = question.task == Task::classification;
  for (Index i = 0; i < outputs.size(); ++i) {
    const Index row = question.rows[static_cast<std::size_t>(first + i)];
    const double y = question.y(first + i);
    severity(row) = std::max(severity(row), classifies ? -y * outputs(i) : std::abs(outputs(i) - y));
    if (classifies && conelu::is_broken(outputs(i), y)) broken_[static_cast<std::size_t>(row)] = 1;
  }
}

void Damage::include(const Damage& other) {
  severity = severity.cwiseMax(other.severity);
  for (std::size_t k = 0; k < broken_.size(); ++k) broken_[k] = static_cast<char>(broken_[k] | other.broken_[k]);
}

}  // namespace conelu::summary
