#include "conelu/threat.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace conelu {

const char* to_string(Norm norm) {
  switch (norm) {
    case Norm::infinity:
      return "inf";
    case Norm::two:
      return "2";
    case Norm::one:
      break;
  }
  return "1";
}

const std::vector<std::string>& norm_names() {
  static const std::vector<std::string> names = {"inf", "2", "1"};
  return names;
}

Norm make_norm(const std::string& name) {
  for (const Norm norm : {Norm::infinity, Norm::two, Norm::one}) {
    if (name == to_string(norm)) return norm;
  }
  throw std::invalid_argument(
      fmt::format("norm: unknown name '{}', expected one of {}", name, fmt::join(norm_names(), ", ")));
}

Threat Threat::uniform(Norm norm, double radius, Index d, bool bias) {
  if (!(std::isfinite(radius) && radius >= 0)) {
    throw std::invalid_argument(fmt::format("eps: is {}, expected a finite number >= 0", radius));
  }
  Threat threat{norm, Vector::Constant(d + (bias ? 1 : 0), radius)};
  if (bias) threat.radii(d) = 0;
  return threat;
}

double Threat::worst_change(const Eigen::Ref<const Vector>& u) const {
  if (radii.size() == 0) return 0;
  const auto scaled = radii.array() * u.array();
  switch (norm) {
    case Norm::infinity:
      return scaled.abs().sum();
    case Norm::two:
      return scaled.matrix().stableNorm();
    case Norm::one:
      break;
  }
  return scaled.abs().maxCoeff();
}

Vector Threat::worst_perturbation(const Eigen::Ref<const Vector>& u) const {
  if (radii.size() == 0) return Vector::Zero(u.size());
  const Vector scaled = radii.cwiseProduct(u);
  switch (norm) {
    case Norm::infinity:
      return radii.cwiseProduct(scaled.cwiseSign());
    case Norm::two:
      return radii.cwiseProduct(scaled.stableNormalized());
    case Norm::one:
      break;
  }
  Index largest = 0;
  scaled.cwiseAbs().maxCoeff(&largest);
  Vector delta = Vector::Zero(u.size());
  delta(largest) = scaled(largest) > 0 ? radii(largest) : scaled(largest) < 0 ? -radii(largest) : 0.0;
  return delta;
}

double Threat::size(const Eigen::Ref<const Vector>& delta) const {
  Vector share = Vector::Zero(delta.size());
  for (Index a = 0; a < delta.size(); ++a) {
    if (delta(a) == 0) continue;
    if (radii.size() == 0 || radii(a) == 0) return std::numeric_limits<double>::infinity();
    share(a) = delta(a) / radii(a);
  }
  switch (norm) {
    case Norm::infinity:
      return share.lpNorm<Eigen::Infinity>();
    case Norm::two:
      return share.stableNorm();
    case Norm::one:
      break;
  }
  return share.lpNorm<1>();
}

}  // namespace conelu
