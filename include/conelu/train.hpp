#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conelu/interior_point.hpp"
#include "conelu/model.hpp"
#include "conelu/patterns.hpp"

namespace conelu {

/// Everything that decides what is trained. Empty strings mean "choose well and say what was chosen".
struct TrainSettings {
  std::string loss = "hinge";
  double beta = 1e-4;
  std::string patterns;  ///< source name or .npy file; empty: `all` where that is cheap, else `gaussian`
  PatternRequest request;
  std::optional<bool> all_active;  ///< empty: what `request` says; if the patterns are left to choose, yes with a bias
  bool bias = true;
  bool standardize = false;
  double prune = 0;     ///< blocks shorter than this share of the longest are dropped, if the gap allows
  bool reduce = false;  ///< to at most n + 1 neurons
  InteriorPointSettings solver;
};

struct TrainResult {
  Model model;
  Solution solution;
  std::vector<std::string> notes;  ///< choices made and things worth knowing, one sentence each
};

/// What an empty `patterns` means: `all` if the rows of X (with their bias column) have at most 2000 patterns, which
/// makes the result the best network of any width, else `gaussian`.
std::string choose_pattern_source(const MatrixView& X);

/// The whole chain: Dataset -> PatternSet -> Program -> Solver -> Solution + Certificate -> Network.
///
/// Data with two `classes` are classified whatever the loss is; so are data for a margin loss, whose y must be -1 or
/// +1. Rows of weight 0 are left out; a pattern file has columns for them, too. Throws std::invalid_argument naming
/// what does not fit.
TrainResult train(const Dataset& data, const TrainSettings& settings = {}, const ProgressCallback& progress = {});

}  // namespace conelu
