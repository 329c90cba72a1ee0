#pragma once

#include <string>

namespace conelu::baselines {

/// Share of the learning rate that is left after this share of the epochs:
///
///     cosine (1 + cos(pi t)) / 2 · linear 1 - t · step 1, 1/10 from a half, 1/100 from three quarters on · constant 1
///
/// Throws std::invalid_argument listing the known names.
double schedule_factor(const std::string& name, double progress);

}  // namespace conelu::baselines
