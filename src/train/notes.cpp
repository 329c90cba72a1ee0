#include "train/notes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace conelu {
namespace {

bool holds_all_inactive(const PatternSet& patterns) {
  for (Index i = 0; i < patterns.count(); ++i) {
    const auto words = patterns.words(i);
    if (std::all_of(words.begin(), words.end(), [](PatternSet::Word word) { return word == 0; })) return true;
  }
  return false;
}

std::string chosen_patterns(const MatrixView& X, const std::string& source, const PatternRequest& request,
                            Index found) {
  const char* all_active = request.all_active ? ", the all-active one among them" : "";
  if (source == "all") return fmt::format("patterns: all {} that the data have", found);
  if (request.threat.active()) {
    return fmt::format("patterns: {} from `{}`, chosen to survive the attack{}", found, source, all_active);
  }
  return fmt::format("patterns: {} from random directions{}; the data have up to {:.3g}", found, all_active,
                     pattern_count_bound(X));
}

std::string none_live(const Program& program) {
  if (!program.robust()) return "no pattern has a cone with an interior: the network is zero";
  if (program.given_patterns() == 0) return "patterns: there are none, so the result is the zero network";
  return fmt::format(
      "patterns: none of {} is live: no hyperplane {} with a margin of eps to each, so every neuron must be 0 and the "
      "result is the zero network",
      program.given_patterns(),
      program.method() == Method::cones ? "separates the samples as they do"
                                        : "has all their active samples on one side");
}

}  // namespace

void note_sampled_patterns(const TrainSettings& settings, const MatrixView& X, const std::string& source,
                           const PatternRequest& request, const SampledPatterns& sampled, Notes& notes) {
  const Index found = sampled.patterns.count();
  if (settings.patterns.empty()) notes.push_back(chosen_patterns(X, source, request, found));
  if (source == "perturbed" && !request.threat.active()) {
    notes.push_back("patterns: without eps there is nothing to perturb by; these are patterns of random directions");
  }
  if (sampled.exhausted && found < request.count) {
    notes.push_back(fmt::format("patterns: asked for {}, found {}; {} draws turned up no more", request.count, found,
                                sampled.draws));
  } else if (source == "perturbed" && found < request.count) {
    notes.push_back(
        fmt::format("patterns: asked for {}, found {} with {} directions", request.count, found, request.directions));
  }
  if (source == "gaps" && !settings.bias) {
    notes.push_back("patterns: without a bias `gaps` has no free threshold and finds few patterns, if any");
  }
}

void note_units(const TrainSettings& settings, const Threat& threat, const Preprocessing& preprocessing, Notes& notes) {
  if (settings.eps_units != EpsUnits::raw || preprocessing.scale.size() == 0 || !threat.active()) return;
  const auto radii = threat.radii.head(preprocessing.scale.size());
  notes.push_back(fmt::format("eps: the radii given are {:.4g} to {:.4g} for the standardised features",
                              radii.minCoeff(), radii.maxCoeff()));
}

void note_dropped_patterns(const Program& program, const PatternSet& patterns, Notes& notes) {
  const Index given = program.given_patterns();
  const Index live = program.blocks() / 2;
  const Index thin = program.thin_patterns();
  const Index narrow = program.narrow_patterns();
  // A neuron that is active nowhere is no loss, and most sources find its pattern.
  const Index zero = given - live - thin - narrow - (holds_all_inactive(patterns) ? 1 : 0);
  if (live == 0) notes.push_back(none_live(program));
  if (live > 0 && program.robust()) {
    notes.push_back(fmt::format("patterns: {} of {} are live under this attack", live, given));
  }
  if (live == 1 && program.robust() && program.activations().minCoeff() == 1) {
    notes.push_back(
        "patterns: the all-active one is the only one, so the network is linear; `hybrid` needs no live patterns, and "
        "a "
        "smaller eps leaves more of them");
  }
  if (thin > 0) {
    notes.push_back(fmt::format(
        "patterns: {} of {} dropped, their cones have no interior; the bound is for the program without them", thin,
        given));
  }
  if (narrow > 0) {
    notes.push_back(
        fmt::format("patterns: {} of {} dropped, their cones are too narrow to be told from rounding errors; the bound "
                    "is for the program without them (standardised features help)",
                    narrow, given));
  }
  if (zero > 0) notes.push_back(fmt::format("patterns: {} of {} dropped, their cones hold nothing but 0", zero, given));
}

}  // namespace conelu
