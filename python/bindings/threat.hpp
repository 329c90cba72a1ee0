#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conelu/model.hpp"
#include "conelu/threat.hpp"

namespace conelu::python {

/// What an attacker may do to the rows that a model is asked about, as Python says it.
struct Attacker {
  std::vector<double> eps;  ///< one radius, or one for each feature
  std::string norm = "inf";
  std::string units = "network";                  ///< or `raw`
  std::optional<std::pair<double, double>> clip;  ///< values that features can take, in the units of the data

  Threat threat(const Model& model) const;
  /// Writes the range of every feature as the network sees it, if there is one.
  void write_range(const Model& model, Vector& lower, Vector& upper) const;
};

}  // namespace conelu::python
