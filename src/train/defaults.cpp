#include "conelu/train.hpp"

namespace conelu {
namespace {

/// Exact training is the better answer wherever it costs no more than a moment.
constexpr double kAffordablePatterns = 2000;
/// Of the Newton system of `reduced`: about a second for some hundred samples.
constexpr Index kAffordableUnknowns = 1000;

}  // namespace

std::string choose_pattern_source(const MatrixView& X, const Threat& threat) {
  if (threat.active()) return "gaps";
  return pattern_count_bound(X) <= kAffordablePatterns ? "all" : "gaussian";
}

Method choose_method(Index dimension, Index patterns) {
  return 2 * patterns * (dimension + 1) <= kAffordableUnknowns ? Method::reduced : Method::cones;
}

PatternRequest pattern_request(const TrainSettings& settings, const Threat& threat, const VectorView& labels) {
  PatternRequest request = settings.request;
  request.threat = threat;
  request.labels = labels;
  const bool chosen_here = settings.patterns.empty();
  request.all_active = settings.all_active.value_or(chosen_here ? settings.bias : request.all_active);
  return request;
}

}  // namespace conelu
