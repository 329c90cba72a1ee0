#include "raw_threat.hpp"

#include "conelu/export_model.hpp"

namespace conelu::tool {

Threat raw_threat(const ThreatOptions& options, const Model& model) {
  TrainSettings settings;
  settings.bias = false;  // nobody reaches it
  options.apply_to(settings, model.features);
  const auto features = static_cast<Index>(model.features.size());
  if (settings.eps_units == EpsUnits::raw) {
    Preprocessing unscaled = model.preprocessing;
    unscaled.scale.resize(0);  // as given: nothing to convert
    return make_threat(settings, features, unscaled);
  }
  const Threat seen = make_threat(settings, features, model.preprocessing);
  return {seen.norm, raw_radii(seen.radii, model.preprocessing)};
}

}  // namespace conelu::tool
