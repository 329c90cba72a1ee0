#include "threat.hpp"

#include <stdexcept>

#include "conelu/train.hpp"

namespace conelu::python {

EpsUnits make_units(const std::string& name);

Threat Attacker::threat(const Model& model) const {
  TrainSettings settings;
  settings.bias = false;  // nobody reaches it
  settings.eps = eps;
  settings.eps_units = make_units(units);
  settings.norm = make_norm(norm);
  return make_threat(settings, static_cast<Index>(model.features.size()), model.preprocessing);
}

void Attacker::write_range(const Model& model, Vector& lower, Vector& upper) const {
  if (!clip) return;
  const auto limit = [&](double value) -> Vector {
    return model.preprocessing.apply(Matrix::Constant(1, static_cast<Index>(model.features.size()), value))
        .row(0)
        .transpose();
  };
  if (!(clip->first <= clip->second)) throw std::invalid_argument("clip: expected a pair (lowest, highest)");
  lower = limit(clip->first);
  upper = limit(clip->second);
}

}  // namespace conelu::python
