#pragma once

#include "evaluate/summary/question.hpp"

namespace conelu::summary {

/// The worst that was seen of every row, over all questions about it.
class Damage {
 public:
  explicit Damage(Index rows);

  /// Rows first, first + 1, ... of the question, by what the network says about them.
  void include(const Question& question, Index first, const Vector& outputs);
  /// What was seen by others.
  void include(const Damage& other);

  /// Classification: seen misclassified.
  bool is_broken(Index row) const { return broken_[static_cast<std::size_t>(row)] != 0; }

  Vector severity;

 private:
  std::vector<char> broken_;
};

}  // namespace conelu::summary
