#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "evaluate/verify/radius_search.hpp"
#include "evaluate/verify/rows.hpp"

namespace conelu::verification {

std::vector<RadiusBounds> find_radii(const MatrixView& X, const ContestsOfRow& contests, const VerifySettings& settings,
                                     const RadiusQuestion& question, const VerifyProgress& progress) {
  const double tolerance = question.tolerance, largest = question.largest;
  const auto& known = question.known;
  if (!(tolerance > 0 && tolerance < 1)) {
    throw std::invalid_argument(
        fmt::format("tolerance: of the radius is {}, expected a number between 0 and 1", tolerance));
  }
  if (!(std::isfinite(largest) && largest > 0)) {
    throw std::invalid_argument(fmt::format("largest: is {}, expected a finite number > 0", largest));
  }
  if (!known.empty() && static_cast<Index>(known.size()) != X.rows()) {
    throw std::invalid_argument(
        fmt::format("known: has {} rows, expected {}, those of X, or none", known.size(), X.rows()));
  }
  std::vector<RadiusBounds> radii(static_cast<std::size_t>(X.rows()));
  RowLoop(X.rows(), settings.threads, progress).run([&](Index k, const GoOn& go_on) {
    RadiusSearch search(contests(k), X.row(k).transpose(), settings, go_on);
    if (!known.empty()) search.learn(known[static_cast<std::size_t>(k)]);
    radii[static_cast<std::size_t>(k)] = search.run(tolerance, largest);
  });
  return radii;
}

}  // namespace conelu::verification
