#include "evaluate/summary/verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace conelu::summary {

void Verdicts::record(Index row, Verdict verdict, const char* method) {
  Verdict& known = rows_[static_cast<std::size_t>(row)];
  if (verdict == Verdict::unknown || verdict == known) return;
  if (known != Verdict::unknown) {
    throw std::logic_error(
        fmt::format("row {}: known to be {}, but {} says {}", row, to_string(known), method, to_string(verdict)));
  }
  known = verdict;
}

Index Verdicts::unknown() const { return std::count(rows_.begin(), rows_.end(), Verdict::unknown); }

}  // namespace conelu::summary
