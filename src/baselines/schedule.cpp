#include "baselines/schedule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "conelu/baseline.hpp"

namespace conelu {

const std::vector<std::string>& schedule_names() {
  static const std::vector<std::string> names = {"cosine", "linear", "step", "constant"};
  return names;
}

namespace baselines {

double schedule_factor(const std::string& name, double progress) {
  if (name == "cosine") return 0.5 * (1 + std::cos(std::numbers::pi * progress));
  if (name == "linear") return 1 - progress;
  if (name == "step") return progress < 0.5 ? 1.0 : progress < 0.75 ? 0.1 : 0.01;
  if (name == "constant") return 1;
  throw std::invalid_argument(
      fmt::format("schedule: unknown name '{}', expected one of {}", name, fmt::join(schedule_names(), ", ")));
}

}  // namespace baselines
}  // namespace conelu
