#pragma once

#include "conelu/patterns.hpp"

/// The sources behind the registry, one file each.
namespace conelu {

SampledPatterns gaussian_patterns(const MatrixView& X, const PatternRequest& request);
SampledPatterns perturbed_patterns(const MatrixView& X, const PatternRequest& request);
SampledPatterns gap_patterns(const MatrixView& X, const PatternRequest& request);
SampledPatterns all_patterns(const MatrixView& X, const PatternRequest& request);
SampledPatterns patterns_from_file(const std::string& path, const MatrixView& X);

/// The patterns that a source starts with: the all-active one if it was asked for and X has it, else none. With a
/// threat it must be live, and its witness is strictly inside beyond the attacker's reach.
PatternSet initial_patterns(const MatrixView& X, const PatternRequest& request, const Threat& threat = {});

/// Throw std::invalid_argument naming the field.
void require_count(const PatternRequest& request);
void require_threat_fits(const MatrixView& X, const PatternRequest& request);

}  // namespace conelu
