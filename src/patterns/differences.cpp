#include <algorithm>

#include "conelu/patterns.hpp"
#include "require.hpp"

namespace conelu {
namespace {

PatternSet every(const PatternSet& patterns, Index stride) {
  PatternSet chosen(patterns.samples());
  for (Index i = 0; i < patterns.count(); i += stride) chosen.add_words(patterns.words(i));
  return chosen;
}

}  // namespace

PatternDifferences pattern_differences(const PatternSet& patterns, Index at_most) {
  require(at_most > 0, "at_most: expected a positive number");
  if (patterns.count() > at_most) {
    return pattern_differences(every(patterns, (patterns.count() + at_most - 1) / at_most), at_most);
  }
  PatternDifferences differences;
  differences.compared = patterns.count();
  if (patterns.count() < 2) return differences;
  const Matrix common = patterns.gram();
  differences.least = patterns.samples();
  double sum = 0;
  for (Index i = 1; i < patterns.count(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const auto difference = static_cast<Index>(common(i, i) + common(j, j) - 2 * common(i, j));
      differences.least = std::min(differences.least, difference);
      differences.most = std::max(differences.most, difference);
      sum += static_cast<double>(difference);
    }
  }
  const auto count = static_cast<double>(patterns.count());
  differences.mean = sum / (count * (count - 1) / 2);
  return differences;
}

}  // namespace conelu
