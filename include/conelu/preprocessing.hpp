#pragma once

#include <optional>

#include "conelu/dataset.hpp"
#include "conelu/export.hpp"

namespace CONELU_API conelu {

/// Units in which a regression is trained: (y - center) / scale. A target far from 0 or of size 1e5 would make one
/// beta mean something else for every data set.
struct TargetScaling {
  double center = 0;
  double scale = 1;

  /// Mean and standard deviation of the target with the samples' weights; a constant target keeps scale 1.
  static TargetScaling standardize(const Dataset& data);

  Dataset apply(Dataset data) const;
};

/// What the features of the training data were like, before anything happened to them. Empty: nobody knows.
struct SeenFeatures {
  Vector mean = {};
  Vector lowest = {};
  Vector highest = {};
};

/// What happens to features before the network sees them; it travels with the model.
struct Preprocessing {
  Vector center = {};                        ///< subtracted; empty: nothing
  Vector scale = {};                         ///< divided by afterwards; empty: nothing
  std::vector<Encoding> encodings = {};      ///< of columns of text, when they are read
  std::vector<std::string> missing = {};     ///< what stands for a missing value
  Vector fill = {};                          ///< what takes its place, by feature; empty: nothing does
  std::optional<TargetScaling> target = {};  ///< regression: already undone by the network's last layer
  SeenFeatures seen = {};                    ///< by feature, rows of weight 0 left out

  /// Encodings, missing values and what was seen: no scaling.
  static Preprocessing of(const Dataset& data);

  /// Means and standard deviations (population; a constant column keeps scale 1) with the samples' weights. Encoded
  /// columns stay 0 and 1: a rare level would become a huge number.
  static Preprocessing standardize(const Dataset& data);

  /// Every feature to [0, 1]; a constant one to 0.
  static Preprocessing min_max(const Dataset& data);

  /// Whether the feature is part of an encoded column. A radius for all features is not for these: half a category
  /// means nothing.
  bool is_encoded(Index feature) const;

  /// Throws std::invalid_argument if X has another number of columns.
  Matrix apply(const MatrixView& X) const;
};

/// X with a last column of ones: the bias is an ordinary weight of the convex program.
Matrix with_bias(const MatrixView& X);

}  // namespace conelu
