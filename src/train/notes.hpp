#pragma once

#include "conelu/train.hpp"

namespace conelu {

using Notes = std::vector<std::string>;

/// What the sources were left to choose, and what became of it.
void note_sampled_patterns(const TrainSettings& settings, const MatrixView& X, const std::string& source,
                           const PatternRequest& request, const SampledPatterns& sampled, Notes& notes);

/// Radii that the reader gave in other units than the record has them in.
void note_units(const TrainSettings& settings, const Threat& threat, const Preprocessing& preprocessing, Notes& notes);

/// Which of the patterns got a block of the program, and why the others did not.
void note_dropped_patterns(const Program& program, const PatternSet& patterns, Notes& notes);

}  // namespace conelu
