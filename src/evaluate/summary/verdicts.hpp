#pragma once

#include <vector>

#include "conelu/linear_algebra.hpp"
#include "conelu/verify.hpp"

namespace conelu::summary {

/// What all methods together know of each row. Starts with nothing known; what is proven or broken once stays so.
class Verdicts {
 public:
  explicit Verdicts(Index rows) : rows_(static_cast<std::size_t>(rows), Verdict::unknown) {}

  /// Throws std::logic_error if the row is known to be the opposite: one of the two is a bug.
  void record(Index row, Verdict verdict, const char* method);

  Verdict of(Index row) const { return rows_[static_cast<std::size_t>(row)]; }
  Index unknown() const;

 private:
  std::vector<Verdict> rows_;
};

}  // namespace conelu::summary
