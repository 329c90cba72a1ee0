#pragma once

#include "conelu/model.hpp"
#include "threat_options.hpp"

namespace conelu::tool {

/// The attack as a network sees it that takes raw features, as exported ones do: radii in the units of DATA, those
/// given in the network's units multiplied by the model's scale.
Threat raw_threat(const ThreatOptions& options, const Model& model);

}  // namespace conelu::tool
