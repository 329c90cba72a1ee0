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

/// Throws std::invalid_argument naming the argument that does not fit.
std::vector<RadiusBounds> find_radii(const MatrixView& X, const ContestsOfRow& contests, const VerifySettings& settings,
                                     double tolerance, double largest, const VerifyProgress& progress);

}  // namespace conelu::verification
