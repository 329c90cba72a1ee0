#pragma once

#include "conelu/verify.hpp"
#include "evaluate/verify/contests.hpp"
#include "evaluate/verify/row_loop.hpp"

namespace conelu::verification {

/// The contests that a row must win.
using ContestsOfRow = std::function<std::vector<Contest>(Index row)>;

/// The smallest margin over a row's contests: a row is robust if it wins all of them.
std::vector<Verification> verify_rows(const MatrixView& X, const ContestsOfRow& contests,
                                      const VerifySettings& settings, const VerifyProgress& progress);

/// As the arguments of robust_radius.
struct RadiusQuestion {
  double tolerance, largest;
  const std::vector<Verification>& known;
};

/// Throws std::invalid_argument naming the argument that does not fit.
std::vector<RadiusBounds> find_radii(const MatrixView& X, const ContestsOfRow& contests, const VerifySettings& settings,
                                     const RadiusQuestion& question, const VerifyProgress& progress);

}  // namespace conelu::verification
