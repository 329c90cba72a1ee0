#pragma once

#include <optional>

#include "conelu/patterns.hpp"

/// The sources behind the registry, one file each.
namespace conelu {

SampledPatterns gaussian_patterns(const MatrixView& X, const PatternRequest& request);
SampledPatterns all_patterns(const MatrixView& X, const PatternRequest& request);
SampledPatterns patterns_from_file(const std::string& path, const MatrixView& X);

/// The patterns that a source starts with: the all-active one if it was asked for and X has it, else none.
PatternSet initial_patterns(const MatrixView& X, const PatternRequest& request);

}  // namespace conelu
