#include "conelu/train.hpp"

namespace conelu {
namespace {

/// Exact training is the better answer wherever it costs no more than a moment.
constexpr double kAffordablePatterns = 2000;
/// Flops of a step of `reduced`: about a second for a whole solve.
constexpr double kAffordableStep = 1e9;
/// Unknowns of `hybrid` whose Newton system is factored; with more of them its solves do not converge in minutes.
constexpr Index kDenseUnknowns = 4000;

}  // namespace

std::string choose_pattern_source(const MatrixView& X, const Threat& threat) {
  if (threat.active()) return "gaps";
  return pattern_count_bound(X) <= kAffordablePatterns ? "all" : "priced";
}

Method choose_method(Index samples, Index dimension, Index patterns) {
  const double unknowns = static_cast<double>(2 * patterns * (dimension + 1));
  const double step = unknowns * unknowns * (static_cast<double>(samples) + unknowns / 3);
  return step <= kAffordableStep ? Method::reduced : Method::cones;
}

Method choose_gated_method(Index dimension, Index patterns) {
  return 2 * patterns * (dimension + 1) <= kDenseUnknowns ? Method::hybrid : Method::separate;
}

double settled_beta(const TrainSettings& settings, double largest) {
  return settings.beta.value_or(settings.beta_share * (largest > 0 ? largest : 1.0));
}

const std::vector<std::string>& training_methods() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = method_names();
    all.emplace_back("auto");
    return all;
  }();
  return names;
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
